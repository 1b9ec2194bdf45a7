/**
 * The operations that a device queues and the server applies (SYNC-1, SYNC-2), in wire form: money is a decimal number
 * with two places, a quantity a decimal with up to three, an instant an ISO 8601 string in UTC.
 *
 * A payload is the body of the REST call that the operation stands for. Fields marked "fact" are what was agreed at the
 * counter: a payload that carries them is recorded as it stands; a REST body without them is a request that the server
 * completes and may refuse.
 */
import type { OrderType, PaymentMethod } from '../order/vocabulary.ts';

export const operationKinds = [
  'order.create',
  'order.add_services',
  'order.cancel',
  'order.pay',
  'order.refund',
  'stock.adjust',
  'drawer.open',
  'drawer.move',
  'drawer.close',
  'operation.void',
] as const;
export type OperationKind = (typeof operationKinds)[number];

/** The newest version of each kind's payload that this build writes. The server keeps a handler for each one in the field. */
export const operationVersion = 1;

/** One line of a treatment as agreed: exactly one of `stock_id` and `product_id`. */
export interface LinePayload {
  line_id: string;
  stock_id?: number | undefined;
  product_id?: number | undefined;
  name: string;
  quantity: number;
  unit_price: number;
  notes?: string | undefined;
}

/** Who a treatment is for, as the device knows them. */
export interface PatientPayload {
  patient_id: string;
  name: string;
  /** Empty: there is none. Absent: nothing is said of it. */
  phone?: string | undefined;
  /** It only repeats what the device had been told before, and so changes nothing that the server knows of the patient. */
  known?: boolean | undefined;
}

export interface CreatePayload {
  order_id: string;
  number: string;
  order_type: OrderType;
  customer_name?: string | undefined;
  patient?: PatientPayload | undefined;
  /** Where it happens, and what the room was called then. */
  room_id?: number | undefined;
  room_number?: string | undefined;
  notes?: string | undefined;
  items: LinePayload[];
  currency: string;
  service_charge: number;
  /** As agreed, whatever is added later: see `order/discount.ts`. */
  discount: number;
  discount_reason?: string | undefined;
  total: number;
}

export interface AddServicesPayload {
  order_id: string;
  items: LinePayload[];
  notes?: string | undefined;
}

export interface CancelPayload {
  order_id: string;
  status: 'cancelled';
  notes?: string | undefined;
}

/** What one payment did: `amount` is what counts towards the treatment, `tendered` what was handed over, `change` what went back. */
export interface PayPayload {
  order_id: string;
  payment_id: string;
  payment_method: PaymentMethod;
  amount: number;
  tendered: number;
  change: number;
  reference_number?: string | undefined;
  /** Issued when this payment clears the balance; absent on a partial payment. */
  invoice?: InvoicePayload | undefined;
}

export interface RefundPayload {
  order_id: string;
  refund_id: string;
  payment_method: PaymentMethod;
  amount: number;
  reason: string;
  /** From the device's credit note series. */
  credit_note_number: string;
  /** The services that it is about; absent where it is about none in particular. */
  line_ids?: string[] | undefined;
  credit_note?: CreditNotePayload | undefined;
}

/** A credit note as issued. It never changes, like an invoice. */
export interface CreditNotePayload {
  issued_at: string;
  language: string;
  printed: PrintedRow[];
}

export interface AdjustStockPayload {
  stock_id: number;
  action: 'add' | 'subtract' | 'set';
  amount: number;
  notes?: string | undefined;
}

/** A cash drawer is opened with a float. */
export interface OpenDrawerPayload {
  drawer_id: string;
  float: number;
}

/** Money that no payment accounts for is put into a drawer or taken out of it. */
export interface MoveMoneyPayload {
  drawer_id: string;
  direction: 'in' | 'out';
  amount: number;
  /** At least 3 characters. */
  reason: string;
}

/** A drawer is closed with what was counted. */
export interface CloseDrawerPayload {
  drawer_id: string;
  counted: Record<PaymentMethod, number>;
  notes?: string | undefined;
}

/**
 * A manager gives up an operation that the server refused, or that waits behind one: it will never take effect (SYNC-7).
 * Its `aggregate` is that of the voided operation. `supersedes` names the voided operation too, or an earlier void of it that
 * was refused.
 */
export interface VoidPayload {
  /** The operation that is given up. */
  op_id: string;
  /** Why, in the manager's words: at least 3 characters. */
  reason: string;
  /** What it was, for the record of an operation that never reached the server. */
  voided?:
    | { kind: Exclude<OperationKind, 'operation.void'>; number?: string | undefined; amount?: number | undefined }
    | undefined;
}

export interface PayloadOf {
  'order.create': CreatePayload;
  'order.add_services': AddServicesPayload;
  'order.cancel': CancelPayload;
  'order.pay': PayPayload;
  'order.refund': RefundPayload;
  'stock.adjust': AdjustStockPayload;
  'drawer.open': OpenDrawerPayload;
  'drawer.move': MoveMoneyPayload;
  'drawer.close': CloseDrawerPayload;
  'operation.void': VoidPayload;
}

/** One printed row of an invoice, in the order of the paper. `right` is set against the right edge. */
export interface PrintedRow {
  style: 'title' | 'text' | 'small' | 'pair' | 'item' | 'total' | 'rule';
  left?: string | undefined;
  right?: string | undefined;
}

/** An invoice as issued. It never changes: `printed` is the very text of the paper, whatever a later version would print. */
export interface InvoicePayload {
  invoice_id: string;
  invoice_number: string;
  issued_at: string;
  currency: string;
  subtotal: number;
  discount_amount: number;
  service_charge_amount: number;
  service_charge_percentage: number;
  total_amount: number;
  /** The lines that this invoice bills: those no earlier invoice of the treatment had. */
  line_ids: string[];
  notes?: string | undefined;
  language: string;
  printed: PrintedRow[];
}

/** The immutable envelope of an operation. `device_seq` orders a device's operations; time never does. */
export interface Operation<K extends OperationKind = OperationKind> {
  op_id: string;
  device_id: number;
  device_seq: number;
  /** `order:<uuid>`, `stock:<id>` or `drawer:<uuid>`: order holds within an aggregate and its dependants, never across (SYNC-5). */
  aggregate: string;
  depends_on: string[];
  /** The refused operation that this one replaces (SYNC-7). */
  supersedes?: string | undefined;
  kind: K;
  v: number;
  payload: PayloadOf[K];
  actor_id: number;
  occurred_at: string;
  /** Server clock minus device clock in milliseconds as last measured; null when never measured (SYNC-14). */
  clock_offset_ms: number | null;
}

/** An operation whose payload type follows from its `kind`. */
export type AnyOperation = { [K in OperationKind]: Operation<K> & { kind: K } }[OperationKind];

/** The shortest reason that a void, a refund, a large discount or a settling takes. */
export const minReasonLength = 3;

export const orderAggregate = (orderId: string): string => `order:${orderId}`;
export const stockAggregate = (stockId: number): string => `stock:${stockId}`;
export const drawerAggregate = (drawerId: string): string => `drawer:${drawerId}`;
