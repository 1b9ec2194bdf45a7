import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { businessDay, daysAfter } from '#domain/business-day.ts';
import type { StockAlertResource } from '#domain/stock/resources.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { refreshAlerts } from '#server/modules/alerts/service.ts';
import { dailySweep, startAlertSweep, sweepClinic } from '#server/modules/alerts/sweep.ts';
import { line, TestDevice } from '#tests/support/device.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { insertStockItem, receive } from '#tests/support/stock.ts';

let server: TestServer;
let manager: TestDevice;

beforeAll(async () => {
  server = await startTestServer();
  manager = await TestDevice.enrol(server, 'manager');
});
afterAll(() => server.close());

const timeZone = 'Europe/Madrid';
const today = () => businessDay(Date.now(), timeZone);
const ask = (url: string) => server.app.inject({ url: `/api${url}`, headers: manager.headers });
const put = (url: string) =>
  server.app.inject({ method: 'PUT', url: `/api/stock/inventory/alerts/${url}`, headers: manager.headers });
const adjust = (stockId: number, action: 'add' | 'subtract' | 'set', amount: number, over = {}) =>
  manager.send(manager.operation('stock.adjust', { stock_id: stockId, action, amount }, over));
const change = (stockId: number, set: string) =>
  inTransaction(server.database.$client, async (sql) => {
    await sql.query(`update stock_items set ${set} where clinic_id = $1 and id = $2`, [server.clinicId, stockId]);
    await refreshAlerts(sql, server.clinicId, Date.now(), [stockId]);
  });

/** The alerts about an item, the latest first. */
async function alertsOf(stockId: number): Promise<StockAlertResource[]> {
  const reply = await ask('/stock/inventory/alerts?per_page=200');
  return reply
    .json<{ data: StockAlertResource[] }>()
    .data.filter((alert) => alert.stock_id === stockId)
    .sort((a, b) => b.id - a.id);
}
const brief = async (stockId: number) =>
  (await alertsOf(stockId)).map(({ alert_type, severity, status }) => `${alert_type} ${severity} ${status}`);

describe('a stock alert', () => {
  test('is raised at low stock, replaced when the item is out of stock, and ended by a delivery', async () => {
    const id = await insertStockItem(server, { quantity: 10, threshold: 4 });
    await adjust(id, 'subtract', 5);
    expect(await brief(id)).toEqual([]);
    await adjust(id, 'subtract', 1);
    expect(await brief(id)).toEqual(['low_stock medium active']);
    await adjust(id, 'subtract', 2);
    expect(await brief(id)).toEqual(['low_stock medium active']);
    await adjust(id, 'set', 0);
    expect(await brief(id)).toEqual(['out_of_stock high active', 'low_stock medium resolved']);
    await receive(server, id, { quantity: 20 });
    expect(await brief(id)).toEqual(['out_of_stock high resolved', 'low_stock medium resolved']);
    expect(
      (await alertsOf(id)).every(({ resolved_by, resolved_at }) => resolved_by === null && resolved_at !== null),
    ).toBe(true);
  });

  test('is raised by a sale from a tablet, and once for a whole batch', async () => {
    const id = await insertStockItem(server, { quantity: 3, threshold: 2 });
    const sale = manager.create([line({ stock_id: id, quantity: 1 })]);
    await manager.send(sale, manager.pay(sale, 60));
    expect(await brief(id)).toEqual(['low_stock medium active']);
    const out = manager.operation('stock.adjust', { stock_id: id, action: 'subtract', amount: 2 });
    const back = manager.operation('stock.adjust', { stock_id: id, action: 'add', amount: 1 });
    await manager.send(out, back);
    expect(await brief(id)).toEqual(['low_stock medium active']);
  });

  test('follows a changed threshold and a deleted item', async () => {
    const id = await insertStockItem(server, { quantity: 5, threshold: 2 });
    await change(id, 'low_stock_threshold_milli = 6000');
    expect(await brief(id)).toEqual(['low_stock medium active']);
    await change(id, 'low_stock_threshold_milli = 1000');
    expect(await brief(id)).toEqual(['low_stock medium resolved']);
    await change(id, 'low_stock_threshold_milli = 6000');
    await change(id, 'deleted_at = created_at');
    expect(await brief(id)).toEqual(['low_stock medium resolved', 'low_stock medium resolved']);
    await adjust(id, 'subtract', 5);
    expect(await brief(id)).toHaveLength(2);
  });

  test('is raised for a supply that the counter does not sell', async () => {
    const id = await insertStockItem(server, { quantity: 5, threshold: 2 });
    await change(id, 'is_available = false');
    await adjust(id, 'subtract', 4);
    expect(await brief(id)).toEqual(['low_stock medium active']);
  });

  test('is raised once when many requests move the level at the same time', async () => {
    const id = await insertStockItem(server, { quantity: 10, threshold: 9 });
    await Promise.all(Array.from({ length: 8 }, () => adjust(id, 'subtract', 1)));
    expect(await brief(id)).toEqual(['low_stock medium active']);
    await Promise.all([1, 2, 3].map(() => sweepClinic(server.database.$client, server.clinicId, Date.now())));
    expect(await brief(id)).toEqual(['low_stock medium active']);
  });
});

