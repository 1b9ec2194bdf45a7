import type { ErrorCode } from './protocol/errors.ts';
import type { OperationKind } from './protocol/operations.ts';

/**
 * How many items of a kind can be open at once, so that a flood hides nothing but more of the same.
 *
 * Of odd facts the number holds per device: operations that are recorded as they came, and that a manager looks at
 * because they contradict the catalogue, their own sums, or what their device said before. A device's clock, sequence
 * and numbers are each one matter, however many sales they touch. Of operations without proof it holds for the clinic,
 * because the device that they name may be a lie. Of refused operations it holds per person and device, and one more item
 * (`refused_more`) counts those that have no item of their own; the tray of their device still has each. Refused payments and
 * refunds do not count here: `mostRefusedMoney`.
 */
export const mostOpen = {
  price_differs: 100,
  tax_differs: 100,
  sum_differs: 100,
  number_foreign: 100,
  currency_differs: 100,
  change_high: 100,
  cash_limit: 100,
  simplified_too_large: 100,
  backdated: 100,
  lot_expired: 100,
  clock_wrong: 1,
  number_jump: 1,
  sequence_jump: 1,
  chain_broken: 10,
  document_annulled: 100,
  record_differs: 20,
  record_without_document: 20,
  document_without_record: 20,
  unproven: 50,
  refused: 200,
} as const satisfies Record<string, number>;

/**
 * How many items of refused payments and refunds that are open may be of the last 24 hours, per person and device. No counter
 * takes so many payments in a day, so only forged money is counted in `refused_more`, which then names its amounts.
 */
export const mostRefusedMoney = 500;

/** The kinds of operations that take money or give it back. */
export const moneyKinds = ['order.pay', 'order.refund'] as const satisfies OperationKind[];
export type MoneyKind = (typeof moneyKinds)[number];
export const isMoneyKind = (kind: string | null): kind is MoneyKind =>
  (moneyKinds as readonly unknown[]).includes(kind);

export type BoundedKind = keyof typeof mostOpen;

export const isBounded = (kind: string): kind is BoundedKind => kind in mostOpen;

/**
 * The kinds about one person's work that a manager checks with that person. None of them asks for a document or for money, so one
 * reason can settle many.
 */
const settledTogether: readonly string[] = [
  'late_work',
  'discount_over_limit',
  'price_differs',
  'tax_differs',
  'sum_differs',
  'currency_differs',
  'change_high',
  'backdated',
  'lot_expired',
];

export const isSettledTogether = (kind: string): boolean => settledTogether.includes(kind);

/** The refusals of work that a manager can let count all the same. */
const approvable: readonly unknown[] = ['DEVICE_REVOKED', 'KEY_ENDED'] satisfies ErrorCode[];

/** Returns whether a manager can approve the work that an attention item is about. */
export const isApprovable = ({ kind, details }: { kind: string; details: Record<string, unknown> }): boolean =>
  kind === 'refused' && approvable.includes(details['code']);

/** Why records wait, besides what the agency itself says. */
const unsentReasons = ['NO_ANSWER', 'NO_CERTIFICATE'] as const;
export type UnsentReason = (typeof unsentReasons)[number];
export const isUnsentReason = (reason: unknown): reason is UnsentReason =>
  (unsentReasons as readonly unknown[]).includes(reason);

/** The kinds about fiscal records, whose page says more. */
export const fiscalConcerns: readonly string[] = [
  'chain_broken',
  'document_annulled',
  'record_differs',
  'record_without_document',
  'document_without_record',
  'record_rejected',
  'record_with_errors',
  'records_unsent',
  'certificate_expires',
  'documents_lost',
  'not_invoiced',
  'verifactu_due',
];

/** What the tax agency says of fiscal records, or why it hears of none; of the last five a clinic has one open item each. */
export type SendingConcern =
  | 'record_rejected'
  | 'record_with_errors'
  | 'records_unsent'
  | 'certificate_expires'
  | 'documents_lost'
  | 'not_invoiced'
  | 'verifactu_due';
