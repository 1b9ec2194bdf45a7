/** Who removed what, with the events behind: nobody takes something off a treatment without a trace. */
import readSheets from 'read-excel-file/node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PersonRemovals, RemovalsReport } from '#domain/report/removals.ts';
import { roles } from '#domain/staff/roles.ts';
import { line, TestDevice } from '#tests/support/device.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { newId } from '#tests/support/unique.ts';

const day = 86_400_000;
const begin = Date.parse('2027-07-01T10:00:00Z');
let nowMs = begin;
let server: TestServer;
let clerk: TestDevice;
let manager: TestDevice;

const at = () => ({ occurred_at: new Date((nowMs += 1000)).toISOString() });

beforeAll(async () => {
  server = await startTestServer({ now: () => nowMs });
  clerk = await TestDevice.enrol(server);
  manager = await TestDevice.enrol(server, 'manager');
});
afterAll(() => server.close());

async function send(device: TestDevice, ...operations: Parameters<TestDevice['send']>) {
  const results = await device.send(...operations);
  expect(results.map(({ reply, status }) => (status === 'applied' ? status : reply))).toEqual(
    operations.map(() => 'applied'),
  );
}

const report = async (query: Record<string, string> = {}, device = manager): Promise<RemovalsReport> => {
  const url = `/api/reports/removals?${new URLSearchParams(query).toString()}`;
  const reply = await server.app.inject({ url, headers: device.headers });
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json<{ data: RemovalsReport }>().data;
};

const named = (people: readonly PersonRemovals[]) =>
  Object.fromEntries(people.map(({ person, kinds, count, amount }) => [person, { kinds, count, amount }]));

