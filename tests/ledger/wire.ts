/** The operations as they are on the wire, as far as they move money. Money is a decimal with two places. */

export type Tax = { exempt: string } | { rate: number };
export type TaxTotal = Tax & { base: number; tax: number; gross: number };

export type Method = 'cash' | 'card' | 'insurance' | 'others';
export const methods: readonly Method[] = ['cash', 'card', 'insurance', 'others'];

export interface PrintedRow {
  style: string;
  left?: string | undefined;
  right?: string | undefined;
}

export interface WireLine {
  line_id: string;
  stock_id?: number;
  product_id?: number;
  name: string;
  quantity: number;
  unit_price: number;
  tax?: Tax;
}

export interface WireDocument {
  issued_at: string;
  total_amount: number;
  printed: PrintedRow[];
  document_type?: string;
  tax_totals?: TaxTotal[];
}

export interface WireInvoice extends WireDocument {
  invoice_id: string;
  invoice_number: string;
  subtotal: number;
  discount_amount: number;
  service_charge_amount: number;
  line_ids: string[];
  replaces?: { number: string };
}

interface Payloads {
  'order.create': {
    order_id: string;
    number: string;
    order_type: string;
    customer_name?: string;
    items: WireLine[];
    currency: string;
    discount: number;
    service_charge: number;
    total: number;
  };
  'order.add_services': { order_id: string; items: WireLine[] };
  'order.change': {
    order_id: string;
    removed_line_ids?: string[];
    replaced_items?: (WireLine & { replaces: string })[];
  };
  'order.cancel': { order_id: string; credit_note_number?: string; credit_note?: WireDocument };
  'order.pay': {
    order_id: string;
    payment_id: string;
    payment_method: Method;
    amount: number;
    tendered: number;
    change: number;
    invoice?: WireInvoice;
  };
  'order.refund': {
    order_id: string;
    refund_id: string;
    payment_method: Method;
    amount: number;
    credit_note_number: string;
    lines?: { line_id: string; amount: number }[];
    allowances?: { line_id: string; amount: number }[];
    reduction: number;
    still_owed?: boolean;
    credit_note?: WireDocument;
  };
  'order.invoice': { order_id: string; invoice: WireInvoice };
  'drawer.open': { drawer_id: string; float: number; currency: string };
  'drawer.move': { drawer_id: string; direction: 'in' | 'out'; amount: number };
  'drawer.close': { drawer_id: string; counted: Record<Method, number> };
}

export type Kind = keyof Payloads;
export type PayloadOf<K extends Kind> = Payloads[K];

/** An operation that the server has accepted, and the time at which it took effect. */
export type Entry = {
  [K in Kind]: {
    opId: string;
    kind: K;
    payload: Payloads[K];
    deviceId: number;
    /** The place among the operations of its device; 0 for a call over REST. */
    deviceSeq: number;
    actorId: number;
    atMs: number;
  };
}[Kind];

export type EntryOf<K extends Kind> = Extract<Entry, { kind: K }>;

const kinds: Record<Kind, true> = {
  'order.create': true,
  'order.add_services': true,
  'order.change': true,
  'order.cancel': true,
  'order.pay': true,
  'order.refund': true,
  'order.invoice': true,
  'drawer.open': true,
  'drawer.move': true,
  'drawer.close': true,
};

/** Returns whether operations of this kind move money or decide who owes it. */
export const isOfMoney = (kind: string): kind is Kind => kind in kinds;

/** An accepted operation as the database stores it. */
export interface StoredOperation {
  op_id: string;
  kind: string;
  payload: unknown;
  device_id: number;
  device_seq: number;
  actor_id: number;
  effective_ms: number;
}

/** Reads a clinic's accepted operations, in the order of their arrival. Its parameter is the clinic's id. */
export const storedOperations = `
  select op_id, kind, payload, device_id, device_seq::float8, actor_id,
    (extract(epoch from effective_at) * 1000)::float8 as effective_ms
  from sync_ops where clinic_id = $1 and status = 'applied' and kind ~ '^(order|drawer)[.]' order by xid, received_at, device_seq`;

/** Returns the entries of operations that move money. */
export const entriesOf = (rows: readonly StoredOperation[]): Entry[] =>
  rows.flatMap(({ op_id: opId, kind, payload, ...row }) =>
    isOfMoney(kind)
      ? [
          {
            opId,
            kind,
            payload,
            deviceId: row.device_id,
            deviceSeq: row.device_seq,
            actorId: row.actor_id,
            atMs: row.effective_ms,
          } as Entry,
        ]
      : [],
  );

/** Returns the entries of a kind. */
export const ofKind = <K extends Kind>(entries: readonly Entry[], kind: K): EntryOf<K>[] =>
  entries.filter((entry): entry is EntryOf<K> => entry.kind === kind);
