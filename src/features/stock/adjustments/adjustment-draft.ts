/** A quick adjustment as it is typed, and what it would do to the item's stock. */
import type { Problem, Problems } from '../../../../domain/problems.ts';
import type { AdjustStockPayload } from '../../../../domain/stock/operations.ts';
import { milliFromWire, milliToWire } from '../../../../domain/quantity.ts';
import { quantityProblem } from '../../../../domain/stock/drafts.ts';
import { stockState } from '../../../../domain/stock/ledger.ts';
import { stepMilli } from '../../../../domain/stock/vocabulary.ts';
import type { CatalogueItem } from '../../../db/database.ts';
import { textLimits } from '../../../db/commands/storable-text.ts';
import { adjustedQuantity } from '../../../../domain/stock/operations.ts';

export const adjustmentActions = ['add', 'subtract', 'set'] as const satisfies readonly AdjustStockPayload['action'][];
export type AdjustmentAction = (typeof adjustmentActions)[number];

export interface AdjustmentDraft {
  /** The stock item; 0 while none is chosen. */
  id: number;
  /** In the item's unit; null while the field is empty. */
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
 * Whether there is something to write. Adding or subtracting nothing is none. Setting is: an empty shelf that somebody has
 * looked at is a count of 0, and a count that finds what was expected still settles the level at its time. So that nobody
 * empties a shelf by not typing, a count begins with an empty field, and only a 0 that was typed counts as one.
 */
export function isReady(draft: AdjustmentDraft): boolean {
  const { id, amount, action } = draft;
  if (id === 0 || amount === null || Object.keys(adjustmentProblems(draft)).length > 0) return false;
  return action === 'set' || amount !== 0;
}

/** The amount that a change of action leaves: a count is asked for, not offered. */
export function amountFor(action: AdjustmentAction, amount: number | null): number | null {
  return action === 'set' ? amount || null : (amount ?? 0);
}

/** The amount one step of the unit further, down to 0. */
export function steppedAmount(amount: number | null, unit: string, direction: 1 | -1): number {
  return milliToWire(Math.max(0, milliFromWire(amount ?? 0) + direction * stepMilli(unit)));
}

export interface Preview {
  /** Thousandths, like the other two. */
  currentMilli: number;
  changeMilli: number;
  newMilli: number;
  /** What the new total would call for; null also while there is nothing to write. */
  warning: 'negative' | 'out' | 'low' | null;
}

export function previewOf(
  item: Pick<CatalogueItem, 'quantity_milli' | 'low_stock_threshold_milli'>,
  draft: AdjustmentDraft,
): Preview {
  const currentMilli = item.quantity_milli ?? 0;
  if (!isReady(draft)) return { currentMilli, changeMilli: 0, newMilli: currentMilli, warning: null };
  const newMilli = adjustedQuantity(currentMilli, { action: draft.action, amount: draft.amount! });
  return {
    currentMilli,
    changeMilli: newMilli - currentMilli,
    newMilli,
    warning: warningAbout(newMilli, item.low_stock_threshold_milli ?? 0),
  };
}

function warningAbout(newMilli: number, thresholdMilli: number): Preview['warning'] {
  if (newMilli < 0) return 'negative';
  const state = stockState(newMilli, thresholdMilli);
  return state === 'in_stock' ? null : state === 'out_of_stock' ? 'out' : 'low';
}
