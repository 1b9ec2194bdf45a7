/**
 * Decides which corrections of cancels count. A cancelled treatment that was invoiced has a credit note, which brings what
 * is invoiced to nothing. Another tablet may have cancelled it, too, or may have taken the money, and its document is out
 * as well. So the corrections that count follow from all facts, whatever the order of their arrival:
 *
 * - a cancel that a payment overrules corrects nothing;
 * - of several, the one that takes back most counts first, and no other takes back more than is left.
 *
 * The server annuls the others: it adds the cancellation of their record to its chain, and they count nowhere.
 */
import { netPaid } from './order.ts';
import type { Cancel, Correction, Order } from './order.ts';
import { statedAmounts } from '../tax/document.ts';

export type CancelWithCorrection = Cancel & { correction: Correction };

const withCorrection = (cancel: Cancel): CancelWithCorrection[] =>
  cancel.correction ? [{ ...cancel, correction: cancel.correction }] : [];

/** Returns the amounts that a correction adds, by the keys of their tax; they are negative. */
const added = ({ correction }: CancelWithCorrection): [string, number][] => statedAmounts(correction.creditNote);

const amountOf = (cancel: CancelWithCorrection): number => added(cancel).reduce((sum, [, minor]) => sum + minor, 0);

/** A number names the device and its count, so it breaks ties as the sequence does (`fact-order.ts`). */
const inOrder = (a: CancelWithCorrection, b: CancelWithCorrection): number =>
  amountOf(a) - amountOf(b) || a.atMs - b.atMs || (a.correction.number < b.correction.number ? -1 : 1);

/**
 * Returns the cancels whose corrections count.
 *
 * @param invoiced what is invoiced without them, by the keys of its tax
 */
export function countedCorrections(
  order: Pick<Order, 'cancels' | 'payments'>,
  invoiced: ReadonlyMap<string, number>,
): CancelWithCorrection[] {
  const standing = order.cancels.flatMap(withCorrection).filter(({ correction }) => !correction.isAnnulled);
  if (standing.length === 0 || netPaid(order) !== 0) return [];
  const left = new Map(invoiced);
  return standing.toSorted(inOrder).filter((cancel) => {
    const parts = added(cancel);
    if (parts.some(([key, minor]) => (left.get(key) ?? 0) + minor < 0)) return false;
    for (const [key, minor] of parts) left.set(key, left.get(key)! + minor);
    return true;
  });
}
