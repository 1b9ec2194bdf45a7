import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { statusOf, totals } from '../../../domain/order/order.ts';
import { loadOrders } from '../../../server/modules/orders/service.ts';
import { startTestServer } from '../../support/server.ts';
import type { TestServer } from '../../support/server.ts';

const nowMs = Date.parse('2026-03-04T15:00:00Z');
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ demo: true, now: nowMs });
});
afterAll(() => server.close());

const rows = async (query: string, from = server) => (await from.database.$client.query<Record<string, unknown>>(query)).rows;
const one = async (query: string) => Object.values((await rows(query))[0]!)[0];

describe('the demo clinic', () => {
  it('offers 60 services and supplies in 8 coloured categories, most of them for sale', async () => {
    expect(await one('select count(*)::int from stock_items')).toBe(60);
    expect(await one('select count(distinct color)::int from categories')).toBe(8);
    expect(await one('select count(*)::int from stock_items where is_available')).toBeGreaterThanOrEqual(35);
    expect(await one('select count(*)::int from stock_items where barcode is not null')).toBeGreaterThan(5);
    expect(await one('select count(distinct product_id)::int from product_ingredients')).toBe(4);
    expect(await one("select cost_minor::int from stock_items where name = 'Dental cleaning'")).toBe(6000);
    expect(await one('select count(*)::int from rooms')).toBe(6);
  });

  it('has a month behind it and treatments that wait today', async () => {
    expect(await one("select count(distinct business_day)::int from orders where business_day >= '2026-02-02'")).toBeGreaterThan(24);
    expect(await one("select count(*)::int from orders where business_day = '2026-03-04' and status = 'confirmed'")).toBeGreaterThanOrEqual(5);
    expect(await one(`select count(*)::int from orders where created_at > '${new Date(nowMs).toISOString()}'`)).toBe(0);
  });

  it('is as consistent as real work: derived columns, invoices, numbers, stock and reservations', async () => {
    const stored = await rows('select id, status, subtotal_minor, total_minor, paid_minor, balance_minor from orders');
    const orders = await loadOrders(server.database.$client, server.clinicId, stored.map(({ id }) => id as string));
    for (const row of stored) {
      const order = orders.get(row['id'] as string)!;
      const { subtotalMinor, totalMinor, paidMinor, balanceMinor } = totals(order);
      expect([row['status'], row['subtotal_minor'], row['total_minor'], row['paid_minor'], row['balance_minor']].map(String)).toEqual(
        [statusOf(order), subtotalMinor, totalMinor, paidMinor, balanceMinor].map(String),
      );
      expect(order.invoices.length).toBe(statusOf(order) === 'completed' ? 1 : 0);
    }
    expect(await one('select count(*)::int - count(distinct number)::int from orders')).toBe(0);
    expect(await one('select count(*)::int from attention_items')).toBe(0);
    expect(
      await rows(`select name from stock_items s where quantity_milli <>
        (select coalesce(sum(effect_milli), 0) from stock_transactions t where t.clinic_id = s.clinic_id and t.stock_id = s.id)`),
    ).toEqual([]);
    expect(await rows(`select name from stock_items where is_available and quantity_milli <= 0`)).toEqual([]);
    expect(await one('select count(*)::int from stock_items where quantity_milli <= low_stock_threshold_milli')).toBeGreaterThanOrEqual(3);
    expect(await one(`select count(*)::int from device_codes where treatment = (select count(*) from orders) and invoice = (select count(*) from invoices)`)).toBe(1);
  });

  it('has ordered: a purchase order in each state, and supplies in lots of which some expire soon', async () => {
    expect(await rows('select number, vendor, status from purchase_orders order by number')).toEqual([
      { number: 'PO-000001', vendor: 'Farmadent', status: 'received' },
      { number: 'PO-000002', vendor: 'Composa', status: 'partial' },
      { number: 'PO-000003', vendor: 'Oralia Retail', status: 'cancelled' },
      { number: 'PO-000004', vendor: 'Henara Dental', status: 'sent' },
      { number: 'PO-000005', vendor: 'Composa', status: 'draft' },
    ]);
    expect(await one('select purchase_orders from clinics')).toBe(5);
    expect(await one("select count(*)::int from stock_transactions where type = 'purchase' and reference_id = 'PO-000001'")).toBe(3);
    expect(await one('select count(*)::int from stock_items where tracks_lots')).toBe(6);
    expect(await one("select lot_number from stock_lots where remaining_milli > 0 and expires_on < '2026-04-03'")).toBe('BND-1170');
    // What lies there in lots is what the items hold.
    expect(
      await rows(`select name from stock_items s where tracks_lots and quantity_milli <>
        (select sum(remaining_milli) from stock_lots l where l.clinic_id = s.clinic_id and l.stock_id = s.id)`),
    ).toEqual([]);
  });

  it('has spent: a month of expenses in every state, decided by others than who wrote them down', async () => {
    expect(await rows('select status, count(*)::int from expenses group by status order by status')).toEqual([
      { status: 'approved', count: 19 },
      { status: 'pending', count: 4 },
      { status: 'rejected', count: 2 },
    ]);
    expect(await rows('select min(expense_date)::text as first, max(expense_date)::text as last, count(distinct category)::int as categories from expenses')).toEqual([
      { first: '2026-02-02', last: '2026-03-04', categories: 10 },
    ]);
    expect(await one(`select count(*)::int from expenses where decided_by = submitted_by or decided_at > '${new Date(nowMs).toISOString()}'`)).toBe(0);
  });

  it('is the same each time it begins at the same moment', async () => {
    const facts = [
      'select id, number, status, customer_name, total_minor, created_at from orders order by id',
      'select id, name, quantity_milli, reserved_milli from stock_items order by id',
      'select id, order_id, method, amount_minor, reference from payments order by id',
      'select id, number, document from invoices order by id',
      'select title, amount_minor, status, expense_date, submitted_by, decided_by, decision_notes from expenses order by id',
      'select stock_id, lot_number, expires_on, remaining_milli from stock_lots order by id',
    ];
    const other = await startTestServer({ demo: true, now: nowMs });
    for (const query of facts) expect(await rows(query, other)).toEqual(await rows(query));
    await other.close();
  });
});