describe('acknowledging and resolving an alert', () => {
  test('stops the alert from being raised again until the level has recovered', async () => {
    const id = await insertStockItem(server, { quantity: 10, threshold: 4 });
    await adjust(id, 'subtract', 7);
    const [alert] = await alertsOf(id);
    const seen = await put(`${alert!.id}/acknowledge`);
    expect(seen.json().data).toMatchObject({ status: 'acknowledged', resolved: false, acknowledged_by: 'manager' });
    const settled = await put(`${alert!.id}/resolve`);
    expect(settled.json().data).toMatchObject({
      status: 'resolved',
      resolved: true,
      resolved_by: 'manager',
      acknowledged_by: 'manager',
    });

    await adjust(id, 'subtract', 1);
    await change(id, 'low_stock_threshold_milli = 5000');
    await sweepClinic(server.database.$client, server.clinicId, Date.now());
    expect(await brief(id)).toEqual(['low_stock medium resolved']);

    await adjust(id, 'add', 10);
    await adjust(id, 'subtract', 10);
    expect(await brief(id)).toEqual(['low_stock medium active', 'low_stock medium resolved']);
    // The resolved alert keeps the name of its resolver.
    expect((await alertsOf(id))[1]!.resolved_by).toBe('manager');
  });

  test('raises it again when only a changed threshold brought the level back', async () => {
    const id = await insertStockItem(server, { quantity: 5, threshold: 2 });
    await adjust(id, 'subtract', 3);
    await put(`${(await alertsOf(id))[0]!.id}/resolve`);
    await adjust(id, 'add', 4);
    await change(id, 'low_stock_threshold_milli = 8000');
    expect(await brief(id)).toEqual(['low_stock medium active', 'low_stock medium resolved']);
  });

  test('refuses to acknowledge a resolved alert', async () => {
    const id = await insertStockItem(server, { quantity: 1, threshold: 1 });
    await adjust(id, 'subtract', 1);
    const [alert] = await alertsOf(id);
    expect((await put(`${alert!.id}/resolve`)).statusCode).toBe(200);
    const late = await put(`${alert!.id}/acknowledge`);
    expect([late.statusCode, late.json().code]).toEqual([409, 'ALERT_RESOLVED']);
    expect((await put(`${alert!.id}/resolve`)).statusCode).toBe(200);
    expect((await put('999999/resolve')).json().code).toBe('ALERT_NOT_FOUND');
    const { rows } = await server.database.$client.query(
      `select action from audit_log where action like 'alert.%' and subject = $1`,
      [String(alert!.id)],
    );
    expect(rows).toEqual([{ action: 'alert.resolve' }]);
  });
});

describe('another clinic', () => {
  test('neither sees nor changes an alert', async () => {
    const id = await insertStockItem(server, { quantity: 1, threshold: 0 });
    await adjust(id, 'subtract', 1);
    const [alert] = await alertsOf(id);
    const headers = { authorization: `Bearer ${await server.login('admin', { clinicId: await server.addClinic() })}` };
    const settled = await server.app.inject({
      method: 'PUT',
      url: `/api/stock/inventory/alerts/${alert!.id}/resolve`,
      headers,
    });
    expect([settled.statusCode, settled.json().code]).toEqual([404, 'ALERT_NOT_FOUND']);
    expect((await server.app.inject({ url: '/api/stock/inventory/alerts', headers })).json().data).toEqual([]);
  });
});

