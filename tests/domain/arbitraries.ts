/** Histories of one treatment as fast-check draws them: any operations, in any order, with any amounts. */
import fc from 'fast-check';
import { orderAggregate } from '#domain/order/operations.ts';
import type { InvoicePayload } from '#domain/order/order.ts';
import type { LinePayload, OrderOperation } from '#domain/order/operations.ts';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import { orderTypes, paymentMethods } from '#domain/order/vocabulary.ts';

export const orderId = '019e1ba1-0d00-7000-8000-000000000001';

const hundredths = (max: number) => fc.integer({ min: 0, max }).map((minor) => minor / 100);

export const arbitraryLine: fc.Arbitrary<LinePayload> = fc.record({
  line_id: fc.uuid(),
  stock_id: fc.integer({ min: 1, max: 50 }),
  name: fc.string({ minLength: 1, maxLength: 20 }),
  quantity: fc.integer({ min: 1, max: 5000 }).map((milli) => milli / 1000),
  unit_price: hundredths(10_000_000),
  notes: fc.string({ maxLength: 10 }),
});

/** The index of a line among those of the whole history. */
const lineIndex = fc.nat({ max: 12 });

const invoice: fc.Arbitrary<InvoicePayload> = fc.record({
  invoice_id: fc.uuid(),
  invoice_number: fc.constant('INV-A7-000001'),
  issued_at: fc.constant('2026-05-12T10:00:00.000Z'),
  currency: fc.constant('EUR'),
  subtotal: hundredths(1000),
  discount_amount: hundredths(1000),
  service_charge_amount: hundredths(1000),
  service_charge_percentage: fc.constant(0),
  total_amount: hundredths(1000),
  line_ids: fc.array(lineIndex, { maxLength: 3 }) as unknown as fc.Arbitrary<string[]>,
  language: fc.constant('en'),
  printed: fc.constant([{ style: 'title' as const, left: 'Invoice' }]),
});

const change = fc.record({
  kind: fc.constant('order.change' as const),
  payload: fc.record(
    {
      order_id: fc.constant(orderId),
      removed_line_ids: fc.array(lineIndex, { maxLength: 2 }),
      replaced_items: fc.array(fc.record({ line: arbitraryLine, replaces: lineIndex }), { maxLength: 2 }),
      room_id: fc.option(fc.integer({ min: 1, max: 5 })),
      room_number: fc.constant('2'),
      customer_name: fc.string({ maxLength: 10 }),
    },
    { requiredKeys: ['order_id'] },
  ),
});

const refund = fc.record(
  {
    order_id: fc.constant(orderId),
    refund_id: fc.uuid(),
    payment_method: fc.constantFrom(...paymentMethods),
    amount: fc.integer({ min: 1, max: 1_000_000 }).map((minor) => minor / 100),
    reason: fc.constant('goodwill'),
    credit_note_number: fc.constant('R-A7-000001'),
    credit_note: hundredths(1_000_000).map((taken) => ({
      issued_at: '2026-05-12T10:00:00.000Z',
      language: 'en',
      total_amount: 0 - taken,
      printed: [{ style: 'title' as const, left: 'Credit note' }],
    })),
  },
  { requiredKeys: ['order_id', 'refund_id', 'payment_method', 'amount', 'reason', 'credit_note_number'] },
);

/** What a refund names and takes off, in percent of its amount; null when it is still to be paid. */
const terms = fc.option(
  fc.record({
    lines: fc.uniqueArray(fc.record({ line: lineIndex, percent: fc.integer({ min: 1, max: 33 }) }), {
      maxLength: 3,
      selector: ({ line }) => line,
    }),
    percentOfRest: fc.integer({ min: 0, max: 100 }),
  }),
);

type Drawable<T> = T extends fc.Arbitrary<infer Value> ? Value : never;

function withTerms([payload, drawn]: [Drawable<typeof refund>, Drawable<typeof terms>]) {
  if (!drawn) return { ...payload, reduction: 0, still_owed: true as const };
  const minor = Math.round(payload.amount * 100);
  const lines = drawn.lines
    .map(({ line, percent }) => ({ line_id: line, amount: Math.floor((minor * percent) / 100) }))
    .filter(({ amount }) => amount > 0);
  const ofLines = lines.reduce((sum, { amount }) => sum + amount, 0);
  const reduction = ofLines + Math.floor(((minor - ofLines) * drawn.percentOfRest) / 100);
  return {
    ...payload,
    ...(lines.length > 0 && { lines: lines.map((line) => ({ ...line, amount: line.amount / 100 })) }),
    reduction: reduction / 100,
  };
}

