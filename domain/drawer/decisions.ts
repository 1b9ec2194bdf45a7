/**
 * Decides what a person may do with a drawer, on the tablet or over REST. These checks don't apply to queued operations: of
 * these the server refuses only a second close.
 */
import { maxMinor } from '../money.ts';
import { paymentMethods } from '../order/vocabulary.ts';
import { isReasonTooShort, minReasonLength } from '../reason.ts';
import { accept, refuse } from '../result.ts';
import type { Result } from '../result.ts';
import { currentDrawer } from './drawer.ts';
import type { ByMethod, Drawer } from './drawer.ts';

const isAmount = (minor: number, least: number): boolean =>
  Number.isInteger(minor) && minor >= least && minor <= maxMinor;

/** A device can have only one open drawer; other devices can have their own. */
export function decideOpen(
  drawers: readonly Drawer[],
  { deviceId, floatMinor }: { deviceId: number; floatMinor: number },
): Result<null> {
  if (currentDrawer(drawers, deviceId)?.deviceId === deviceId) return refuse('DRAWER_OPEN');
  return isAmount(floatMinor, 0) ? accept(null) : refuse('AMOUNT_INVALID');
}

export function decideMove(
  drawer: Drawer,
  { amountMinor, reason }: { amountMinor: number; reason: string },
): Result<null> {
  if (drawer.close) return refuse('DRAWER_CLOSED');
  if (!isAmount(amountMinor, 1)) return refuse('AMOUNT_INVALID');
  return isReasonTooShort(reason) ? refuse('VALIDATION', { reason: minReasonLength }) : accept(null);
}

export function decideClose(drawer: Drawer, { counted }: { counted: ByMethod }): Result<null> {
  if (drawer.close) return refuse('DRAWER_CLOSED');
  return paymentMethods.every((method) => isAmount(counted[method], 0)) ? accept(null) : refuse('AMOUNT_INVALID');
}
