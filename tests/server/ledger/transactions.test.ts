import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { businessDay, daysAfter, startOfDay } from '#domain/business-day.ts';
import type { StockTransactionResource } from '#domain/stock/resources.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { writeLedger } from '#server/modules/ledger/service.ts';
import type { LedgerEntry } from '#server/modules/ledger/service.ts';
import { line, TestDevice } from '#tests/support/device.ts';
import { newId } from '#tests/support/unique.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { insertStockItem, itemOf, receiptEntry } from '#tests/support/stock.ts';

const timeZone = 'Europe/Madrid';
let server: TestServer;
let manager: TestDevice;

beforeAll(async () => {
  server = await startTestServer();
  manager = await TestDevice.enrol(server, 'manager');
});
afterAll(() => server.close());

const call = (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object, headers = {}) =>
  server.app.inject({
    method,
    url: `/api/stock${url}`,
    headers: { ...manager.headers, ...headers },
    ...(payload && { payload }),
  });
const list = async (query: string, path = '/inventory/transactions') =>
  (await call('GET', `${path}?${query}`)).json<{
    transactions: StockTransactionResource[];
    pagination: { total: number; page: number; per_page: number; totalPages: number };
  }>();
const notes = async (query: string) => (await list(query)).transactions.map((row) => row.notes);

/** Writes a ledger entry with the given time. */
const entry = (stockId: number, over: Partial<LedgerEntry> & { atMs?: number; change?: number } = {}): LedgerEntry => {
  const { atMs = Date.now(), change = 1, ...rest } = over;
  return {
    ...receiptEntry(stockId, { quantity: change, atMs }),
    type: 'stock_in',
    referenceType: 'adjustment',
    referenceId: null,
    userId: manager.userId,
    ...rest,
  };
};
const write = (...entries: LedgerEntry[]) =>
  inTransaction(server.database.$client, (sql) =>
    writeLedger(sql, server.clinicId, Date.now(), { entries, reservations: new Map() }),
  );