describe('lots near their expiry', () => {
  test('raise an alert when they are received, another when they expire, and none when they are used up', async () => {
    const id = await insertStockItem(server, { name: 'Anaesthetic', tracksLots: true });
    await receive(server, id, { quantity: 5, lot: 'FAR', expiresOn: daysAfter(today(), 31) });
    expect((await brief(id)).filter((alert) => alert.startsWith('expiring'))).toEqual([]);
    await receive(server, id, { quantity: 5, lot: 'NEAR', expiresOn: daysAfter(today(), 30) });
    const [near] = await alertsOf(id);
    expect(near).toMatchObject({
      alert_type: 'expiring_soon',
      severity: 'medium',
      lot: { lot_number: 'NEAR', remaining: 5, expires_on: daysAfter(today(), 30) },
    });

    const tomorrow = Date.now() + 86_400_000;
    await sweepClinic(server.database.$client, server.clinicId, tomorrow);
    expect((await alertsOf(id)).map(({ lot }) => lot?.lot_number)).toEqual(['FAR', 'NEAR']);

    await put(`${near!.id}/resolve`);
    await sweepClinic(server.database.$client, server.clinicId, tomorrow);
    expect(await brief(id)).toEqual(['expiring_soon medium active', 'expiring_soon medium resolved']);
    await sweepClinic(server.database.$client, server.clinicId, tomorrow + 31 * 86_400_000);
    expect(await brief(id)).toEqual([
      'expiring_soon high active',
      'expiring_soon high active',
      'expiring_soon medium resolved',
      'expiring_soon medium resolved',
    ]);

    await adjust(id, 'subtract', 10);
    expect((await brief(id)).filter((alert) => alert.startsWith('expiring') && !alert.endsWith('resolved'))).toEqual(
      [],
    );
  });

  test('raise no alert once the item no longer tracks lots', async () => {
    const id = await insertStockItem(server, { tracksLots: true });
    await receive(server, id, { quantity: 5, lot: 'OLD', expiresOn: daysAfter(today(), -1) });
    expect(await brief(id)).toEqual(['expiring_soon high active']);
    await change(id, 'tracks_lots = false');
    expect(await brief(id)).toEqual(['expiring_soon high resolved']);
  });
});

describe('the sweep', () => {
  /** An item that is low on stock, as in data older than the alerts. */
  const silentlyLow = () => insertStockItem(server, { quantity: 1, threshold: 2 });

  test('checks the clinics as soon as it is started', async () => {
    const id = await silentlyLow();
    const faults: unknown[] = [];
    const sweep = startAlertSweep({ database: server.database, clock: Date.now }, (fault) => faults.push(fault));
    await expect.poll(() => brief(id)).toEqual(['low_stock medium active']);
    await sweep.stop();
    expect(faults).toEqual([]);
  });

  test('checks a clinic once in each of its business days', async () => {
    let nowMs = Date.parse('2026-07-01T12:00:00+02:00');
    const sweep = dailySweep({ database: server.database, clock: () => nowMs });
    const first = await silentlyLow();
    await sweep();
    expect(await brief(first)).toEqual(['low_stock medium active']);

    const second = await silentlyLow();
    nowMs = Date.parse('2026-07-01T23:59:59+02:00');
    await sweep();
    expect(await brief(second)).toEqual([]);
    nowMs = Date.parse('2026-07-02T00:00:00+02:00');
    await sweep();
    expect(await brief(second)).toEqual(['low_stock medium active']);
  });
});

describe('the lists', () => {
  test('show open alerts first, newest first, then resolved ones', async () => {
    const list = async (query: string) =>
      (await ask(`/stock/inventory/alerts?per_page=200${query}`)).json<{
        data: StockAlertResource[];
        pagination: { total: number };
      }>();
    const all = await list('');
    const order = (await list('&status=open')).data.concat((await list('&status=resolved')).data);
    expect(all.data.map(({ id }) => id)).toEqual(order.map(({ id }) => id));
    expect(all.pagination.total).toBe(all.data.length);
    const open = all.data.filter(({ resolved }) => !resolved);
    expect(all.data.slice(0, open.length)).toEqual(open);
    const { data } = (await ask('/stock/inventory/alerts/stats')).json();
    expect(data).toEqual({
      total: open.length,
      high: open.filter(({ severity }) => severity === 'high').length,
      medium: open.filter(({ severity }) => severity === 'medium').length,
      acknowledged: open.filter(({ status }) => status === 'acknowledged').length,
    });
    const second = await ask('/stock/inventory/alerts?per_page=2&page=2');
    expect(second.json().data.map(({ id }: StockAlertResource) => id)).toEqual(
      all.data.slice(2, 4).map(({ id }) => id),
    );
  });
});
