import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { TestDevice } from '#tests/support/device.ts';

let server: TestServer;
let manager: TestDevice;
let stockId = 0;

beforeAll(async () => {
  server = await startTestServer({ demo: true });
  manager = await TestDevice.enrol(server, 'manager');
});
afterAll(() => server.close());

async function freshItem(quantity: number): Promise<void> {
  const { rows } = await server.database.$client.query(
    `insert into stock_items (clinic_id, name, search_key, quantity_milli) values ($1, 'Gauze', 'gauze', $2) returning id`,
    [server.clinicId, quantity * 1000],
  );
  stockId = rows[0].id;
}

const at = (minute: number) => new Date(Date.now() - 3_600_000 + minute * 60_000).toISOString();
const adjust = (action: 'add' | 'subtract' | 'set', amount: number, minute: number, over = {}) =>
  manager.operation('stock.adjust', { stock_id: stockId, action, amount }, { occurred_at: at(minute), ...over });
const quantity = async () =>
  Number(
    (await server.database.$client.query('select quantity_milli from stock_items where id = $1', [stockId])).rows[0]
      .quantity_milli,
  ) / 1000;
const ledger = async () =>
  Number(
    (
      await server.database.$client.query(
        'select sum(effect_milli) as sum from stock_transactions where stock_id = $1',
        [stockId],
      )
    ).rows[0].sum,
  ) / 1000;

describe('SYNC-10 stock is a ledger', () => {
  test('adds deltas, also below zero, and the ledger adds up to the quantity', async () => {
    await freshItem(10);
    await manager.send(adjust('add', 2.5, 1), adjust('subtract', 20, 2));
    expect(await quantity()).toBe(-7.5);
    expect(await ledger()).toBe(-17.5);
  });

  test('sets the quantity to the count plus the deltas that took effect after it', async () => {
    await freshItem(10);
    await manager.send(adjust('add', 5, 10));
    await manager.send(adjust('subtract', 3, 20));
    // The count is of minute 15, between the two deltas, and arrives last.
    await manager.send(adjust('set', 100, 15));
    expect(await quantity()).toBe(97);
    expect(await ledger()).toBe(87);
  });

  test('stores a delta that is older than a count with effect 0', async () => {
    await freshItem(10);
    await manager.send(adjust('set', 50, 30));
    await manager.send(adjust('add', 7, 20), adjust('set', 1, 10));
    expect(await quantity()).toBe(50);
    const { rows } = await server.database.$client.query(
      'select effect_milli::int as effect from stock_transactions where stock_id = $1 order by id',
      [stockId],
    );
    expect(rows.map(({ effect }) => effect)).toEqual([40_000, 0, 0]);
  });

  test('includes deltas of the same batch in a count', async () => {
    await freshItem(10);
    await manager.send(adjust('add', 5, 10), adjust('add', 1, 20), adjust('set', 100, 15), adjust('subtract', 2, 25));
    expect(await quantity()).toBe(99);
  });

  test('uses the time of arrival when no clock offset was measured', async () => {
    await freshItem(10);
    await manager.send(adjust('set', 50, 30));
    await manager.send(adjust('add', 7, 20, { clock_offset_ms: null }));
    expect(await quantity()).toBe(57);
  });

  test('changes an item once per operation', async () => {
    await freshItem(10);
    const add = adjust('add', 5, 1);
    await Promise.all([manager.send(add), manager.send(add), manager.send(add)]);
    expect(await quantity()).toBe(15);
  });
});
