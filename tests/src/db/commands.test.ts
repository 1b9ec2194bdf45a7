import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addServices, cancelTreatment, createTreatment } from '#src/db/commands/treatments.ts';
import { takePayment } from '#src/db/commands/payments.ts';
import { adjustStock } from '#src/db/commands/stock.ts';
import { incrementPrintCount } from '#src/db/commands/documents.ts';
import { outboxEntries } from '#src/db/queries/outbox.ts';
import { orderById, documentsOf } from '#src/db/queries/orders.ts';
import { payloadSchemas, envelopeSchema } from '#domain/protocol/operation-schemas.ts';
import { openTablet, refusalOf, sell, valueOf } from './tablet.ts';
import type { OfflineTablet } from './tablet.ts';

let tablet: OfflineTablet;
beforeEach(async () => {
  tablet = await openTablet();
});
afterEach(() => tablet.close());

const walkIn = (itemKey: string, quantity = 1) => ({
  orderType: 'walk_in' as const,
  services: [{ itemKey, quantity }],
});
const operations = async () => (await outboxEntries(tablet.db, { limit: 100 })).map(({ operation }) => operation);

describe('createTreatment', () => {
  test('SYNC-1 writes the row, the operation and its state together', async () => {
    const { orderId, number } = valueOf(await createTreatment(tablet, { ...walkIn('s1', 2), customerName: ' Eva ' }));
    expect(number).toBe('T-A7-000001');
    expect(await orderById(tablet.db, orderId)).toMatchObject({
      status: 'confirmed',
      totalMinor: 2000,
      customerName: 'Eva',
      unsent: 1,
    });
    const [entry] = await outboxEntries(tablet.db, { limit: 10 });
    expect(entry!.state).toMatchObject({ status: 'pending', device_seq: 1, position: 1, attempts: 0 });
    expect(entry!.operation).toMatchObject({
      kind: 'order.create',
      device_id: 3,
      actor_id: 7,
      depends_on: [],
      clock_offset_ms: null,
    });
    expect(await tablet.db.order_bases.get(orderId)).toEqual({ id: orderId, order: null });
  });

  test('SYNC-2 stores the current prices with the treatment', async () => {
    const { orderId } = valueOf(await createTreatment(tablet, walkIn('s1')));
    await tablet.db.catalogue.update('s1', { price_minor: 99_00 });
    expect((await orderById(tablet.db, orderId))!.totalMinor).toBe(1000);
    expect((await operations())[0]!.payload).toMatchObject({ total: 10, items: [{ unit_price: 10 }] });
  });

  test.each([
    ['ORDER_EMPTY', { orderType: 'walk_in' as const, services: [] }],
    ['ITEM_UNKNOWN', walkIn('s99')],
    ['ITEM_UNAVAILABLE', walkIn('s3')],
    ['QUANTITY_INVALID', walkIn('s1', 0)],
    [
      'VALIDATION',
      { orderType: 'walk_in' as const, services: Array.from({ length: 201 }, () => ({ itemKey: 's1', quantity: 1 })) },
    ],
  ])('refuses with %s and writes nothing', async (code, treatment) => {
    expect(refusalOf(await createTreatment(tablet, treatment))).toBe(code);
    expect(await operations()).toEqual([]);
    expect((await tablet.db.device.get('this'))!).toMatchObject({ next_seq: 1, counters: { treatment: 0 } });
  });

  test('SYNC-12 refuses on a device that is not enrolled', async () => {
    await tablet.db.device.clear();
    expect(refusalOf(await createTreatment(tablet, walkIn('s1')))).toBe('DEVICE_NOT_ENROLLED');
  });
});

