import { Dexie } from 'dexie';
import type { Table } from 'dexie';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { refundOfLines } from '#domain/order/decisions.ts';
import { invoiceTreatment } from '#src/db/commands/invoices.ts';
import { refundTreatment } from '#src/db/commands/refunds.ts';
import { addServices, createTreatment } from '#src/db/commands/treatments.ts';
import { takePayment } from '#src/db/commands/payments.ts';
import { orderOf, orderRow } from '#src/db/rows.ts';
import { outboxEntries } from '#src/db/queries/outbox.ts';
import { documentsOf, findOrders, orderById } from '#src/db/queries/orders.ts';
import { remoteAttention } from '#src/db/queries/attention.ts';
import { rebaseOrders } from '#src/db/rebase.ts';
import { envelopeSchema, payloadSchemas } from '#domain/protocol/operation-schemas.ts';
import { openTablet, refusalOf, sell, valueOf } from './tablet.ts';
import type { OfflineTablet } from './tablet.ts';

let tablet: OfflineTablet;
beforeEach(async () => {
  tablet = await openTablet();
});
afterEach(() => {
  vi.restoreAllMocks();
  tablet.close();
});

const walkIn = (itemKey: string, quantity = 1) => ({
  orderType: 'walk_in' as const,
  services: [{ itemKey, quantity }],
});
const refund = (orderId: string, amountMinor: number, reason = 'not satisfied') =>
  refundTreatment(tablet, { orderId, amountMinor, method: 'cash', reason });
const operations = async () => (await outboxEntries(tablet.db, { limit: 100 })).map(({ operation }) => operation);
const counters = async () => (await tablet.db.device.get('this'))!.counters;
const orderAfter = async (orderId: string) => (await orderById(tablet.db, orderId))!;