describe('the list of transactions', () => {
  test('returns type, actor, device and cost of each movement', async () => {
    const id = await insertStockItem(server, { name: 'Guantes', quantity: 10, cost: 2 });
    const sale = manager.create([line({ stock_id: id, quantity: 3 })]);
    await manager.send(sale, manager.pay(sale, 180));
    await manager.send(manager.operation('stock.adjust', { stock_id: id, action: 'set', amount: 5, notes: 'Monday' }));
    const { transactions, pagination } = await list(`stock_id=${id}`);
    expect(pagination).toEqual({ total: 2, page: 1, per_page: 10, totalPages: 1 });
    expect(transactions).toMatchObject([
      {
        stock_id: id,
        Stock: { name: 'Guantes', unit: 'pcs' },
        User: { name: 'manager' },
        device: manager.info.code,
        status: 'completed',
        notes: 'Monday',
        transaction_type: 'manual_adjustment',
        is_count: true,
        quantity: 5,
        effect: -2,
        previous_quantity: 7,
        new_quantity: 5,
        total_cost: 4,
        approved_by: null,
      },
      {
        transaction_type: 'usage',
        is_count: false,
        quantity: -3,
        effect: -3,
        previous_quantity: 10,
        new_quantity: 7,
        total_cost: 6,
        reference_type: 'order',
        reference_id: sale.payload.order_id,
        notes: sale.payload.number,
      },
    ]);
    expect(await list(`stock_id=${id}`, '/transactions')).toEqual(await list(`stock_id=${id}`));
  });

  test('books usage on the device that took the payment', async () => {
    const id = await insertStockItem(server, { quantity: 10 });
    const desk = await TestDevice.enrol(server, 'manager');
    const sale = manager.create([line({ stock_id: id, quantity: 1 })]);
    await manager.send(sale);
    await desk.send(desk.pay(sale, 60));
    expect((await list(`stock_id=${id}`)).transactions).toMatchObject([
      { transaction_type: 'usage', device: desk.info.code },
    ]);
  });

  test('pages from the latest to the earliest', async () => {
    const id = await insertStockItem(server);
    const began = Date.now() - 100_000;
    // Of two rows with the same time, the one written later comes first.
    await write(
      ...Array.from({ length: 23 }, (_, index) =>
        entry(id, { notes: `n${index}`, atMs: began + Math.floor(index / 2) * 1000 }),
      ),
    );
    const expected = Array.from({ length: 23 }, (_, index) => `n${22 - index}`);
    const pages = await Promise.all([1, 2, 3, 4, 5].map((page) => notes(`stock_id=${id}&per_page=5&page=${page}`)));
    expect(pages.flat()).toEqual(expected);
    expect(await notes(`stock_id=${id}&per_page=5&page=6`)).toEqual([]);
  });

  test('filters by business days, the last one included', async () => {
    const id = await insertStockItem(server);
    const begins = startOfDay('2026-03-29', timeZone);
    const ends = startOfDay('2026-03-30', timeZone);
    expect(ends - begins).toBe(23 * 3_600_000);
    await write(...[begins - 1, begins, ends - 1, ends].map((atMs, index) => entry(id, { notes: `d${index}`, atMs })));
    expect(await notes(`stock_id=${id}&from=2026-03-29&to=2026-03-29`)).toEqual(['d2', 'd1']);
    expect(await notes(`stock_id=${id}&from=2026-03-29`)).toEqual(['d3', 'd2', 'd1']);
    expect(await notes(`stock_id=${id}&to=2026-03-29`)).toEqual(['d2', 'd1', 'd0']);
  });

  test('filters by type and status', async () => {
    const id = await insertStockItem(server);
    await write(
      entry(id, { notes: 'in' }),
      entry(id, { type: 'stock_out', change: -1, notes: 'out' }),
      entry(id, { type: 'manual_adjustment', notes: 'count' }),
    );
    expect(await notes(`stock_id=${id}&type=stock_out`)).toEqual(['out']);
    expect(await notes(`stock_id=${id}&type=adjustment&status=completed`)).toEqual(['count']);
    expect(await notes(`stock_id=${id}&type=all&status=all`)).toHaveLength(3);
    expect(await notes(`stock_id=${id}&status=pending`)).toEqual([]);
    expect((await call('GET', '/transactions?type=theft')).statusCode).toBe(400);
    expect((await call('GET', '/transactions?from=2026-02-30')).statusCode).toBe(400);
  });

  test('finds movements by words of the item’s name and of the notes, and by the treatment’s number', async () => {
    const id = await insertStockItem(server, { name: 'Algodón hidrófilo' });
    const other = await insertStockItem(server, { name: 'Bandeja' });
    const word = 'x'.repeat(100);
    await write(
      entry(id, { notes: 'first' }),
      entry(other, { notes: 'Used in the Ságrada wing, 50%' }),
      entry(other, { notes: `_odd ${word}` }),
      entry(other, { notes: 'T-Z9-000077', type: 'usage', change: -1, referenceType: 'order', referenceId: newId() }),
    );
    expect(await notes('search=algodon')).toEqual(['first']);
    expect(await notes('search=HIDRO')).toEqual(['first']);
    expect(await notes('search=odon')).toEqual([]);
    expect(await notes('search=sagr%20used')).toEqual(['Used in the Ságrada wing, 50%']);
    expect(await notes('search=t-z9')).toEqual(['T-Z9-000077']);
    expect(await notes(`search=${word}`)).toEqual([`_odd ${word}`]);
    expect(await notes('search=%25')).toEqual([]);
    expect(await notes('search=_odd')).toHaveLength(1);
    expect(await notes('search=%20%20&type=usage')).not.toEqual([]);
    expect((await list('search=bandeja&type=usage')).pagination.total).toBe(1);
  });
});

test('only a delivery restocks an item: no count, no correction of a delivery, nothing found', async () => {
  const id = await insertStockItem(server, { quantity: 4 });
  const restocked = async () => (await itemOf(server, id)).lastRestockedAt;
  await write(
    entry(id, { type: 'manual_adjustment' }),
    entry(id, { change: -1 }),
    entry(id, { movement: { type: 'count', quantityMilli: 9000, effectiveAtMs: Date.now() } }),
  );
  expect(await restocked()).toBeNull();
  await write(
    entry(id, { type: 'purchase', atMs: 1_000_000 }),
    entry(id, { atMs: 2_000_000 }),
    entry(id, { atMs: 1_500_000 }),
  );
  expect(await restocked()).toBe(2_000_000);
});

