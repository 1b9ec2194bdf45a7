/**
 * Putting a refused operation right. Only what people typed or agreed can be edited, and only so that the papers stay true:
 * what has been paid keeps its total, and a payment's amounts change only where the server could not take them.
 *
 * A draft holds the fields as typed. `correct` turns it into the payload of the operation that takes the refused one's place.
 */
import { maxMinor, minorFromWire, minorToWire } from '../../../../domain/money.ts';
import { maxMilli, milliFromWire } from '../../../../domain/quantity.ts';
import { isReasonTooShort } from '../../../../domain/reason.ts';
import type { LinePayload } from '../../../../domain/order/operations.ts';
import { subtotalOf } from '../../../../domain/order/operations.ts';
import type { AnyOperation, PayloadOf } from '../../../../domain/protocol/operations.ts';
import { storableText, textLimits } from '../../../db/commands/storable-text.ts';
import type { OutboxEntry } from '../../../db/dependants.ts';

export interface LineDraft {
  lineId: string;
  name: string;
  /** Null where only the quantity and the price can be wrong. */
  nameTyped: string | null;
  quantity: string;
  price: string;
}

/** Null where the kind of operation has no such field, or it is not to be edited. */
export interface Draft {
  customerName: string | null;
  notes: string | null;
  lines: LineDraft[] | null;
  amount: string | null;
  tendered: string | null;
  reference: string | null;
  reason: string | null;
}

export type FaultCode =
  'tooLong' | 'empty' | 'quantity' | 'price' | 'amount' | 'tendered' | 'total' | 'tooMuch' | 'tooLarge' | 'reason';
/** By field: `customerName`, …, and of lines `quantity.<line>`, `price.<line>`, `name.<line>`, `total`. */
export type Faults = Record<string, FaultCode>;

export interface Bounds {
  /** What the lines must come to, because they have been paid; null where nothing holds them. */
  fixedMinor: number | null;
}

const nothing: Draft = {
  customerName: null,
  notes: null,
  lines: null,
  amount: null,
  tendered: null,
  reference: null,
  reason: null,
};

/** What of a refused operation can be edited. @param named the paths that the server named */
export function draftOf(operation: AnyOperation, named: readonly string[]): Draft {
  const { kind, payload } = operation;
  switch (kind) {
    case 'order.create':
      return {
        ...nothing,
        customerName: typed(payload.customer_name),
        notes: typed(payload.notes),
        lines: lineDrafts(payload.items, named),
      };
    case 'order.add_services':
      return {
        ...nothing,
        notes: payload.notes === undefined ? null : typed(payload.notes),
        lines: lineDrafts(payload.items, named),
      };
    case 'order.cancel':
      return { ...nothing, notes: typed(payload.notes) };
    case 'order.pay': {
      const moneyNamed = ['amount', 'tendered', 'change'].some((path) => named.includes(path));
      const isCash = payload.payment_method === 'cash';
      return {
        ...nothing,
        ...(moneyNamed && { amount: typed(payload.amount), ...(isCash && { tendered: typed(payload.tendered) }) }),
        ...((!isCash || payload.reference_number !== undefined) && { reference: typed(payload.reference_number) }),
      };
    }
    case 'order.refund':
      return {
        ...nothing,
        reason: typed(payload.reason),
        ...(named.includes('amount') && { amount: typed(payload.amount) }),
      };
    case 'stock.adjust':
      return { ...nothing, amount: typed(payload.amount), notes: typed(payload.notes) };
    case 'drawer.open':
      return { ...nothing, ...(named.includes('float') && { amount: typed(payload.float) }) };
    case 'drawer.move':
      return {
        ...nothing,
        reason: typed(payload.reason),
        ...(named.includes('amount') && { amount: typed(payload.amount) }),
      };
    case 'drawer.close':
      return { ...nothing, notes: typed(payload.notes) };
    case 'operation.void':
      return nothing;
  }
}

export const isEmpty = (draft: Draft): boolean => Object.values(draft).every((field) => field === null);

const typed = (value: string | number | undefined): string => (value === undefined ? '' : String(value));

