import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditActions } from '#tests/support/audit-actions.ts';
import { statusOf, totals } from '#domain/order/totals.ts';
import { reportDrawers } from '#server/modules/drawers/service.ts';
import { listDrawers } from '#server/modules/drawers/store.ts';
import { loadOrders } from '#server/modules/orders/service.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';

const nowMs = Date.parse('2026-03-04T15:00:00Z');
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ demo: true, now: nowMs });
});
afterAll(() => server.close());

const rows = async (query: string, from = server) =>
  (await from.database.$client.query<Record<string, unknown>>(query)).rows;
const closedDrawers = async () =>
  (await listDrawers(server.database.$client, server.clinicId, { limit: 100, offset: 0 })).drawers;
const one = async (query: string) => Object.values((await rows(query))[0]!)[0];

describe('the demo clinic', () => {
  test('offers 60 services and supplies in 8 coloured categories, most of them for sale', async () => {
    expect(await one('select count(*)::int from stock_items')).toBe(60);
    expect(await one('select count(distinct color)::int from categories')).toBe(8);
    expect(await one('select count(*)::int from stock_items where is_available')).toBeGreaterThanOrEqual(35);
    expect(await one('select count(*)::int from stock_items where barcode is not null')).toBeGreaterThan(5);
    expect(await one('select count(distinct product_id)::int from product_ingredients')).toBe(4);
    expect(await one("select cost_minor::int from stock_items where name = 'Dental cleaning'")).toBe(6000);
    const stockMinor = 'select sum(quantity_milli * cost_minor / 1000)::int from stock_items where quantity_milli > 0';
    expect(await one(stockMinor)).toBeLessThan(2_000_000);
    expect(await one(`select count(distinct role)::int from users where status = 'active'`)).toBe(5);
    expect(await one('select count(*)::int from rooms')).toBe(6);
    expect(await rows('select count(*)::int > 20 as drawn, sum(size)::int < 200000 as small from uploads')).toEqual([
      { drawn: true, small: true },
    ]);
    expect(await one('select count(*)::int from stock_items where image_url is null and is_available')).toBe(0);
  });

  test('has a month of history and unpaid treatments today', async () => {
    expect(
      await one("select count(distinct business_day)::int from orders where business_day >= '2026-02-02'"),
    ).toBeGreaterThan(24);
    expect(
      await one("select count(*)::int from orders where business_day = '2026-03-04' and status = 'confirmed'"),
    ).toBeGreaterThanOrEqual(5);
    expect(await one(`select count(*)::int from orders where created_at > '${new Date(nowMs).toISOString()}'`)).toBe(0);
  });

  test('treats its latest patients in rooms', async () => {
    expect(
      await rows(
        "select room_number as room from orders where business_day = '2026-03-04' order by created_at desc limit 4",
      ),
    ).toEqual([{ room: '1' }, { room: 'Surgery' }, { room: '2' }, { room: '' }]);
  });

  test('has takings today even when it starts in the morning', async () => {
    const morning = await startTestServer({ demo: true, now: Date.parse('2026-03-04T09:10:00Z') });
    const [today] = await rows(
      `select count(*)::int > 2 as several, max(p.effective_at) <= '2026-03-04T09:10:00Z' as past from payments p where p.business_day = '2026-03-04'`,
      morning,
    );
    const numbersBy = (column: string) =>
      rows(`select number from orders where business_day = '2026-03-04' order by ${column}`, morning);
    const [byTime, byNumber] = [await numbersBy('created_at'), await numbersBy('number')];
    await morning.close();
    expect(today).toEqual({ several: true, past: true });
    expect(byTime).toEqual(byNumber);
  });

  test.each([
    ['half past midnight', '2026-03-03T23:30:00Z', '2026-03-04'],
    ['early morning', '2026-03-04T05:50:00Z', '2026-03-04'],
    ['a Sunday', '2026-03-08T11:00:00Z', '2026-03-08'],
    ['a late evening', '2026-03-04T22:40:00Z', '2026-03-04'],
    ['the last minutes of a year', '2027-12-31T22:50:00Z', '2027-12-31'],
    ['a leap day', '2028-02-29T10:00:00Z', '2028-02-29'],
    ['the hour before the clocks go forward', '2027-03-28T00:40:00Z', '2027-03-28'],
    ['the hour that comes twice when they go back', '2027-10-31T01:20:00Z', '2027-10-31'],
    ['a night a week after they went forward', '2027-04-03T22:30:00Z', '2027-04-04'],
    ['a night a week after they went back', '2027-11-07T22:30:00Z', '2027-11-07'],
  ])('is a day in progress at %s, and the same weekdays before had takings by that hour', async (_when, now, day) => {
    const clinic = await startTestServer({ demo: true, now: Date.parse(now) });
    const [today] = await rows(
      `select count(*) filter (where p.amount_minor > 0)::int > 2 as several, max(p.effective_at) <= '${now}' as past from payments p where business_day = '${day}'`,
      clinic,
    );
    const [open] = await rows(
      `select count(*)::int as open from orders where business_day = '${day}' and status = 'confirmed' and created_at <= '${now}'`,
      clinic,
    );
    const before = await rows(
      `select weeks, coalesce(sum(p.amount_minor), 0)::int > 0 as earned from generate_series(1, 4) weeks
       left join payments p on p.business_day = '${day}'::date - 7 * weeks and p.effective_at <= ('${now}'::timestamptz at time zone 'Europe/Madrid' - weeks * interval '7 days') at time zone 'Europe/Madrid'
       group by weeks order by weeks`,
      clinic,
    );
    const late = await rows(
      `select number from orders where business_day = '${day}' and created_at > '${now}'`,
      clinic,
    );
    const drawersOfDays = await rows(
      `select count(*)::int as drawers from drawers group by (opened_at at time zone 'Europe/Madrid')::date`,
      clinic,
    );
    await clinic.close();
    expect(new Set(drawersOfDays.map(({ drawers }) => drawers))).toEqual(new Set([1]));
    expect(today).toEqual({ several: true, past: true });
    expect(open!['open']).toBeGreaterThanOrEqual(5);
    expect(before).toEqual([1, 2, 3, 4].map((weeks) => ({ weeks, earned: true })));
    expect(late).toEqual([]);
  });

  test('speaks Spanish where it is started in Spanish, with the same prices, and English elsewhere', async () => {
    const spanish = await startTestServer({ demo: true, now: nowMs, environment: { CLINIC_LANGUAGE: 'sp' } });
    const names =
      'select name from stock_items union all select name from products union all select name from categories';
    const english = new Set((await rows(names)).map(({ name }) => name));
    expect((await rows(names, spanish)).filter(({ name }) => english.has(name))).toEqual([]);
    expect(
      await rows("select name, cost_minor::int from stock_items where search_key = 'limpieza dental'", spanish),
    ).toEqual([{ name: 'Limpieza dental', cost_minor: 6000 }]);
    const treatments = 'select number, total_minor, status from orders order by id';
    expect(await rows(treatments, spanish)).toEqual(await rows(treatments));
    const [settings] = await rows(
      "select data ->> 'default_language' as language, data ->> 'receipt_footer' as footer from settings",
      spanish,
    );
    expect(settings).toEqual({ language: 'sp', footer: '¡Hasta pronto!' });
    const [invoice] = await rows('select document::text as text from invoices limit 1', spanish);
    expect(invoice!['text']).toContain('Factura');
    await spanish.close();
  });

  test('is consistent in derived columns, invoices, numbers, stock and reservations', async () => {
    const stored = await rows('select id, status, subtotal_minor, total_minor, paid_minor, balance_minor from orders');
    const orders = await loadOrders(
      server.database.$client,
      server.clinicId,
      stored.map(({ id }) => id as string),
    );
    for (const row of stored) {
      const order = orders.get(row['id'] as string)!;
      const { subtotalMinor, totalMinor, paidMinor, balanceMinor } = totals(order);
      expect(
        [row['status'], row['subtotal_minor'], row['total_minor'], row['paid_minor'], row['balance_minor']].map(String),
      ).toEqual([statusOf(order), subtotalMinor, totalMinor, paidMinor, balanceMinor].map(String));
      const wasRefunded = order.payments.some(({ amountMinor }) => amountMinor < 0);
      expect(order.invoices.length).toBe(statusOf(order) === 'completed' || wasRefunded ? 1 : 0);
    }
    expect(await one('select count(*)::int - count(distinct number)::int from orders')).toBe(0);
    expect(await one('select count(*)::int from attention_items')).toBe(0);
    expect(
      await rows(`select name from stock_items s where quantity_milli <>
        (select coalesce(sum(effect_milli), 0) from stock_transactions t where t.clinic_id = s.clinic_id and t.stock_id = s.id)`),
    ).toEqual([]);
    expect(
      await rows(`select name from stock_items where is_available and is_stocked and quantity_milli <= 0`),
    ).toEqual([]);
    expect(
      await one(
        'select count(*)::int from stock_items where is_stocked and quantity_milli <= low_stock_threshold_milli',
      ),
    ).toBeGreaterThanOrEqual(3);
    expect(
      await one(
        `select count(*)::int from device_codes where treatment = (select count(*) from orders) and invoice = (select count(*) from invoices) and credit_note = 3`,
      ),
    ).toBe(1);
  });

  test('has a purchase order in each state, and supplies in lots of which some expire soon', async () => {
    expect(await rows('select number, vendor, status from purchase_orders order by number')).toEqual([
      { number: 'PO-000001', vendor: 'Farmadent', status: 'received' },
      { number: 'PO-000002', vendor: 'Composa', status: 'partial' },
      { number: 'PO-000003', vendor: 'Oralia Retail', status: 'cancelled' },
      { number: 'PO-000004', vendor: 'Henara Dental', status: 'sent' },
      { number: 'PO-000005', vendor: 'Composa', status: 'draft' },
    ]);
    expect(await one('select purchase_orders from clinics')).toBe(5);
    expect(
      await one("select count(*)::int from stock_transactions where type = 'purchase' and reference_id = 'PO-000001'"),
    ).toBe(3);
    expect(await one('select count(*)::int from stock_items where tracks_lots')).toBe(6);
    expect(await one("select lot_number from stock_lots where remaining_milli > 0 and expires_on < '2026-04-03'")).toBe(
      'BND-1170',
    );
    // The lots add up to the quantities of their items.
    expect(
      await rows(`select name from stock_items s where tracks_lots and quantity_milli <>
        (select sum(remaining_milli) from stock_lots l where l.clinic_id = s.clinic_id and l.stock_id = s.id)`),
    ).toEqual([]);
  });

  test('has a month of expenses in every state, and nobody decided on their own expense', async () => {
    expect(await rows('select status, count(*)::int from expenses group by status order by status')).toEqual([
      { status: 'approved', count: 19 },
      { status: 'pending', count: 4 },
      { status: 'rejected', count: 2 },
    ]);
    expect(
      await rows(
        'select min(expense_date)::text as first, max(expense_date)::text as last, count(distinct category)::int as categories from expenses',
      ),
    ).toEqual([{ first: '2026-02-02', last: '2026-03-04', categories: 10 }]);
    expect(
      await one(
        `select count(*)::int from expenses where decided_by = submitted_by or decided_at > '${new Date(nowMs).toISOString()}'`,
      ),
    ).toBe(0);
  });

  test('has discounts within the limit, and three refunds that a manager gave on a later day', async () => {
    expect(await one('select count(*)::int from orders where discount_minor > 0')).toBeGreaterThan(10);
    expect(
      await one(
        "select count(*)::int from orders where discount_minor > subtotal_minor / 10 + 1 or (discount_minor > 0) <> (discount_reason <> '')",
      ),
    ).toBe(0);
    const refunds = await rows(
      `select o.status, p.credit_note_number as number, p.business_day > o.business_day as later, -p.amount_minor = o.total_minor as whole, u.role, p.reason <> '' as explained
       from payments p join orders o on o.id = p.order_id join users u on u.id = p.actor_id where p.amount_minor < 0 order by p.credit_note_number`,
    );
    expect(refunds).toEqual(
      [1, 2, 3].map((count) => ({
        status: 'cancelled',
        number: `R-A1-00000${count}`,
        later: true,
        whole: true,
        role: 'manager',
        explained: true,
      })),
    );
  });

  test('has a drawer count on most evenings, mostly without a difference, and its reports contain the cash expenses', async () => {
    const drawers = await reportDrawers(server.database.$client, server.clinicId, await closedDrawers());
    expect(drawers.length).toBeGreaterThan(18);
    const differences = drawers.map(({ report }) => report.difference!.cash);
    expect(differences.filter((difference) => difference === 0).length).toBeGreaterThan(drawers.length / 2);
    expect(differences.some((difference) => difference !== 0)).toBe(true);
    expect(differences.every((difference) => Math.abs(difference) <= 10)).toBe(true);
    expect(
      drawers.every(({ report }) => report.is_final && report.difference!.card === 0 && report.sales.count > 0),
    ).toBe(true);
    expect(drawers.reduce((sum, { report }) => sum + report.refunds.count, 0)).toBe(3);
    const spent = await rows(
      'select title, (amount_minor / 100.0)::float8 as amount, drawer_id from expenses where drawer_id is not null',
    );
    expect(spent.length).toBeGreaterThan(0);
    for (const { title, amount, drawer_id } of spent) {
      expect(drawers.find(({ id }) => id === drawer_id)!.report.movements).toContainEqual(
        expect.objectContaining({ reason: title, amount: -(amount as number), is_late: false }),
      );
    }
  });

  test('has a patient for every treatment that names one, and two patients with the same name', async () => {
    expect(await one('select count(*)::int from patients')).toBe(36);
    expect(
      await one(
        "select count(*)::int from orders o where customer_name <> '' and not exists (select from patients p where p.id = o.patient_id and p.name = o.customer_name)",
      ),
    ).toBe(0);
    expect(await one('select count(distinct patient_id)::int from orders')).toBe(36);
    expect(await one("select count(distinct phone)::int from patients where name = 'Carmen Vidal'")).toBe(2);
  });

  test('has its sign-ins, its setup and each drawer from opening to count in the audit log', async () => {
    const deeds = Object.fromEntries(
      (await rows('select action, count(*)::int as number from audit_log group by action')).map(
        ({ action, number }) => [action, number],
      ),
    );
    const drawers = (await one('select count(*)::int from drawers')) as number;
    expect(deeds).toMatchObject({
      'staff.created': 6,
      'room.created': 6,
      'category.created': 8,
      sign_in: drawers,
      'drawer.opened': drawers,
      'drawer.closed': (await closedDrawers()).length,
    });
    expect(deeds['expense.create']).toBeGreaterThan(10);
    expect(auditActions).toEqual(expect.arrayContaining(Object.keys(deeds)));
    expect(
      await one(`select count(*)::int from audit_log where at > '${new Date(nowMs).toISOString()}' or user_id is null`),
    ).toBe(0);
  });

  test('is the same each time it is created for the same moment', async () => {
    const facts = [
      'select id, number, status, customer_name, total_minor, created_at from orders order by id',
      'select id, name, phone, name_at from patients order by id',
      'select id, name, quantity_milli, reserved_milli from stock_items order by id',
      'select id, at, user_id, action, subject, details from audit_log order by id',
      'select id, order_id, method, amount_minor, reference from payments order by id',
      'select id, number, document from invoices order by id',
      'select title, amount_minor, status, expense_date, submitted_by, decided_by, decision_notes, drawer_id from expenses order by id',
      'select id, float_minor, opened_at, closed_at, counted, notes from drawers order by id',
      'select op_id, drawer_id, amount_minor, reason, actor_id, effective_at from drawer_movements order by op_id',
      'select stock_id, lot_number, expires_on, remaining_milli from stock_lots order by id',
    ];
    const other = await startTestServer({ demo: true, now: nowMs });
    for (const query of facts) expect(await rows(query, other)).toEqual(await rows(query));
    await other.close();
  });
});