const kinds = fc.oneof(
  change,
  fc.record({
    kind: fc.constant('order.add_services' as const),
    payload: fc.record(
      {
        order_id: fc.constant(orderId),
        items: fc.array(arbitraryLine, { minLength: 1, maxLength: 3 }),
        notes: fc.string({ maxLength: 10 }),
      },
      { requiredKeys: ['order_id', 'items'] },
    ),
  }),
  fc.record({
    kind: fc.constant('order.cancel' as const),
    payload: fc.record({ order_id: fc.constant(orderId), status: fc.constant('cancelled' as const) }),
  }),
  fc.record({
    kind: fc.constant('order.pay' as const),
    payload: fc.record(
      {
        order_id: fc.constant(orderId),
        payment_id: fc.uuid(),
        payment_method: fc.constantFrom(...paymentMethods),
        amount: hundredths(1_000_000),
        tendered: hundredths(1_000_000),
        change: hundredths(1000),
        reference_number: fc.string({ maxLength: 5 }),
        invoice,
      },
      { requiredKeys: ['order_id', 'payment_id', 'payment_method', 'amount', 'tendered', 'change'] },
    ),
  }),
  fc.record({ kind: fc.constant('order.refund' as const), payload: fc.tuple(refund, terms).map(withTerms) }),
);

const creation = fc.record({
  kind: fc.constant('order.create' as const),
  payload: fc.record({
    order_id: fc.constant(orderId),
    number: fc.constant('T-A7-000001'),
    order_type: fc.constantFrom(...orderTypes),
    customer_name: fc.string({ maxLength: 10 }),
    notes: fc.string({ maxLength: 10 }),
    items: fc.array(arbitraryLine, { minLength: 1, maxLength: 5 }),
    currency: fc.constant('EUR'),
    service_charge: hundredths(10_000),
    discount: hundredths(10_000),
    discount_reason: fc.string({ maxLength: 5 }),
    total: hundredths(1),
  }),
});

/** A creation and the operations that follow it. */
export const history: fc.Arbitrary<OrderOperation[]> = fc
  .tuple(creation, fc.array(kinds, { maxLength: 8 }))
  .map(([first, rest]) => named([first, ...rest]).map(envelope));

interface Drawn {
  kind: string;
  payload: object;
}

interface DrawnPayload {
  items?: LinePayload[];
  invoice?: { line_ids: unknown };
  removed_line_ids?: number[];
  replaced_items?: { line: LinePayload; replaces: number }[];
  lines?: { line_id: number; amount: number }[];
}

/** Gives lines that are named by an index their ids. Changes and invoices also name lines that arrive later, and unknown ones. */
function named(drawn: readonly Drawn[]): Drawn[] {
  const payloads = drawn.map(({ payload }) => payload as DrawnPayload);
  const ids = payloads.flatMap(({ items = [], replaced_items = [] }) => [
    ...items.map(({ line_id }) => line_id),
    ...replaced_items.map(({ line }) => line.line_id),
  ]);
  const idAt = (index: number) => ids[index] ?? unknownLine;
  return drawn.map(({ kind }, index) => {
    const payload = payloads[index]!;
    const { invoice: issued, removed_line_ids: removed, replaced_items: replaced, lines: refunded } = payload;
    const changed: Record<string, unknown> = {
      ...payload,
      ...(issued && { invoice: { ...issued, line_ids: (issued.line_ids as number[]).map(idAt) } }),
      ...(refunded && { lines: refunded.map((line) => ({ ...line, line_id: idAt(line.line_id) })) }),
      ...(removed && { removed_line_ids: removed.map(idAt) }),
      ...(replaced && {
        replaced_items: replaced.map(({ line, replaces }) => ({ ...line, replaces: idAt(replaces) })),
      }),
    };
    return { kind, payload: changed };
  });
}

const unknownLine = '019e1ba1-0d00-7000-8000-00000000ffff';

function envelope(operation: { kind: string; payload: unknown }, index: number): OrderOperation {
  const seq = index + 1;
  return {
    op_id: `op-${seq}`,
    device_id: 3,
    device_seq: seq,
    aggregate: orderAggregate(orderId),
    depends_on: [],
    v: 1,
    actor_id: 7,
    occurred_at: new Date(Date.UTC(2026, 4, 12, 10, 0, seq)).toISOString(),
    clock_offset_ms: null,
    ...operation,
  } as AnyOperation as OrderOperation;
}
