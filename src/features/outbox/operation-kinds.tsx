/**
 * The outbox's view of each operation kind: its icon, and the fields of a refused operation that a person may correct. A new
 * kind needs an entry here, and its name in the locales under `outbox.kinds`.
 *
 * Corrections keep printed documents true: amounts that were paid stay fixed, and a payment's amounts can be edited only
 * where the server refused them.
 */
import {
  ArrowLeftRight,
  Ban,
  Banknote,
  CircleAlert,
  CircleSlash,
  ClipboardPlus,
  ListChecks,
  ListPlus,
  LockKeyhole,
  LockKeyholeOpen,
  PackageOpen,
  ReceiptText,
  Undo2,
  UserRound,
} from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { minorFromWire, minorToWire } from '#domain/money.ts';
import { withAmount } from '#domain/order/refund-terms.ts';
import { agreedDiscount } from '#domain/order/operations.ts';
import { subtotalOf } from '#domain/order/order.ts';
import { maxMinor, maxMilli, textLimits } from '#domain/limits.ts';
import { milliFromWire } from '#domain/quantity.ts';
import type { OperationKind, PayloadOf } from '#domain/protocol/operations.ts';
import {
  amountText,
  lineDrafts,
  parseAmount,
  parseLines,
  parseMinor,
  parseQuantity,
  parseReason,
  parseText,
  quantityText,
  toText,
  withField,
  withNotes,
} from './tray/correction-fields.ts';
import type { Draft, Faults } from './tray/correction-fields.ts';

interface KindView<Kind extends OperationKind> {
  icon: LucideIcon;
  /** Returns the fields that can be edited. `named` are the payload paths that the server refused. */
  draft(payload: PayloadOf[Kind], named: readonly string[]): Partial<Draft>;
  /**
   * Returns the payload with the fields of the draft, and records faults. `fixedMinor` is the sum that the lines must keep,
   * or null.
   */
  correct(payload: PayloadOf[Kind], draft: Draft, faults: Faults, fixedMinor: number | null): PayloadOf[Kind];
}

