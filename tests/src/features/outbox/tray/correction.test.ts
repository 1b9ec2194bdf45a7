import { describe, expect, test } from 'vitest';
import type { LinePayload } from '#domain/order/operations.ts';
import { payloadSchemas } from '#domain/protocol/operation-schemas.ts';
import type { AnyOperation, Operation, OperationKind, PayloadOf } from '#domain/protocol/operations.ts';
import { draftTotalMinor } from '#src/features/outbox/tray/correction-fields.ts';
import type { Draft } from '#src/features/outbox/tray/correction-fields.ts';
import { boundsOf, correct, draftOf, isEmpty } from '#src/features/outbox/tray/correction.ts';
import type { Bounds } from '#src/features/outbox/tray/correction.ts';

const id = (n: number): string => `01a1fb81-0000-7000-8000-${String(n).padStart(12, '0')}`;
const line = (over: Partial<LinePayload> = {}): LinePayload => ({
  line_id: id(1),
  stock_id: 1,
  name: 'Cleaning',
  quantity: 1,
  unit_price: 60,
  ...over,
});

const operation = <K extends OperationKind>(kind: K, payload: PayloadOf[K]): AnyOperation & { kind: K } =>
  ({
    op_id: id(9),
    device_id: 3,
    device_seq: 1,
    aggregate: `order:${id(5)}`,
    depends_on: [],
    kind,
    v: 1,
    payload,
    actor_id: 7,
    occurred_at: '2026-05-12T10:00:00.000Z',
    clock_offset_ms: 0,
  }) as unknown as AnyOperation & { kind: K };

const create = (over: Partial<PayloadOf['order.create']> = {}) =>
  operation('order.create', {
    order_id: id(5),
    number: 'T-A7-000001',
    order_type: 'walk_in',
    items: [line()],
    currency: 'EUR',
    service_charge: 0,
    discount: 0,
    total: 60,
    ...over,
  });
const pay = (over: Partial<PayloadOf['order.pay']> = {}) =>
  operation('order.pay', {
    order_id: id(5),
    payment_id: id(6),
    payment_method: 'card',
    amount: 60,
    tendered: 60,
    change: 0,
    ...over,
  });
const invoiceOf = (subtotal: number, lineIds = [id(1)]): PayloadOf['order.pay']['invoice'] => ({
  invoice_id: id(7),
  invoice_number: 'INV-A7-000001',
  issued_at: '2026-05-12T10:00:00.000Z',
  currency: 'EUR',
  subtotal,
  discount_amount: 0,
  service_charge_amount: 0,
  service_charge_percentage: 0,
  total_amount: subtotal,
  line_ids: lineIds,
  language: 'en',
  printed: [],
});

const free: Bounds = { fixedMinor: null };
const entry = (of: AnyOperation) => ({ operation: of, state: {} }) as unknown as Parameters<typeof boundsOf>[1][number];
const payloadOf = (of: AnyOperation, changes: Partial<Draft>, bounds = free, named: string[] = []) => {
  const corrected = correct(of, { ...draftOf(of, named), ...changes }, bounds);
  if (!corrected.ok) throw new Error(JSON.stringify(corrected.faults));
  expect(payloadSchemas[of.kind].safeParse(corrected.payload).error).toBeUndefined();
  return corrected.payload;
};
const faultsOf = (of: AnyOperation, changes: Partial<Draft>, bounds = free, named: string[] = []) => {
  const corrected = correct(of, { ...draftOf(of, named), ...changes }, bounds);
  return corrected.ok ? {} : corrected.faults;
};
const lines = (of: AnyOperation, ...changes: Partial<NonNullable<Draft['lines']>[number]>[]) =>
  draftOf(of, []).lines!.map((each, index) => ({ ...each, ...changes[index] }));