describe('POST /stock/transactions', () => {
  test('adjusts once when the request is repeated', async () => {
    const id = await insertStockItem(server, { quantity: 4 });
    const headers = { 'idempotency-key': `tx-${id}` };
    const body = { stock_id: id, transaction_type: 'stock_out', quantity: 1.5, notes: 'broken' };
    const [first, second] = [
      await call('POST', '/transactions', body, headers),
      await call('POST', '/transactions', body, headers),
    ];
    expect([first.statusCode, second.headers['idempotency-replayed'], second.body]).toEqual([200, 'true', first.body]);
    expect((await itemOf(server, id)).quantityMilli).toBe(2500);
    await call('POST', '/transactions', { stock_id: id, transaction_type: 'stock_in', quantity: 1 });
    await call('POST', '/transactions', { stock_id: id, transaction_type: 'adjustment', quantity: 0 });
    expect((await list(`stock_id=${id}`)).transactions.map((row) => [row.transaction_type, row.effect])).toEqual([
      ['manual_adjustment', -3.5],
      ['stock_in', 1],
      ['stock_out', -1.5],
    ]);
    expect((await itemOf(server, id)).lastRestockedAt).not.toBeNull();
  });

  test.each([
    ['stock_in', 'stock_in', 6],
    ['stock_out', 'stock_out', 2],
    ['manual_adjustment', 'manual_adjustment', 2],
    ['adjustment', 'manual_adjustment', 2],
    ['purchase', 'purchase', 6],
    ['usage', 'usage', 2],
  ])('takes the type %s, which the list shows as %s', async (type, shown, quantity) => {
    const id = await insertStockItem(server, { quantity: 4 });
    const body = { stock_id: id, transaction_type: type, quantity: 2, notes: 'by hand' };
    const headers = { 'idempotency-key': `six-${id}` };
    const reply = await call('POST', '/transactions', body, headers);
    expect([reply.statusCode, reply.json().data]).toMatchObject([200, { stock_id: id, amount: 2 }]);
    expect((await call('POST', '/transactions', body, headers)).body).toBe(reply.body);
    expect((await list(`stock_id=${id}`)).transactions).toMatchObject([
      { transaction_type: shown, new_quantity: quantity, notes: 'by hand' },
    ]);
  });

  test.each([
    [{ transaction_type: 'usage', quantity: 0 }, 400, 'AMOUNT_INVALID'],
    [{ transaction_type: 'theft', quantity: 1 }, 400, 'VALIDATION'],
    [{ transaction_type: 'purchase', quantity: 1, stock_id: 2_000_000_000 }, 404, 'STOCK_NOT_FOUND'],
    [{ transaction_type: 'stock_in', quantity: 0 }, 400, 'AMOUNT_INVALID'],
    [{ transaction_type: 'stock_in', quantity: -1 }, 400, 'VALIDATION'],
    [{ transaction_type: 'stock_in', quantity: 1, stock_id: 2_000_000_000 }, 404, 'STOCK_NOT_FOUND'],
  ])('is refused as %o', async (over, status, code) => {
    const id = await insertStockItem(server);
    const reply = await call('POST', '/transactions', { stock_id: id, ...over });
    expect([reply.statusCode, reply.json().code]).toEqual([status, code]);
    expect((await itemOf(server, id)).quantityMilli).toBe(0);
  });
});

test('refuses a request to adjust a deleted item', async () => {
  const id = await insertStockItem(server);
  expect((await call('DELETE', `/${id}`)).statusCode).toBe(200);
  const reply = await call('POST', '/transactions', { stock_id: id, transaction_type: 'stock_in', quantity: 1 });
  expect([reply.statusCode, reply.json().code]).toEqual([404, 'STOCK_NOT_FOUND']);
});

describe('the movements on the dashboard', () => {
  test('counts by business days', async () => {
    const clinicId = await server.addClinic();
    const id = await insertStockItem(server, { clinicId });
    const headers = { authorization: `Bearer ${await server.login('admin', { clinicId })}` };
    const today = businessDay(Date.now(), timeZone);
    const start = startOfDay(today, timeZone);
    const entries = [
      entry(id, { atMs: start, change: 10 }),
      entry(id, { atMs: start - 1, type: 'usage', change: -3 }),
      entry(id, { atMs: startOfDay(daysAfter(today, -6), timeZone), type: 'stock_out', change: -2 }),
      entry(id, { atMs: startOfDay(daysAfter(today, -6), timeZone) - 1, type: 'manual_adjustment', change: -1 }),
    ];
    await inTransaction(server.database.$client, (sql) =>
      writeLedger(sql, clinicId, Date.now(), { entries, reservations: new Map() }),
    );
    const reply = await server.app.inject({ url: '/api/stock/inventory/transactions/stats', headers });
    expect(reply.json().data).toEqual({
      count: 4,
      last7Days: 3,
      usageCost: 10,
      today: 1,
      movementsIn: 1,
      movementsOut: 3,
      days: [1, 0, 0, 0, 0, 1, 1].map((count, index) => ({ day: daysAfter(today, index - 6), count })),
    });
  });
});