function lineDrafts(items: readonly LinePayload[], named: readonly string[]): LineDraft[] {
  return items.map(({ line_id, name, quantity, unit_price }, index) => ({
    lineId: line_id,
    name,
    nameTyped: named.includes(`items.${index}.name`) ? name : null,
    quantity: typed(quantity),
    price: typed(unit_price),
  }));
}

/** What the lines must come to when payments build on them: what the paper bills, else what was agreed. */
export function boundsOf(operation: AnyOperation, dependants: readonly OutboxEntry[]): Bounds {
  if (operation.kind !== 'order.create' && operation.kind !== 'order.add_services') return { fixedMinor: null };
  const payments = dependants.flatMap(({ operation: { kind, payload } }) => (kind === 'order.pay' ? payload : []));
  if (payments.length === 0) return { fixedMinor: null };
  const own = operation.payload.items.map(({ line_id }) => line_id);
  const paper = payments.find(
    ({ invoice }) => invoice?.line_ids.length === own.length && own.every((id) => invoice.line_ids.includes(id)),
  );
  return { fixedMinor: paper?.invoice ? minorFromWire(paper.invoice.subtotal) : subtotalOf(operation.payload.items) };
}

export type Corrected = { ok: true; payload: PayloadOf[AnyOperation['kind']] } | { ok: false; faults: Faults };

export function correct(operation: AnyOperation, draft: Draft, { fixedMinor }: Bounds): Corrected {
  const faults: Faults = {};
  const payload = correctedPayload(operation, draft, fixedMinor, faults);
  return Object.keys(faults).length > 0 ? { ok: false, faults } : { ok: true, payload };
}

function correctedPayload(
  operation: AnyOperation,
  draft: Draft,
  fixedMinor: number | null,
  faults: Faults,
): PayloadOf[AnyOperation['kind']] {
  const { kind, payload } = operation;
  switch (kind) {
    case 'order.create': {
      const items = correctedLines(payload.items, draft.lines!, fixedMinor, faults);
      const { customer_name: _name, notes: _notes, ...rest } = payload;
      const subtotalMinor = subtotalOf(items);
      const discountMinor = Math.min(minorFromWire(payload.discount), subtotalMinor);
      return {
        ...rest,
        ...field('customer_name', text(draft.customerName!, textLimits.name, 'customerName', faults)),
        ...field('notes', text(draft.notes!, textLimits.notes, 'notes', faults)),
        items,
        discount: minorToWire(discountMinor),
        total: minorToWire(subtotalMinor - discountMinor + minorFromWire(payload.service_charge)),
      };
    }
    case 'order.add_services': {
      const { notes: _notes, ...rest } = payload;
      const notes = draft.notes === null ? undefined : text(draft.notes, textLimits.notes, 'notes', faults);
      return {
        ...rest,
        ...field('notes', notes),
        items: correctedLines(payload.items, draft.lines!, fixedMinor, faults),
      };
    }
    case 'order.cancel': {
      const { notes: _notes, ...rest } = payload;
      return { ...rest, ...field('notes', text(draft.notes!, textLimits.notes, 'notes', faults)) };
    }
    case 'order.pay':
      return correctedPayment(payload, draft, faults);
    case 'order.refund':
      return {
        ...payload,
        reason: correctedReason(draft.reason!, faults),
        ...(draft.amount !== null && { amount: minorToWire(money(draft.amount, 'amount', faults)) }),
      };
    case 'stock.adjust': {
      const { notes: _notes, ...rest } = payload;
      const amount = decimal(draft.amount!, 3);
      if (amount === null || milliFromWire(amount) > maxMilli || (amount === 0 && payload.action !== 'set'))
        faults['amount'] = 'quantity';
      return { ...rest, amount: amount ?? 0, ...field('notes', text(draft.notes!, textLimits.notes, 'notes', faults)) };
    }
    case 'drawer.open':
      return draft.amount === null
        ? payload
        : { ...payload, float: minorToWire(money(draft.amount, 'amount', faults, 0)) };
    case 'drawer.move':
      return {
        ...payload,
        reason: correctedReason(draft.reason!, faults),
        ...(draft.amount !== null && { amount: minorToWire(money(draft.amount, 'amount', faults)) }),
      };
    case 'drawer.close': {
      const { notes: _notes, ...rest } = payload;
      return { ...rest, ...field('notes', text(draft.notes!, textLimits.notes, 'notes', faults)) };
    }
    case 'operation.void':
      return payload;
  }
}