describe('refundTreatment', () => {
  test('SYNC-11 cancels the treatment on a full refund, and writes number, document and operation in one transaction', async () => {
    const { orderId } = await sell(tablet, walkIn('s2'));
    const outcome = valueOf(await refund(orderId, 2000, '  not satisfied '));
    expect(outcome).toMatchObject({
      number: 'R-A7-000001',
      amountMinor: 2000,
      status: 'cancelled',
      paidMinor: 0,
      language: 'en',
    });
    expect(await orderAfter(orderId)).toMatchObject({
      status: 'cancelled',
      reductionMinor: 2000,
      owedMinor: 0,
      paidMinor: 0,
      balanceMinor: 0,
      unsent: 1,
    });
    const [, pay, back] = await operations();
    expect(back).toMatchObject({
      kind: 'order.refund',
      depends_on: [pay!.op_id],
      payload: { amount: 20, reduction: 20, reason: 'not satisfied', payment_method: 'cash' },
    });
    expect(back!.payload).toMatchObject({
      credit_note_number: outcome.number,
      credit_note: { printed: outcome.document.printed, language: 'en', total_amount: -20 },
    });
    const document = (await documentsOf(tablet.db, orderId)).find(({ kind }) => kind === 'credit_note');
    expect(document).toEqual(outcome.document);
    expect(document).toMatchObject({ kind: 'credit_note', number: 'R-A7-000001', invoice: null });
    expect(document!.printed).toContainEqual(
      expect.objectContaining({ style: 'pair', left: 'For invoice', right: 'INV-A7-000001' }),
    );
    for (const operation of await operations()) {
      const onTheWire: unknown = JSON.parse(JSON.stringify(operation));
      expect(envelopeSchema.safeParse(onTheWire).error).toBeUndefined();
      expect(payloadSchemas[operation.kind].safeParse(operation.payload).error).toBeUndefined();
    }
  });

  test('refunds a part and then the rest, each under its own number, and no more than the rest', async () => {
    const { orderId } = await sell(tablet, walkIn('s2'));
    expect(valueOf(await refund(orderId, 500))).toMatchObject({ status: 'completed', balanceMinor: 0 });
    expect(await orderAfter(orderId)).toMatchObject({ owedMinor: 1500, paidMinor: 1500, balanceMinor: 0 });
    expect(refusalOf(await refund(orderId, 1501))).toBe('REFUND_EXCEEDS_PAYMENTS');
    expect(valueOf(await refund(orderId, 1500))).toMatchObject({ number: 'R-A7-000002', status: 'cancelled' });
    expect(await counters()).toMatchObject({ credit_note: 2 });
  });

  test('refunds a partial payment before there is an invoice', async () => {
    const { orderId } = valueOf(await createTreatment(tablet, walkIn('s2')));
    valueOf(await takePayment(tablet, { orderId, method: 'card', tenderedMinor: 700 }));
    const { document } = valueOf(await refund(orderId, 700));
    expect(document.printed.some(({ left }) => left === 'For invoice')).toBe(false);
    expect((await orderAfter(orderId)).status).toBe('cancelled');
  });

  test('SYNC-11 leaves the treatment paid when it refunds a surplus', async () => {
    const { orderId } = await sell(tablet, walkIn('s2'));
    const row = await orderAfter(orderId);
    const again = { ...row.payments[0]!, paymentId: 'other', opId: 'other' };
    await tablet.db.orders.put({ ...row, payments: [...row.payments, again] });
    expect(valueOf(await refund(orderId, 2000))).toMatchObject({ status: 'completed', paidMinor: 2000 });
  });

  test('names the chosen services on the credit note and in the operation', async () => {
    const { orderId } = await sell(tablet, {
      services: [
        { itemKey: 's1', quantity: 1 },
        { itemKey: 's2', quantity: 1 },
      ],
    });
    const [, second] = (await orderAfter(orderId)).lines;
    const result = await refundTreatment(tablet, {
      orderId,
      amountMinor: 2000,
      method: 'cash',
      reason: 'not done',
      lineIds: [second!.lineId],
    });
    expect(valueOf(result).document.printed).toContainEqual(
      expect.objectContaining({ style: 'item', left: 'Service 2', right: 'EUR 20,00' }),
    );
    expect((await operations()).at(-1)!.payload).toMatchObject({
      lines: [{ line_id: second!.lineId, amount: 20 }],
      reduction: 20,
    });
  });

  test('gives back for a service what it earns after the discount of the plan, and prints that', async () => {
    const { orderId } = await sell(tablet, {
      services: [
        { itemKey: 's1', quantity: 1 },
        { itemKey: 's2', quantity: 1 },
      ],
      discount: { kind: 'percent', bps: 1000, reason: '', mayExceed: true },
    });
    const order = await orderAfter(orderId);
    const lineIds = [order.lines[1]!.lineId];
    const amountMinor = refundOfLines(order, lineIds);
    expect(amountMinor).toBe(1800);
    const chosen = { orderId, amountMinor, method: 'cash' as const, reason: 'not done', lineIds };
    expect(valueOf(await refundTreatment(tablet, chosen)).document.printed).toContainEqual(
      expect.objectContaining({
        style: 'item',
        left: 'Service 2',
        right: 'EUR 18,00',
      }),
    );
    expect(refusalOf(await refundTreatment(tablet, { ...chosen, amountMinor: 1 }))).toBe('REFUND_EXCEEDS_SERVICE');
    expect(refusalOf(await refundTreatment(tablet, { ...chosen, amountMinor: 1, lineIds: ['gone'] }))).toBe(
      'LINE_GONE',
    );
  });

  test('SYNC-11 leaves the treatment open when the money is still owed, and the next payment has an invoice', async () => {
    const { orderId } = await sell(tablet, walkIn('s2'));
    const mistake = { orderId, amountMinor: 2000, method: 'cash' as const, reason: 'mistake', isStillOwed: true };
    expect(valueOf(await refundTreatment(tablet, mistake))).toMatchObject({ status: 'confirmed', balanceMinor: 2000 });
    expect((await operations()).at(-1)!.payload).toMatchObject({ reduction: 0, still_owed: true });
    const paid = valueOf(await takePayment(tablet, { orderId, method: 'card', tenderedMinor: 2000 }));
    expect(paid.document).toMatchObject({ kind: 'invoice', invoice: { total_amount: 20, line_ids: [] } });
    expect(await orderAfter(orderId)).toMatchObject({ status: 'completed', owedMinor: 2000, balanceMinor: 0 });
    for (const { kind, payload } of await operations())
      expect(payloadSchemas[kind].safeParse(JSON.parse(JSON.stringify(payload))).error).toBeUndefined();
  });

  test('SYNC-11 parts that two tablets took are invoiced when somebody asks for it', async () => {
    const { orderId } = valueOf(await createTreatment(tablet, walkIn('s2')));
    valueOf(await takePayment(tablet, { orderId, method: 'card', tenderedMinor: 1000 }));
    expect(refusalOf(await invoiceTreatment(tablet, { orderId }))).toBe('NOTHING_TO_INVOICE');
    const row = await orderAfter(orderId);
    const other = { ...row.payments[0]!, paymentId: 'other', opId: 'other' };
    await tablet.db.orders.put(orderRow({ ...orderOf(row), payments: [...row.payments, other] }, 0));
    const { document } = valueOf(await invoiceTreatment(tablet, { orderId }));
    expect(document).toMatchObject({ number: 'INV-A7-000001', invoice: { total_amount: 20 } });
    expect(document.printed.filter(({ left }) => left === 'Card')).toHaveLength(2);
    expect(refusalOf(await invoiceTreatment(tablet, { orderId }))).toBe('NOTHING_TO_INVOICE');
  });

  test('SYNC-9 replays the refund over the row that the server sends', async () => {
    const { orderId } = await sell(tablet, walkIn('s2'));
    const atServer = orderOf(await orderAfter(orderId));
    valueOf(await refund(orderId, 500));
    await tablet.db.transaction(
      'rw',
      [tablet.db.orders, tablet.db.order_bases, tablet.db.operations, tablet.db.operation_states],
      async () => {
        await rebaseOrders(tablet.db, new Map([[orderId, atServer]]));
      },
    );
    expect(
      (await orderAfter(orderId)).payments.map(({ amountMinor, creditNoteNumber }) => [amountMinor, creditNoteNumber]),
    ).toEqual([
      [2000, null],
      [-500, 'R-A7-000001'],
    ]);
  });

  test('refunds a treatment that the device no longer has, from the server’s row', async () => {
    const { orderId } = await sell(tablet, walkIn('s2'));
    const fetched = orderOf(await orderAfter(orderId));
    const { db } = tablet;
    await Promise.all([db.orders, db.order_bases, db.operations, db.operation_states].map((table) => table.clear()));
    expect(refusalOf(await refund(orderId, 2000))).toBe('ORDER_NOT_FOUND');
    valueOf(await refundTreatment(tablet, { orderId, amountMinor: 2000, method: 'cash', reason: 'agreed', fetched }));
    expect(await orderAfter(orderId)).toMatchObject({ status: 'cancelled', unsent: 1 });
    expect(await db.order_bases.get(orderId)).toEqual({ id: orderId, order: fetched });
  });

  test.each([
    ['REASON_REQUIRED', 2000, ' no\0 '],
    ['AMOUNT_INVALID', 0, 'agreed'],
    ['REFUND_EXCEEDS_PAYMENTS', 2001, 'agreed'],
  ])('refuses with %s and writes nothing', async (code, amountMinor, reason) => {
    const { orderId } = await sell(tablet, walkIn('s2'));
    expect(refusalOf(await refund(orderId, amountMinor, reason))).toBe(code);
    expect(await operations()).toHaveLength(2);
    expect(await documentsOf(tablet.db, orderId)).toHaveLength(1);
    expect(await counters()).toMatchObject({ credit_note: 0 });
  });

  const steps = ['orders', 'order_bases', 'documents', 'operations', 'operation_states', 'device'] as const;
  test.each(steps)(
    'SYNC-1 a crash while writing %s leaves neither refund nor operation nor a used number',
    async (table) => {
      const { orderId } = await sell(tablet, walkIn('s2'));
      const { db } = tablet;
      await Promise.all([db.order_bases, db.operations, db.operation_states].map((each) => each.clear()));
      const written = async () =>
        Promise.all(
          [db.orders, db.order_bases, db.operations, db.operation_states, db.documents].map((each) =>
            (each as Table).toArray(),
          ),
        );
      const before = [await written(), await counters()];
      const fail = () => Dexie.Promise.reject(new Error('power cut'));
      for (const method of ['put', 'add', 'bulkAdd'] as const)
        vi.spyOn(db[table] as Table, method).mockImplementation(fail);
      await expect(refund(orderId, 2000)).rejects.toThrow('power cut');
      expect([await written(), await counters()]).toEqual(before);
    },
  );

  test('SYNC-12 refunds a payment once when two tabs refund at once', async () => {
    const { orderId } = await sell(tablet, walkIn('s2'));
    const results = await Promise.all(
      [tablet, tablet.otherTab()].map((tab) =>
        refundTreatment(tab, { orderId, amountMinor: 2000, method: 'cash', reason: 'agreed' }),
      ),
    );
    expect(new Set(results.map(refusalOf))).toEqual(new Set([null, 'REFUND_EXCEEDS_PAYMENTS']));
    expect(await counters()).toMatchObject({ credit_note: 1 });
  });
});

