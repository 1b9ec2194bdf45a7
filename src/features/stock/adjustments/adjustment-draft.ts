/** Form state of an adjustment, its validation, and a preview of its effect on the item's quantity. */
import type { Problem, Problems } from '#domain/problems.ts';
import type { AdjustStockPayload } from '#domain/stock/operations.ts';
import { milliFromWire, milliToWire } from '#domain/quantity.ts';
import { quantityProblem } from '#domain/stock/drafts.ts';
import { stockState } from '#domain/stock/ledger.ts';
import { stepMilli } from '#domain/stock/vocabulary.ts';
import type { CatalogueItem } from '#src/db/database.ts';
import { textLimits } from '#domain/limits.ts';
import { adjustedQuantity } from '#domain/stock/operations.ts';

export const adjustmentActions = ['add', 'subtract', 'set'] as const satisfies readonly AdjustStockPayload['action'][];
export type AdjustmentAction = (typeof adjustmentActions)[number];

export interface AdjustmentDraft {
  /** Id of the stock item; 0 while none is chosen. */
  id: number;
  /** Quantity in the item's unit; null while the field is empty. */
  amount: number | null;
  action: AdjustmentAction;
  notes: string;
}

export const blankAdjustment: AdjustmentDraft = { id: 0, amount: 0, action: 'add', notes: '' };

export function adjustmentProblems({ amount, notes }: AdjustmentDraft): Problems<keyof AdjustmentDraft> {
  const problem: Problem | false = amount !== null && quantityProblem(amount, 'QUANTITY_NEGATIVE');
  return {
    ...(problem && { amount: problem }),
    ...(notes.length > textLimits.notes && { notes: 'TOO_LONG' as const }),
  };
}

/**
 * Returns true when the draft can be submitted. Adding or subtracting 0 cannot. A count of 0 can, and so can a count
 * of the expected quantity, because it confirms the quantity at that time. A count starts with an empty field, so that
 * nobody sets the stock to 0 without typing it.
 */
export function canSubmit(draft: AdjustmentDraft): boolean {
  const { id, amount, action } = draft;
  if (id === 0 || amount === null || Object.keys(adjustmentProblems(draft)).length > 0) return false;
  return action === 'set' || amount !== 0;
}

/** Returns the amount after a change of action. A count starts empty, never with a suggested 0. */
export function amountFor(action: AdjustmentAction, amount: number | null): number | null {
  return action === 'set' ? amount || null : (amount ?? 0);
}

/** Returns the amount one step of the unit higher or lower, but not below 0. */
export function steppedAmount(amount: number | null, unit: string, direction: 1 | -1): number {
  return milliToWire(Math.max(0, milliFromWire(amount ?? 0) + direction * stepMilli(unit)));
}

export interface Preview {
  currentMilli: number;
  changeMilli: number;
  newMilli: number;
  /** Warning about the new quantity; null also while the draft cannot be submitted. */
  warning: 'negative' | 'out' | 'low' | null;
}

export function previewOf(
  item: Pick<CatalogueItem, 'quantity_milli' | 'low_stock_threshold_milli'>,
  draft: AdjustmentDraft,
): Preview {
  const currentMilli = item.quantity_milli ?? 0;
  if (!canSubmit(draft)) return { currentMilli, changeMilli: 0, newMilli: currentMilli, warning: null };
  const newMilli = adjustedQuantity(currentMilli, { action: draft.action, amount: draft.amount! });
  return {
    currentMilli,
    changeMilli: newMilli - currentMilli,
    newMilli,
    warning: warningFor(newMilli, item.low_stock_threshold_milli ?? 0),
  };
}

function warningFor(newMilli: number, thresholdMilli: number): Preview['warning'] {
  if (newMilli < 0) return 'negative';
  const state = stockState(newMilli, thresholdMilli);
  return state === 'in_stock' ? null : state === 'out_of_stock' ? 'out' : 'low';
}