function correctedPayment(payload: PayloadOf['order.pay'], draft: Draft, faults: Faults): PayloadOf['order.pay'] {
  const { reference_number: _reference, ...rest } = payload;
  const reference =
    draft.reference === null
      ? payload.reference_number
      : text(draft.reference, textLimits.reference, 'reference', faults);
  if (draft.amount === null) return { ...rest, ...field('reference_number', reference) };
  const amountMinor = money(draft.amount, 'amount', faults);
  if (payload.invoice && amountMinor > minorFromWire(payload.invoice.total_amount)) faults['amount'] = 'tooMuch';
  const tenderedMinor = draft.tendered === null ? amountMinor : (decimalMinor(draft.tendered) ?? -1);
  if (tenderedMinor < amountMinor || tenderedMinor > maxMinor) faults['tendered'] = 'tendered';
  return {
    ...rest,
    ...field('reference_number', reference),
    amount: minorToWire(amountMinor),
    tendered: minorToWire(tenderedMinor),
    change: minorToWire(tenderedMinor - amountMinor),
  };
}

function correctedLines(
  items: readonly LinePayload[],
  drafts: readonly LineDraft[],
  fixedMinor: number | null,
  faults: Faults,
): LinePayload[] {
  const lines = items.map((item, index): LinePayload => {
    const { lineId, nameTyped, quantity, price } = drafts[index]!;
    const amount = decimal(quantity, 3);
    if (amount === null || amount <= 0 || milliFromWire(amount) > maxMilli) faults[`quantity.${lineId}`] = 'quantity';
    const unitMinor = decimalMinor(price);
    if (unitMinor === null || unitMinor > maxMinor) faults[`price.${lineId}`] = 'price';
    const name = nameTyped === null ? item.name : text(nameTyped, textLimits.name, `name.${lineId}`, faults);
    if (name === undefined) faults[`name.${lineId}`] = 'empty';
    return { ...item, name: name ?? '', quantity: amount ?? 0, unit_price: minorToWire(unitMinor ?? 0) };
  });
  const sumMinor = subtotalOf(lines);
  const sound = Object.keys(faults).length === 0;
  if (sound && sumMinor > maxMinor) faults['total'] = 'tooLarge';
  if (sound && fixedMinor !== null && sumMinor !== fixedMinor) faults['total'] = 'total';
  return lines;
}

/** What the lines of a draft come to as far as they can be read; null while one cannot. */
export function draftTotalMinor(drafts: readonly LineDraft[]): number | null {
  let sum = 0;
  for (const { quantity, price } of drafts) {
    const [amount, unitMinor] = [decimal(quantity, 3), decimalMinor(price)];
    if (amount === null || unitMinor === null) return null;
    sum += subtotalOf([{ quantity: amount, unit_price: minorToWire(unitMinor) }]);
  }
  return sum;
}

const field = <K extends string>(key: K, value: string | undefined): { [P in K]?: string } =>
  value === undefined ? {} : ({ [key]: value } as { [P in K]: string });

/** What can be stored of a typed text; one that is too long is shown, not cut behind somebody's back. */
function text(value: string, max: number, key: string, faults: Faults): string | undefined {
  if (value.trim().length > max) faults[key] = 'tooLong';
  return storableText(value, max);
}

function correctedReason(value: string, faults: Faults): string {
  if (isReasonTooShort(value)) faults['reason'] = 'reason';
  return text(value, textLimits.reason, 'reason', faults) ?? '';
}

function money(value: string, key: string, faults: Faults, leastMinor = 1): number {
  const minor = decimalMinor(value);
  if (minor === null || minor < leastMinor || minor > maxMinor) faults[key] = 'amount';
  return minor ?? 0;
}

const decimalMinor = (value: string): number | null => {
  const number = decimal(value, 2);
  return number === null ? null : minorFromWire(number);
};

/** A number that is not negative, with a point or a comma, as people in either language type it. */
function decimal(value: string, places: number): number | null {
  const match = new RegExp(`^\\d{1,12}(?:[.,]\\d{0,${places}})?$`).exec(value.trim());
  return match ? Number(match[0].replace(',', '.')) : null;
}