describe('a discount', () => {
  const plan = { ...walkIn('s2', 5), discount: { kind: 'percent' as const, bps: 1000, reason: '', mayExceed: false } };

  test('SYNC-2 is stored as an amount with the treatment, and appears on the first invoice only', async () => {
    const paid = await sell(tablet, plan);
    expect(await orderAfter(paid.orderId)).toMatchObject({ discountMinor: 1000, totalMinor: 9000 });
    expect(paid.document.invoice).toMatchObject({ subtotal: 100, discount_amount: 10, total_amount: 90 });
    expect(paid.document.printed).toContainEqual(
      expect.objectContaining({ style: 'pair', left: 'Discount', right: 'EUR -10,00' }),
    );
    valueOf(await addServices(tablet, { orderId: paid.orderId, services: [{ itemKey: 's1', quantity: 1 }] }));
    const second = valueOf(await takePayment(tablet, { orderId: paid.orderId, method: 'cash', tenderedMinor: 1000 }));
    expect(second.document.invoice).toMatchObject({ subtotal: 10, discount_amount: 0, total_amount: 10 });
  });

  test('is sent with its reason', async () => {
    const discount = { kind: 'amount' as const, minor: 5000, reason: ' our fault ', mayExceed: true };
    const { orderId } = valueOf(await createTreatment(tablet, { ...plan, discount }));
    expect((await operations())[0]!.payload).toMatchObject({ discount: 50, discount_reason: 'our fault', total: 50 });
    expect((await orderAfter(orderId)).discountReason).toBe('our fault');
  });

  test.each([
    ['DISCOUNT_OVER_LIMIT', { kind: 'percent' as const, bps: 1001, reason: 'a friend', mayExceed: false }],
    ['DISCOUNT_OVER_LIMIT', { kind: 'amount' as const, minor: 1001, reason: 'a friend', mayExceed: false }],
    ['REASON_REQUIRED', { kind: 'percent' as const, bps: 1001, reason: '', mayExceed: true }],
  ])('is refused with %s, and writes nothing', async (code, discount) => {
    expect(refusalOf(await createTreatment(tablet, { ...plan, discount }))).toBe(code);
    expect(await operations()).toEqual([]);
    expect(await counters()).toMatchObject({ treatment: 0 });
  });

  test('is at most the subtotal of the plan', async () => {
    const discount = { kind: 'amount' as const, minor: 50_000, reason: 'a friend', mayExceed: true };
    const { orderId } = valueOf(await createTreatment(tablet, { ...plan, discount }));
    expect(await orderAfter(orderId)).toMatchObject({ discountMinor: 10_000, totalMinor: 0 });
  });

  test('is limited by the clinic’s setting', async () => {
    const { settings } = (await tablet.db.settings.get('this'))!;
    await tablet.db.settings.put({ id: 'this', settings: { ...settings, discount_limit_percent: 2.5 } });
    expect(refusalOf(await createTreatment(tablet, plan))).toBe('DISCOUNT_OVER_LIMIT');
    valueOf(await createTreatment(tablet, { ...plan, discount: { ...plan.discount, bps: 250 } }));
  });
});