const kindViews: { [Kind in OperationKind]: KindView<Kind> } = {
  'order.create': {
    icon: ClipboardPlus,
    draft: ({ customer_name, notes, items }, named) => ({
      customerName: toText(customer_name),
      notes: toText(notes),
      lines: lineDrafts(items, named),
    }),
    correct: (payload, draft, faults, fixedMinor) => {
      const items = parseLines(payload.items, draft.lines!, fixedMinor, faults);
      const customerName = parseText(draft.customerName!, textLimits.name, 'customerName', faults);
      const subtotalMinor = subtotalOf(items);
      const discountMinor = agreedDiscount({ items, discount: payload.discount });
      return {
        ...withNotes(withField(payload, 'customer_name', customerName), draft.notes!, faults),
        items,
        discount: minorToWire(discountMinor),
        total: minorToWire(subtotalMinor - discountMinor + minorFromWire(payload.service_charge)),
      };
    },
  },
  'order.add_services': {
    icon: ListPlus,
    draft: ({ notes, items }, named) => ({
      notes: notes === undefined ? null : toText(notes),
      lines: lineDrafts(items, named),
    }),
    correct: (payload, draft, faults, fixedMinor) => {
      const noted = draft.notes === null ? payload : withNotes(payload, draft.notes, faults);
      return { ...noted, items: parseLines(payload.items, draft.lines!, fixedMinor, faults) };
    },
  },
  'order.change': {
    icon: ListChecks,
    draft: ({ customer_name }) => (customer_name === undefined ? {} : { customerName: customer_name }),
    correct: (payload, draft, faults) =>
      draft.customerName === null
        ? payload
        : { ...payload, customer_name: parseText(draft.customerName, textLimits.name, 'customerName', faults) ?? '' },
  },
  'order.cancel': {
    icon: Ban,
    draft: ({ notes }) => ({ notes: toText(notes) }),
    correct: (payload, draft, faults) => withNotes(payload, draft.notes!, faults),
  },
  'order.pay': {
    icon: Banknote,
    draft: ({ payment_method, amount, tendered, reference_number }, named) => {
      const isAmountNamed = ['amount', 'tendered', 'change'].some((path) => named.includes(path));
      const isCash = payment_method === 'cash';
      return {
        ...(isAmountNamed && { amount: amountText(amount), ...(isCash && { tendered: amountText(tendered) }) }),
        ...((!isCash || reference_number !== undefined) && { reference: toText(reference_number) }),
      };
    },
    correct: correctPayment,
  },
  'order.invoice': {
    icon: ReceiptText,
    draft: () => ({}),
    correct: (payload) => payload,
  },
  'order.refund': {
    icon: Undo2,
    draft: ({ reason, amount }, named) => ({
      reason: toText(reason),
      ...(named.includes('amount') && { amount: amountText(amount) }),
    }),
    correct: (payload, draft, faults) => ({
      ...(draft.amount === null ? payload : withAmount(payload, parseAmount(draft.amount, faults))),
      reason: parseReason(draft.reason!, faults),
    }),
  },
  'stock.adjust': {
    icon: PackageOpen,
    draft: ({ amount, notes }) => ({ amount: quantityText(amount), notes: toText(notes) }),
    correct: (payload, draft, faults) => {
      const amount = parseQuantity(draft.amount!);
      if (amount === null || milliFromWire(amount) > maxMilli || (amount === 0 && payload.action !== 'set'))
        faults['amount'] = 'quantity';
      return withNotes({ ...payload, amount: amount ?? 0 }, draft.notes!, faults);
    },
  },
  'drawer.open': {
    icon: LockKeyholeOpen,
    draft: ({ float }, named) => (named.includes('float') ? { amount: amountText(float) } : {}),
    correct: (payload, draft, faults) =>
      draft.amount === null ? payload : { ...payload, float: minorToWire(parseAmount(draft.amount, faults, 0)) },
  },
  'drawer.move': {
    icon: ArrowLeftRight,
    draft: ({ reason, amount }, named) => ({
      reason: toText(reason),
      ...(named.includes('amount') && { amount: amountText(amount) }),
    }),
    correct: (payload, draft, faults) => ({
      ...payload,
      reason: parseReason(draft.reason!, faults),
      ...(draft.amount !== null && { amount: minorToWire(parseAmount(draft.amount, faults)) }),
    }),
  },
  'drawer.close': {
    icon: LockKeyhole,
    draft: ({ notes }) => ({ notes: toText(notes) }),
    correct: (payload, draft, faults) => withNotes(payload, draft.notes!, faults),
  },
  'fiscal.record': {
    icon: ReceiptText,
    draft: () => ({}),
    correct: (payload) => payload,
  },
  'patient.update': {
    icon: UserRound,
    draft: () => ({}),
    correct: (payload) => payload,
  },
  'operation.void': {
    icon: CircleSlash,
    draft: () => ({}),
    correct: (payload) => payload,
  },
};

function correctPayment(payload: PayloadOf['order.pay'], draft: Draft, faults: Faults): PayloadOf['order.pay'] {
  const corrected =
    draft.reference === null
      ? payload
      : withField(payload, 'reference_number', parseText(draft.reference, textLimits.reference, 'reference', faults));
  if (draft.amount === null) return corrected;
  const amountMinor = parseAmount(draft.amount, faults);
  if (payload.invoice && amountMinor > minorFromWire(payload.invoice.total_amount)) faults['amount'] = 'tooMuch';
  const tenderedMinor = draft.tendered === null ? amountMinor : (parseMinor(draft.tendered) ?? -1);
  if (tenderedMinor < amountMinor || tenderedMinor > maxMinor) faults['tendered'] = 'tendered';
  return {
    ...corrected,
    amount: minorToWire(amountMinor),
    tendered: minorToWire(tenderedMinor),
    change: minorToWire(tenderedMinor - amountMinor),
  };
}

export const kindViewOf = (kind: OperationKind): KindView<OperationKind> => kindViews[kind];

/** Returns false for a kind of a newer version of the app. */
export const isKnownKind = (kind: string): kind is OperationKind => kind in kindViews;

/** @param kind null for an item that is not about a single operation */
export function KindIcon({ kind }: { kind: OperationKind | null }) {
  const Icon = kind === null ? CircleAlert : kindViews[kind].icon;
  return <Icon size={20} aria-hidden />;
}