describe('takePayment', () => {
  test('SYNC-12 issues the invoice when the payment clears the balance, and depends on the creation', async () => {
    const { orderId } = valueOf(await createTreatment(tablet, walkIn('s1')));
    const outcome = valueOf(await takePayment(tablet, { orderId, method: 'cash', tenderedMinor: 2000 }));
    expect(outcome).toMatchObject({ amountMinor: 1000, changeMinor: 1000, balanceMinor: 0, completed: true });
    expect(outcome.document).toMatchObject({ kind: 'invoice', number: 'INV-A7-000001' });
    const [create, pay] = await operations();
    expect(pay!.depends_on).toEqual([create!.op_id]);
    expect(await documentsOf(tablet.db, orderId)).toEqual([outcome.document]);
    expect(pay!.payload).toMatchObject({ invoice: { printed: outcome.document.printed } });
    expect((await orderById(tablet.db, orderId))!.invoices).toHaveLength(1);
  });

  test('SYNC-12 prints an unnumbered receipt for a partial payment, and an invoice for everything with the last one', async () => {
    const { orderId } = valueOf(await createTreatment(tablet, walkIn('s2')));
    const part = valueOf(await takePayment(tablet, { orderId, method: 'card', tenderedMinor: 500, reference: 'A-1' }));
    expect(part).toMatchObject({ completed: false, balanceMinor: 1500 });
    expect(part.document).toMatchObject({ kind: 'receipt', number: null, invoice: null });
    const rest = valueOf(await takePayment(tablet, { orderId, method: 'cash', tenderedMinor: 1500 }));
    expect(rest.document.invoice).toMatchObject({ subtotal: 20, total_amount: 20 });
    const printed = rest.document.printed.map(({ left, right }) => [left, right]);
    expect(printed).toContainEqual(['Card', 'EUR 5,00']);
    expect(printed).toContainEqual(['Cash', 'EUR 15,00']);
  });

  test('SYNC-11 issues a separate invoice for services added to a paid treatment', async () => {
    const first = await sell(tablet, walkIn('s1'));
    valueOf(await addServices(tablet, { orderId: first.orderId, services: [{ itemKey: 's2', quantity: 1 }] }));
    expect(await orderById(tablet.db, first.orderId)).toMatchObject({ status: 'confirmed', balanceMinor: 2000 });
    const second = valueOf(await takePayment(tablet, { orderId: first.orderId, method: 'cash', tenderedMinor: 2000 }));
    expect(second.document).toMatchObject({ number: 'INV-A7-000002', invoice: { subtotal: 20, total_amount: 20 } });
    const amounts = second.document.printed.map(({ right }) => right);
    expect(amounts).not.toContain('EUR 10,00');
  });

  test('SYNC-12 puts discount and charge on the first invoice only', async () => {
    const { orderId } = valueOf(await createTreatment(tablet, walkIn('s2')));
    const row = (await orderById(tablet.db, orderId))!;
    await tablet.db.orders.put({ ...row, discountMinor: 300, agreedDiscountMinor: 300, chargeMinor: 100 });
    const first = valueOf(await takePayment(tablet, { orderId, method: 'cash', tenderedMinor: 1800 }));
    expect(first.document.invoice).toMatchObject({
      subtotal: 20,
      discount_amount: 3,
      service_charge_amount: 1,
      service_charge_percentage: 5,
      total_amount: 18,
    });
    valueOf(await addServices(tablet, { orderId, services: [{ itemKey: 's1', quantity: 1 }] }));
    const second = valueOf(await takePayment(tablet, { orderId, method: 'cash', tenderedMinor: 1000 }));
    expect(second.document.invoice).toMatchObject({
      subtotal: 10,
      discount_amount: 0,
      service_charge_amount: 0,
      total_amount: 10,
    });
  });

  test('SYNC-9 leaves the server’s base row unchanged', async () => {
    const { orderId } = valueOf(await createTreatment(tablet, walkIn('s1')));
    valueOf(await takePayment(tablet, { orderId, method: 'cash', tenderedMinor: 100 }));
    expect(await tablet.db.order_bases.get(orderId)).toEqual({ id: orderId, order: null });
  });

  test.each([
    ['AMOUNT_EXCEEDS_BALANCE', { method: 'card' as const, tenderedMinor: 1001 }],
    ['AMOUNT_INVALID', { method: 'cash' as const, tenderedMinor: 0 }],
    ['AMOUNT_INVALID', { method: 'cash' as const, tenderedMinor: 0.5 }],
  ])('refuses with %s', async (code, tender) => {
    const { orderId } = valueOf(await createTreatment(tablet, walkIn('s1')));
    expect(refusalOf(await takePayment(tablet, { orderId, ...tender }))).toBe(code);
    expect(await documentsOf(tablet.db, orderId)).toEqual([]);
  });

  test('refuses an unknown treatment', async () => {
    expect(refusalOf(await takePayment(tablet, { orderId: 'x', method: 'cash', tenderedMinor: 1 }))).toBe(
      'ORDER_NOT_FOUND',
    );
  });
});

