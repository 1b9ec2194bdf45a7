/**
 * The stock ledger (SYNC-10). Additions and subtractions are deltas; a count states the quantity at a time. The current quantity
 * is the last count plus the deltas that took effect after it. Quantities are thousandths, instants are milliseconds.
 */

export type StockMovement =
  | { type: 'delta'; changeMilli: number; effectiveAtMs: number }
  | { type: 'count'; quantityMilli: number; effectiveAtMs: number };

export interface StockLevel {
  quantityMilli: number;
  /** When the last count took effect; null without a count. */
  countedAtMs: number | null;
}

/**
 * Applies a movement to a level that contains all earlier arrivals. A movement older than the last count has effect 0. On a tie,
 * the later arrival counts as later.
 *
 * @param deltasSinceMilli for a count: the sum of the deltas in the level that took effect after the count
 */
export function moveStock(
  level: StockLevel,
  movement: StockMovement,
  deltasSinceMilli = 0,
): { level: StockLevel; effectMilli: number } {
  if (level.countedAtMs !== null && movement.effectiveAtMs < level.countedAtMs) return { level, effectMilli: 0 };
  if (movement.type === 'delta') {
    return {
      level: { ...level, quantityMilli: level.quantityMilli + movement.changeMilli },
      effectMilli: movement.changeMilli,
    };
  }
  const quantityMilli = movement.quantityMilli + deltasSinceMilli;
  return {
    level: { quantityMilli, countedAtMs: movement.effectiveAtMs },
    effectMilli: quantityMilli - level.quantityMilli,
  };
}

export const stockStates = ['in_stock', 'low_stock', 'out_of_stock'] as const;
export type StockState = (typeof stockStates)[number];

export function stockState(quantityMilli: number, thresholdMilli: number): StockState {
  if (quantityMilli <= 0) return 'out_of_stock';
  return quantityMilli <= thresholdMilli ? 'low_stock' : 'in_stock';
}
