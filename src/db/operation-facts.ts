/**
 * What is known of an operation from itself alone: when it took effect, its paper's number and the money that it stands for.
 * Payloads may have been refused.
 */
import { subtotal } from '../../domain/order/order.ts';
import { minorFromWire } from '../../domain/money.ts';
import { milliFromWire } from '../../domain/quantity.ts';
import type { AnyOperation, LinePayload } from '../../domain/protocol/operations.ts';

/** When an operation took effect as far as this device can tell: its time corrected by the offset it knew (SYNC-14). */
export function occurredAtMs({ occurred_at, clock_offset_ms }: AnyOperation): number {
  return Date.parse(occurred_at) + (clock_offset_ms ?? 0);
}

/** The number that the operation brought into the world; most do not. */
export function numberOf({ kind, payload }: AnyOperation): string | undefined {
  switch (kind) {
    case 'order.create':
      return payload.number;
    case 'order.pay':
      return payload.invoice?.invoice_number;
    case 'order.refund':
      return payload.credit_note_number;
    case 'operation.void':
      return payload.voided?.number;
    default:
      return undefined;
  }
}

/** Minor units; negative for a refund, null where no money is meant. */
export function amountMinorOf({ kind, payload }: AnyOperation): number | null {
  switch (kind) {
    case 'order.create':
      return minorFromWire(payload.total);
    case 'order.add_services':
      return linesMinor(payload.items);
    case 'order.pay':
      return minorFromWire(payload.amount);
    case 'order.refund':
      return -minorFromWire(payload.amount);
    case 'drawer.open':
      return minorFromWire(payload.float);
    case 'drawer.move':
      return minorFromWire(payload.direction === 'in' ? payload.amount : -payload.amount);
    case 'operation.void':
      return payload.voided?.amount === undefined ? null : minorFromWire(payload.voided.amount);
    default:
      return null;
  }
}

export function linesMinor(items: readonly LinePayload[]): number {
  return subtotal(
    items.map(({ quantity, unit_price }) => ({
      quantityMilli: milliFromWire(quantity),
      unitPriceMinor: minorFromWire(unit_price),
    })),
  );
}