test('finds treatments by a part of the name or of any number, without accents, and by any amount', async () => {
  const named = valueOf(await createTreatment(tablet, { ...walkIn('s1'), customerName: 'Inés Márquez' }));
  valueOf(await takePayment(tablet, { orderId: named.orderId, method: 'cash', tenderedMinor: 1000 }));
  valueOf(await refund(named.orderId, 1000));
  const other = await sell(tablet, walkIn('s2', 3));
  const found = async (text: string) => (await findOrders(tablet.db, { text, limit: 10 })).map(({ id }) => id);
  for (const text of ['marq', 'ines m', named.number.toLowerCase(), 'INV-A7-000001', 'r-a7-000001'])
    expect([text, await found(text)]).toEqual([text, [named.orderId]]);
  expect((await found('-A7-')).sort()).toEqual([named.orderId, other.orderId].sort());
  expect(await found('nobody')).toEqual([]);
  const worth = async (amountMinor: number) =>
    (await findOrders(tablet.db, { text: 'nobody', amountMinor, limit: 10 })).map(({ id }) => id);
  expect([await worth(6000), await worth(1000), await worth(600)]).toEqual([[other.orderId], [named.orderId], []]);
});

test('SYNC-11 an attention item disappears as soon as this device has settled its cause', async () => {
  const { orderId } = await sell(tablet, walkIn('s2'));
  const row = await orderAfter(orderId);
  await tablet.db.orders.put({
    ...row,
    payments: [...row.payments, { ...row.payments[0]!, paymentId: 'other', opId: 'other' }],
  });
  const item = {
    id: 5,
    kind: 'overpaid' as const,
    op_id: null,
    op_kind: null,
    order_id: orderId,
    details: {},
    created_at: '',
    settled_at: null,
  };
  await tablet.db.attention.put(item);
  expect(await remoteAttention(tablet.db)).toEqual([item]);
  valueOf(await refund(orderId, 2000));
  expect(await remoteAttention(tablet.db)).toEqual([]);
});