describe('SYNC-7 correction of a refused operation', () => {
  test('computes the total from quantities, prices, discount and charge', () => {
    const of = create({
      items: [line(), line({ line_id: id(2), unit_price: 10 })],
      discount: 5,
      service_charge: 1,
      total: 66,
    });
    expect(payloadOf(of, { lines: lines(of, { quantity: '2,5', price: '20.10' }) })).toMatchObject({
      items: [
        { quantity: 2.5, unit_price: 20.1 },
        { quantity: 1, unit_price: 10 },
      ],
      total: 56.25,
    });
    expect(draftTotalMinor(lines(of, { quantity: '2,5', price: '20.10' }))).toBe(6025);
    expect(draftTotalMinor(lines(of, { quantity: 'two' }))).toBeNull();
  });

  test('caps the discount at the sum of the lines', () => {
    const of = create({ discount: 30, total: 30 });
    expect(payloadOf(of, { lines: lines(of, { price: '20' }) })).toMatchObject({ discount: 20, total: 0 });
    expect(payloadOf(of, { lines: lines(of, { price: '80' }) })).toMatchObject({ discount: 30, total: 50 });
  });

  test('keeps the sum that was paid', () => {
    const of = create({ items: [line({ quantity: 0 })] });
    const bounds = boundsOf(of, [entry(pay({ invoice: invoiceOf(60) }))]);
    expect(bounds).toEqual({ fixedMinor: 6000 });
    expect(faultsOf(of, { lines: lines(of, { quantity: '2' }) }, bounds)).toEqual({ total: 'total' });
    expect(payloadOf(of, { lines: lines(of, { quantity: '2', price: '30' }) }, bounds)).toMatchObject({ total: 60 });
    expect(boundsOf(of, [])).toEqual(free);
    expect(boundsOf(create(), [entry(pay())])).toEqual({ fixedMinor: 6000 });
  });

  test('reports a fault for every value that the server would refuse', () => {
    const of = create();
    for (const quantity of ['0', '-1', '1.2345', '', 'x', '1e3', '99999999']) {
      expect(faultsOf(of, { lines: lines(of, { quantity }) })).toEqual({ [`quantity.${id(1)}`]: 'quantity' });
    }
    for (const price of ['-1', '1.2345', '', '1e3'])
      expect(faultsOf(of, { lines: lines(of, { price }) })).toEqual({ [`price.${id(1)}`]: 'price' });
    expect(faultsOf(of, { customerName: 'x'.repeat(201) })).toEqual({ customerName: 'tooLong' });
    expect(payloadOf(of, { customerName: '  Ana ', notes: '' })).toMatchObject({ customer_name: 'Ana' });
    expect(payloadOf(create({ customer_name: 'x' }), { customerName: '' })).not.toHaveProperty('customer_name');
  });

  test('edits the amounts of a payment only when the server refused them', () => {
    expect(draftOf(pay(), ['reference_number'])).toMatchObject({ amount: null, tendered: null, reference: '' });
    expect(draftOf(pay({ payment_method: 'cash' }), ['invoice.printed'])).toSatisfy(isEmpty);
    expect(payloadOf(pay(), { reference: ' 4711 ' })).toMatchObject({ amount: 60, reference_number: '4711' });
    const broken = pay({ payment_method: 'cash', amount: 60.005, tendered: 100, change: 40, invoice: invoiceOf(60) });
    expect(payloadOf(broken, { amount: '60', tendered: '100' }, free, ['amount'])).toMatchObject({
      amount: 60,
      tendered: 100,
      change: 40,
    });
    expect(faultsOf(broken, { amount: '60.01' }, free, ['amount'])).toMatchObject({ amount: 'tooMuch' });
    expect(faultsOf(broken, { amount: '60', tendered: '50' }, free, ['amount'])).toEqual({ tendered: 'tendered' });
    expect(faultsOf(broken, { amount: '0' }, free, ['amount'])).toEqual({ amount: 'amount' });
  });

  test('corrects stock adjustments, cancels, refunds and drawers, but no void', () => {
    const adjust = operation('stock.adjust', { stock_id: 1, action: 'add', amount: -5 });
    expect(payloadOf(adjust, { amount: '0,125', notes: 'Found' })).toEqual({
      stock_id: 1,
      action: 'add',
      amount: 0.125,
      notes: 'Found',
    });
    expect(faultsOf(adjust, { amount: '0' })).toEqual({ amount: 'quantity' });
    const cancel = operation('order.cancel', { order_id: id(5), status: 'cancelled', notes: 'x' });
    expect(payloadOf(cancel, { notes: 'Did not come' })).toMatchObject({ status: 'cancelled', notes: 'Did not come' });
    const refund = operation('order.refund', {
      order_id: id(5),
      refund_id: id(8),
      payment_method: 'cash',
      amount: 5,
      reason: '',
      reduction: 5,
      credit_note_number: 'R-A7-000001',
    });
    expect(faultsOf(refund, { reason: 'no' })).toEqual({ reason: 'reason' });
    expect(payloadOf(refund, { reason: 'Complaint' })).toMatchObject({ reason: 'Complaint', amount: 5 });
    const open = operation('drawer.open', { drawer_id: id(7), currency: 'EUR', float: -1 });
    expect(payloadOf(open, { amount: '0' }, free, ['float'])).toEqual({ drawer_id: id(7), currency: 'EUR', float: 0 });
    expect(draftOf(open, [])).toSatisfy(isEmpty);
    const move = operation('drawer.move', { drawer_id: id(7), direction: 'out', amount: 0, reason: 'x' });
    expect(faultsOf(move, { amount: '0', reason: 'no' }, free, ['amount'])).toEqual({
      amount: 'amount',
      reason: 'reason',
    });
    expect(payloadOf(move, { amount: '5', reason: 'Stamps' }, free, ['amount'])).toMatchObject({
      direction: 'out',
      amount: 5,
      reason: 'Stamps',
    });
    const close = operation('drawer.close', {
      drawer_id: id(7),
      counted: { cash: 1, card: 0, insurance: 0, others: 0 },
    });
    expect(payloadOf(close, { notes: 'recounted' })).toMatchObject({ counted: { cash: 1 }, notes: 'recounted' });
    expect(isEmpty(draftOf(operation('operation.void', { op_id: id(1), reason: 'abc' }), []))).toBe(true);
  });

  test('keeps the fields that are not edited', () => {
    const of = create({ items: [line({ notes: 'Molar' })] }) as Operation<'order.create'> & { kind: 'order.create' };
    expect(payloadOf(of, {})).toEqual(of.payload);
  });
});
