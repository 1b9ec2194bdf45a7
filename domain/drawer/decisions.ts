/**
 * Decides what a person may do with a drawer, on the tablet or over REST. These checks don't apply to queued operations: of
 * these the server refuses only a second close.
 */
import { maxMinor } from '../limits.ts';
import { paymentMethods } from '../order/vocabulary.ts';
import { isReasonTooShort, minReasonLength } from '../reason.ts';
import { accept, refuse } from '../result.ts';
import type { Result } from '../result.ts';
import type { ByMethod, Drawer } from './drawer.ts';

/** Refuses what is no amount of money, or one below the least. */
function checkAmount(minor: number, least: number): Result<null> {
  if (minor > maxMinor) return refuse('AMOUNT_TOO_LARGE');
  return Number.isInteger(minor) && minor >= least ? accept(null) : refuse('AMOUNT_INVALID');
}

/** A device can have only one open drawer; other devices can have their own. */
export function decideOpen({ hasOpen, floatMinor }: { hasOpen: boolean; floatMinor: number }): Result<null> {
  return hasOpen ? refuse('DRAWER_OPEN') : checkAmount(floatMinor, 0);
}

export function decideMove(
  drawer: Drawer,
  { amountMinor, reason }: { amountMinor: number; reason: string },
): Result<null> {
  if (drawer.close) return refuse('DRAWER_CLOSED');
  const amount = checkAmount(amountMinor, 1);
  if (!amount.ok) return amount;
  return isReasonTooShort(reason) ? refuse('VALIDATION', { reason: minReasonLength }) : accept(null);
}

export function decideClose(drawer: Drawer, { counted }: { counted: ByMethod }): Result<null> {
  if (drawer.close) return refuse('DRAWER_CLOSED');
  const wrong = paymentMethods.map((method) => checkAmount(counted[method], 0)).find(({ ok }) => !ok);
  return wrong ?? accept(null);
}
