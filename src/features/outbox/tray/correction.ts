/** Corrects a refused operation: a draft of its editable fields becomes the payload of the operation that replaces it. */
import { minorFromWire } from '#domain/money.ts';
import { subtotalOf } from '#domain/order/order.ts';
import type { AnyOperation, PayloadOf } from '#domain/protocol/operations.ts';
import type { OutboxEntry } from '#src/db/dependants.ts';
import { kindViewOf } from '../operation-kinds.tsx';
import { blankDraft } from './correction-fields.ts';
import type { Draft, Faults } from './correction-fields.ts';

export interface Bounds {
  /** The sum that the lines must keep because it has been paid, or null. */
  fixedMinor: number | null;
}

/** Returns the editable fields of a refused operation. @param named the payload paths that the server refused */
export function draftOf({ kind, payload }: AnyOperation, named: readonly string[]): Draft {
  return { ...blankDraft, ...kindViewOf(kind).draft(payload, named) };
}

export const isEmpty = (draft: Draft): boolean => Object.values(draft).every((field) => field === null);

/** Returns the sum that dependent payments fix: the sum of the invoice that bills exactly these lines, else the agreed one. */
export function boundsOf({ payload }: AnyOperation, dependants: readonly OutboxEntry[]): Bounds {
  if (!('items' in payload)) return { fixedMinor: null };
  const payments = dependants.flatMap(({ operation }) => (operation.kind === 'order.pay' ? operation.payload : []));
  if (payments.length === 0) return { fixedMinor: null };
  const lineIds = payload.items.map(({ line_id }) => line_id);
  const billing = payments.find(
    ({ invoice }) =>
      invoice?.line_ids.length === lineIds.length && lineIds.every((id) => invoice.line_ids.includes(id)),
  );
  return { fixedMinor: billing?.invoice ? minorFromWire(billing.invoice.subtotal) : subtotalOf(payload.items) };
}

export type Corrected = { ok: true; payload: PayloadOf[AnyOperation['kind']] } | { ok: false; faults: Faults };

export function correct({ kind, payload }: AnyOperation, draft: Draft, { fixedMinor }: Bounds): Corrected {
  const faults: Faults = {};
  const corrected = kindViewOf(kind).correct(payload, draft, faults, fixedMinor);
  return Object.keys(faults).length > 0 ? { ok: false, faults } : { ok: true, payload: corrected };
}
