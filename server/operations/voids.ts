/**
 * Voids (SYNC-7): a manager gives up an operation that was refused, or that waits behind a refused one. Its receipt is
 * closed exactly as by a replacement, so that it can never take effect. A void does nothing else, and is audited.
 *
 * A void is about operations of any kind, so it belongs to the platform.
 */
import { isVoid } from '#domain/protocol/operations.ts';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import { describedBy } from './operation-module.ts';
import type { Description } from './operation-module.ts';

export const voidKind = 'operation.void';

/** Returns the operations that this one replaces. A void that replaces a refused void closes both it and its target. */
export function closedBy(operation: AnyOperation): string[] {
  const { supersedes } = operation;
  if (!supersedes) return [];
  return isVoid(operation) ? [...new Set([operation.payload.op_id, supersedes])] : [supersedes];
}

/** Describes what a void gives up, by its own words. */
export function describeVoided({ voided }: Record<string, unknown>): Description {
  const { number, amount } = (voided ?? {}) as Record<string, unknown>;
  return describedBy([number], [amount]);
}