test('cancelTreatment cancels unpaid treatments only', async () => {
  const open = valueOf(await createTreatment(tablet, walkIn('s1')));
  expect(valueOf(await cancelTreatment(tablet, { orderId: open.orderId, notes: 'left' })).number).toBe(open.number);
  expect((await orderById(tablet.db, open.orderId))!.status).toBe('cancelled');
  const paid = await sell(tablet, walkIn('s1'));
  expect(refusalOf(await cancelTreatment(tablet, { orderId: paid.orderId }))).toBe('ORDER_HAS_PAYMENTS');
});

test('SYNC-10 a stock adjustment changes the shown quantity and keeps the server’s', async () => {
  valueOf(await adjustStock(tablet, { stockId: 1, action: 'subtract', amount: 12.5 }));
  expect(await tablet.db.catalogue.get('s1')).toMatchObject({ base_quantity_milli: 10_000, quantity_milli: -2500 });
  valueOf(await adjustStock(tablet, { stockId: 1, action: 'set', amount: 0 }));
  expect(refusalOf(await adjustStock(tablet, { stockId: 1, action: 'add', amount: 0 }))).toBe('AMOUNT_INVALID');
  expect(refusalOf(await adjustStock(tablet, { stockId: 1, action: 'add', amount: Number.NaN }))).toBe(
    'AMOUNT_INVALID',
  );
  expect((await operations()).map(({ depends_on }) => depends_on)).toEqual([[], []]);
});

test('incrementPrintCount returns the count of prints', async () => {
  const { document } = await sell(tablet, walkIn('s1'));
  expect(await incrementPrintCount(tablet.db, document.id)).toBe(1);
  expect(await incrementPrintCount(tablet.db, document.id)).toBe(2);
});

test('SYNC-2 every operation passes the schemas by which the server judges it', async () => {
  const { orderId } = valueOf(
    await createTreatment(tablet, { ...walkIn('s1', 2), customerName: `${'x'.repeat(199)}😀`, notes: 'a\0b\ud800c' }),
  );
  valueOf(
    await addServices(tablet, { orderId, services: [{ itemKey: 's2', quantity: 1, notes: 'n' }], notes: 'later' }),
  );
  valueOf(await takePayment(tablet, { orderId, method: 'card', tenderedMinor: 1000, reference: 'r'.repeat(300) }));
  valueOf(await takePayment(tablet, { orderId, method: 'cash', tenderedMinor: 5000 }));
  const cancelled = valueOf(await createTreatment(tablet, walkIn('s1')));
  valueOf(await cancelTreatment(tablet, { orderId: cancelled.orderId }));
  valueOf(await adjustStock(tablet, { stockId: 1, action: 'add', amount: 0.125, notes: 'box' }));
  const queued = await operations();
  expect(new Set(queued.map(({ kind }) => kind)).size).toBe(5);
  for (const operation of queued) {
    const onTheWire: unknown = JSON.parse(JSON.stringify(operation));
    expect(envelopeSchema.safeParse(onTheWire).error).toBeUndefined();
    expect(payloadSchemas[operation.kind].safeParse(operation.payload).error).toBeUndefined();
  }
});