describe('GET /reports/removals', () => {
  test('says of each person what they removed, cancelled, gave back, discounted and gave up', async () => {
    const [crown, cleaning, filling] = [60, 40, 30].map((unit_price, index) =>
      line({ unit_price, name: ['Crown', 'Cleaning', 'Filling'][index]!, quantity: index === 2 ? 3 : 1 }),
    );
    const visit = clerk.create([crown!, cleaning!, filling!], at());
    const { order_id } = visit.payload;
    await send(clerk, visit);
    await send(
      clerk,
      clerk.operation('order.change', { order_id, removed_line_ids: [cleaning!.line_id] }, at()),
      clerk.operation(
        'order.change',
        { order_id, replaced_items: [{ ...filling!, line_id: newId(), quantity: 1, replaces: filling!.line_id }] },
        at(),
      ),
    );
    // Another tablet removes what is gone already, and a larger quantity removes nothing.
    const again = manager.operation('order.change', { order_id, removed_line_ids: [cleaning!.line_id] }, at());
    await manager.send(again);

    const cancelled = clerk.create([line({ unit_price: 25 })], at());
    await send(clerk, cancelled);
    await send(
      clerk,
      clerk.operation(
        'order.cancel',
        { order_id: cancelled.payload.order_id, status: 'cancelled', notes: 'wrong' },
        at(),
      ),
    );

    const paid = clerk.create([line({ unit_price: 100 })], at());
    await send(clerk, paid, clerk.pay(paid, 100, {}, at()));
    await send(
      manager,
      manager.operation(
        'order.refund',
        {
          order_id: paid.payload.order_id,
          refund_id: newId(),
          payment_method: 'cash',
          amount: 20.5,
          reason: 'chipped',
          reduction: 20.5,
          credit_note_number: manager.number('credit_note'),
        },
        at(),
      ),
    );

    const plain = clerk.create([line({ unit_price: 50 })]);
    const discounted = clerk.operation(
      'order.create',
      { ...plain.payload, discount: 2.5, discount_reason: 'family', total: 47.5 },
      at(),
    );
    await send(clerk, discounted);

    const refused = clerk.create([line({ unit_price: -5 })], at());
    await clerk.send(refused);
    await send(
      manager,
      manager.operation(
        'operation.void',
        { op_id: refused.op_id, reason: 'a test' },
        { aggregate: refused.aggregate, supersedes: refused.op_id, ...at() },
      ),
    );

    const { people, events, total } = await report();
    expect(named(people)).toEqual({
      counter: {
        kinds: {
          removed: { count: 2, amount: 100 },
          cancelled: { count: 1, amount: 25 },
          discounted: { count: 1, amount: 2.5 },
        },
        count: 4,
        amount: 127.5,
      },
      manager: {
        kinds: { refunded: { count: 1, amount: 20.5 }, given_up: { count: 1, amount: expect.any(Number) } },
        count: 2,
        amount: expect.any(Number),
      },
    });
    expect(total).toBe(6);
    expect(events.map(({ kind, person, what, reason, amount }) => [kind, person, what, reason, amount])).toEqual([
      ['given_up', 'manager', '', '', expect.any(Number)],
      ['discounted', 'counter', '', 'family', 2.5],
      ['refunded', 'manager', expect.stringMatching(/^[A-Z]/), 'chipped', 20.5],
      ['cancelled', 'counter', '', 'wrong', 25],
      ['removed', 'counter', 'Filling', '', 60],
      ['removed', 'counter', 'Cleaning', '', 40],
    ]);
    expect(events.find(({ what }) => what === 'Cleaning')).toMatchObject({
      number: visit.payload.number,
      order_id,
      approver: null,
      currency: 'EUR',
    });
  });

  test('has the business days that are asked for, the person, and one page', async () => {
    const before = await report();
    nowMs += day;
    const late = await TestDevice.enrol(server);
    const next = late.create([line({ unit_price: 11 })], at());
    await send(late, next);
    await send(late, late.operation('order.cancel', { order_id: next.payload.order_id, status: 'cancelled' }, at()));
    const boss = await TestDevice.enrol(server, 'manager');
    const [first, second] = ['2027-07-01', '2027-07-02'];
    expect(await report({ startDate: first, endDate: first }, boss)).toEqual(before);
    const today = await report({ startDate: second }, boss);
    expect([today.total, today.events.map(({ amount }) => amount)]).toEqual([1, [11]]);
    const own = await report({ person: String(clerk.userId) }, boss);
    expect(new Set(own.events.map(({ person_id }) => person_id))).toEqual(new Set([clerk.userId]));
    const page = await report({ page: '2', size: '2' }, boss);
    expect([page.total, page.events]).toEqual([7, (await report({}, boss)).events.slice(2, 4)]);
    manager = boss;
  });

  test.each(roles)('is read by managers alone, not by others: %s', async (role) => {
    const { headers } = await TestDevice.enrol(server, role);
    const reply = await server.app.inject({ url: '/api/reports/removals', headers });
    expect(reply.statusCode).toBe(['admin', 'manager'].includes(role) ? 200 : 403);
  });

  test.each([
    [{ startDate: '2027-07-02', endDate: '2027-07-01' }],
    [{ startDate: 'yesterday' }],
    [{ person: 'x' }],
    [{ persons: '1' }],
  ])('refuses %j', async (query) => {
    const url = `/api/reports/removals?${new URLSearchParams(query).toString()}`;
    expect((await server.app.inject({ url, headers: manager.headers })).statusCode).toBe(400);
  });
});

describe('POST /reports/removals/export', () => {
  const exported = (format: 'excel' | 'pdf', payload: object = {}) =>
    server.app.inject({
      method: 'POST',
      url: `/api/reports/removals/export/${format}`,
      headers: manager.headers,
      payload,
    });

  test('writes the people and the events into a workbook, in the language asked for', async () => {
    const reply = await exported('excel', { language: 'sp' });
    expect(reply.statusCode).toBe(200);
    const sheets = await readSheets(reply.rawPayload);
    expect(sheets.map(({ sheet }) => sheet)).toEqual(['Personas', 'Movimientos']);
    const [people, events] = sheets.map(({ data }) => data);
    expect(people!.slice(1, 3).map(([person]) => person)).toEqual(expect.arrayContaining(['counter', 'manager']));
    expect(events).toHaveLength(8);
    expect(events![0]).toContain('Aprobado por');
    const { total } = await report();
    expect(reply.headers['x-total-rows']).toBe(String(total));
  });

  test('draws a PDF, also of a period without events', async () => {
    for (const payload of [{}, { startDate: '2020-01-01', endDate: '2020-01-02' }]) {
      const reply = await exported('pdf', payload);
      expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'application/pdf']);
      expect(reply.rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
      expect(reply.rawPayload.length).toBeGreaterThan(1000);
    }
  });

  test('is noted in the audit log', async () => {
    const { rows } = await server.database.$client.query<{ details: object }>(
      `select details from audit_log where action = 'report.exported' order by id limit 1`,
    );
    expect(rows[0]!.details).toEqual({ report: 'removals', format: 'excel', rows: 7 });
  });
});
