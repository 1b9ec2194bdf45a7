/** What people know an operation by, for attention items and the audit log. */
import { minorFromWire } from '../../domain/money.ts';
import { freeDiscount } from '../../domain/order/discount.ts';
import { subtotal } from '../../domain/order/order.ts';
import { may } from '../../domain/permissions.ts';
import { milliFromWire } from '../../domain/quantity.ts';
import type { AnyOperation } from '../../domain/protocol/operations.ts';
import type { AttentionResource } from '../../domain/protocol/sync.ts';
import type { Role } from '../../domain/staff/roles.ts';
import type { Actors } from './store.ts';

/** The aggregate, or the kind, that the server could not read in an envelope. */
export const unreadable = 'unknown';

/** The kind under which the receipt of an operation stands that was replaced or voided and never arrived. */
export const neverArrived = 'absent';

/** The number on its paper and the money. The payload may be malformed: nothing is taken on trust. */
export function factsOf(payload: unknown): { number?: string; amount?: number } {
  const { number, invoice, credit_note_number, amount, total } = (payload ?? {}) as Record<string, unknown>;
  const printed = (invoice as { invoice_number?: unknown } | null | undefined)?.invoice_number;
  const onDocument = [number, printed, credit_note_number].find(
    (text) => typeof text === 'string' && text.length <= 40,
  );
  const money = [amount, total].find((value) => typeof value === 'number' && Number.isFinite(value));
  return {
    ...(onDocument !== undefined && { number: onDocument as string }),
    ...(money !== undefined && { amount: money as number }),
  };
}

/** Who, when, where, on which paper and for how much: what a manager who sees it elsewhere needs to decide. */
export function circumstancesOf(
  { actor_id, device_id, aggregate, occurred_at, payload }: AnyOperation,
  actors: Actors,
): AttentionResource['details'] {
  const actor = actors.users.get(actor_id)?.name;
  const device = actors.devices.get(device_id);
  const { voided } = payload as { voided?: unknown };
  return {
    actor_id,
    aggregate,
    occurred_at,
    ...factsOf(voided ?? payload),
    ...(actor !== undefined && { actor }),
    ...(device !== undefined && { device }),
  };
}

/** The treatment that an aggregate names; null where it names another thing, or nothing that could be a treatment's id. */
export function orderIdOf(aggregate: string): string | null {
  return /^order:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(aggregate)?.[1] ?? null;
}

/** What a manager is told of a discount that was not its giver's to give; null for every other operation. A fact is never refused for it (SYNC-2). */
export function discountExcess(
  { kind, payload }: AnyOperation,
  role: Role | undefined,
  limitPercent: number,
): AttentionResource['details'] | null {
  if (kind !== 'order.create' || payload.discount === 0 || (role && may(role, 'order.discount_any'))) return null;
  const { discount, items, currency } = payload;
  const subtotalMinor = subtotal(
    items.map(({ quantity, unit_price }) => ({
      quantityMilli: milliFromWire(quantity),
      unitPriceMinor: minorFromWire(unit_price),
    })),
  );
  if (minorFromWire(discount) <= freeDiscount(subtotalMinor, limitPercent)) return null;
  return { discount, limit: limitPercent, currency };
}
