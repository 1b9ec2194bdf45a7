import { eq } from 'drizzle-orm';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { DrawerRowResource } from '#domain/drawer/resource.ts';
import type { AnyOperation, PayloadOf } from '#domain/protocol/operations.ts';
import type { PaymentMethod } from '#domain/order/vocabulary.ts';
import type { DayEnd } from '#domain/notification/day-end.ts';
import { maxOpenDrawers } from '#domain/limits.ts';
import { auditLog } from '#server/db/schema/access.ts';
import { devices } from '#server/db/schema/clinics.ts';
import type { ReportedDrawer } from '#server/modules/drawers/service.ts';
import { line, TestDevice } from '#tests/support/device.ts';
import { newId } from '#tests/support/unique.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { quietTime } from '#tests/support/quiet-time.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** Nine in the morning, on the server's clock, which each test advances. */
const morning = Date.UTC(2026, 4, 12, 7);

let nowMs = morning;
const servers: TestServer[] = [];
let server: TestServer;
let desk: TestDevice;
let surgery: TestDevice;

beforeEach(async () => {
  nowMs = morning;
  server = await startTestServer({ now: () => nowMs });
  servers.push(server);
  [desk, surgery] = [await TestDevice.enrol(server), await TestDevice.enrol(server)];
});
afterAll(() => Promise.all(servers.map((each) => each.close())));

const at = (ms: number) => ({ occurred_at: new Date(ms).toISOString() });
const nothing: Record<PaymentMethod, number> = { cash: 0, card: 0, insurance: 0, others: 0 };

function opening(device: TestDevice, float = 100, ms = nowMs): AnyOperation {
  return device.operation('drawer.open', { drawer_id: newId(), currency: 'EUR', float }, at(ms));
}
const idOf = ({ payload }: AnyOperation) => (payload as PayloadOf['drawer.open']).drawer_id;

function moving(
  device: TestDevice,
  open: AnyOperation,
  direction: 'in' | 'out',
  amount: number,
  ms = nowMs,
): AnyOperation {
  return device.operation(
    'drawer.move',
    { drawer_id: idOf(open), direction, amount, reason: 'Change from the bank' },
    { depends_on: [open.op_id], ...at(ms) },
  );
}

function closing(device: TestDevice, open: AnyOperation, cash: number, ms = nowMs): AnyOperation {
  return device.operation(
    'drawer.close',
    { drawer_id: idOf(open), counted: { ...nothing, cash } },
    { depends_on: [open.op_id], ...at(ms) },
  );
}

/** A treatment of one service, paid at once. */
function sale(device: TestDevice, price: number, ms = nowMs, method: PaymentMethod = 'cash'): AnyOperation[] {
  const items = [line({ unit_price: price })];
  const created = device.create(items, at(ms));
  return [created, device.pay(created, price, { payment_method: method, invoice: device.invoice(items) }, at(ms))];
}

async function ask(device: { headers: Record<string, string> }, url: string) {
  return server.app.inject({ url: `/api/${url}`, headers: device.headers });
}
async function post(device: { headers: Record<string, string> }, url: string, payload: object, key?: string) {
  return server.app.inject({
    method: 'POST',
    url: `/api/${url}`,
    headers: { ...device.headers, ...(key && { 'idempotency-key': key }) },
    payload,
  });
}
async function reportOf(open: AnyOperation, by = desk): Promise<ReportedDrawer> {
  return (await ask(by, `drawers/${idOf(open)}/report`)).json<{ data: ReportedDrawer }>().data;
}
async function dayEndOf(day = '2026-05-12'): Promise<DayEnd> {
  const office = await TestDevice.enrol(server, 'manager');
  return (await ask(office, `reports/day-end?day=${day}`)).json<{ data: DayEnd }>().data;
}
const statuses = async (device: TestDevice, ...operations: AnyOperation[]) =>
  (await device.send(...operations)).map(({ status }) => status);

describe('SYNC-2 a drawer operation in a batch', () => {
  test('opens, moves and closes the drawer as recorded, and is audited', async () => {
    const open = opening(desk);
    nowMs += hourMs;
    expect(
      await statuses(
        desk,
        open,
        moving(desk, open, 'in', 50),
        moving(desk, open, 'out', 20.5),
        closing(desk, open, 129.5),
      ),
    ).toEqual(Array(4).fill('applied'));
    const { report, ...drawer } = await reportOf(open);
    expect(drawer).toMatchObject({
      float: 100,
      opened_at: new Date(morning).toISOString(),
      closed_at: new Date(nowMs).toISOString(),
      device_code: desk.info.code,
    });
    expect(drawer.people).toEqual({ [desk.userId]: 'counter' });
    expect(report).toMatchObject({ expected: { ...nothing, cash: 129.5 }, difference: nothing });
    const log = await server.database
      .select()
      .from(auditLog)
      .where(eq(auditLog.subject, idOf(open)));
    expect(log.map(({ action, details, deviceId }) => ({ action, details, deviceId }))).toEqual([
      { action: 'drawer.opened', details: { float: 100 }, deviceId: desk.info.device_id },
      { action: 'drawer.moved', details: { direction: 'in', amount: 50 }, deviceId: desk.info.device_id },
      { action: 'drawer.moved', details: { direction: 'out', amount: 20.5 }, deviceId: desk.info.device_id },
      { action: 'drawer.closed', details: { ...nothing, cash: 129.5 }, deviceId: desk.info.device_id },
    ]);
  });

  test('SYNC-4 takes effect once, and a replay returns the stored reply byte for byte', async () => {
    const open = opening(desk);
    const move = moving(desk, open, 'out', 30);
    const close = closing(desk, open, 70);
    const first = await desk.send(open, move, close);
    const again = await desk.send(open, move, close);
    expect(again.map(({ replayed }) => replayed)).toEqual([true, true, true]);
    expect(again.map(({ reply }) => JSON.stringify(reply))).toEqual(first.map(({ reply }) => JSON.stringify(reply)));
    expect((await reportOf(open)).report).toMatchObject({ expected: { cash: 70 }, movements: [{ amount: -30 }] });
  });

  test('is refused when it opens or closes a drawer a second time', async () => {
    const open = opening(desk);
    const twin = surgery.operation('drawer.open', { drawer_id: idOf(open), currency: 'EUR', float: 5 });
    await desk.send(open, closing(desk, open, 100));
    expect(await surgery.send(twin, closing(surgery, open, 90))).toMatchObject([
      { status: 'refused', reply: { code: 'DRAWER_EXISTS' } },
      { status: 'refused', reply: { code: 'DRAWER_CLOSED' } },
    ]);
    expect((await reportOf(open)).counted).toEqual({ ...nothing, cash: 100 });
  });

  test('SYNC-5 waits when it arrives before the opening', async () => {
    const open = opening(desk);
    const unknown = surgery.operation('drawer.move', {
      drawer_id: idOf(open),
      direction: 'in',
      amount: 1,
      reason: 'float',
    });
    expect(await surgery.send(unknown)).toMatchObject([{ status: 'waiting', reply: { code: 'DRAWER_NOT_FOUND' } }]);
    const close = closing(desk, open, 101);
    expect(await desk.send(close)).toMatchObject([{ status: 'waiting', reply: { code: 'DEPENDENCY_PENDING' } }]);
    await desk.send(open);
    expect(await statuses(surgery, unknown)).toEqual(['applied']);
    expect(await statuses(desk, close)).toEqual(['applied']);
    expect((await reportOf(open)).report.difference).toEqual(nothing);
  });

  test('is recorded and marked as late when it is a movement after the close', async () => {
    const open = opening(desk);
    nowMs += hourMs;
    await desk.send(open, closing(desk, open, 100));
    nowMs += hourMs;
    const inTime = moving(surgery, open, 'out', 10, nowMs - 90 * minuteMs);
    const late = moving(surgery, open, 'out', 25);
    expect(await statuses(surgery, inTime, late)).toEqual(['applied', 'applied']);
    const { report } = await reportOf(open);
    expect(report.movements.map(({ amount, is_late }) => [amount, is_late])).toEqual([
      [-10, false],
      [-25, true],
    ]);
    expect(report).toMatchObject({ expected: { cash: 90 }, difference: { cash: 10 } });
  });

  test('is refused when it is malformed or its actor has no permission', async () => {
    const open = opening(desk);
    await desk.send(open);
    const kitchen = await TestDevice.enrol(server, 'kitchen');
    const wrong = [
      desk.operation('drawer.open', { drawer_id: newId(), currency: 'EUR', float: -1 }),
      desk.operation('drawer.move', { drawer_id: idOf(open), direction: 'in', amount: 0, reason: 'float' }),
      desk.operation('drawer.move', { drawer_id: idOf(open), direction: 'in', amount: 5, reason: ' x ' }),
      desk.operation('drawer.close', { drawer_id: idOf(open), counted: { cash: 1 } as never }),
      desk.operation('drawer.close', { drawer_id: idOf(open), counted: nothing }, { aggregate: `drawer:${newId()}` }),
    ];
    expect((await desk.send(...wrong)).map(({ reply }) => !reply.success && reply.code)).toEqual(
      Array(5).fill('VALIDATION'),
    );
    expect(await kitchen.send(closing(kitchen, open, 100))).toMatchObject([
      { status: 'refused', reply: { code: 'FORBIDDEN' } },
    ]);
  });
});

describe('the Z report', () => {
  test('contains exactly the payments of all devices while the drawer was open', async () => {
    await desk.send(...sale(desk, 11));
    nowMs += minuteMs;
    const open = opening(desk);
    nowMs += hourMs;
    const mixed = line({ unit_price: 40 });
    const created = surgery.create([mixed]);
    const part = surgery.pay(created, 15, { payment_method: 'card' });
    await desk.send(open, ...sale(desk, 60), ...sale(desk, 25.5, nowMs, 'card'));
    await surgery.send(created, part, surgery.pay(created, 25, { invoice: surgery.invoice([mixed]) }));
    const [paid, payment] = sale(desk, 30);
    await desk.send(paid!, payment!);
    nowMs += minuteMs;
    const office = await TestDevice.enrol(server, 'manager');
    const { order_id } = paid!.payload as PayloadOf['order.create'];
    const credit_note_number = office.number('credit_note');
    await office.send(
      office.operation(
        'order.refund',
        {
          order_id,
          refund_id: newId(),
          payment_method: 'cash',
          amount: 30,
          reason: 'not done',
          reduction: 30,
          credit_note_number,
        },
        at(nowMs),
      ),
    );
    nowMs += hourMs;
    await desk.send(closing(desk, open, 185));
    nowMs += minuteMs;
    await desk.send(...sale(desk, 77));
    const { report } = await reportOf(open);
    expect(report.expected).toEqual({ cash: 100 + 60 + 25 + 30 - 30, card: 40.5, insurance: 0, others: 0 });
    expect(report.difference).toEqual({ cash: 0, card: -40.5, insurance: 0, others: 0 });
    expect(report.sales).toEqual({ count: 4, amount: 155.5 });
    expect(report.refunds).toEqual({ count: 1, amount: -30 });
    expect(report.invoices).toEqual([
      { first: `INV-${desk.info.code}-000002`, last: `INV-${desk.info.code}-000004`, count: 3 },
      { first: `INV-${surgery.info.code}-000001`, last: `INV-${surgery.info.code}-000001`, count: 1 },
    ]);
  });

  test('counts a discount once when two tablets take the money of one treatment, in the drawer of the first', async () => {
    const [first, second] = [opening(desk, 0), opening(surgery, 0)];
    nowMs += hourMs;
    const items = [line({ unit_price: 100 })];
    const created = desk.create(items, at(nowMs));
    Object.assign(created.payload, { discount: 10, total: 90 });
    const take = (device: TestDevice) => {
      const invoice = { ...device.invoice(items), discount_amount: 10, total_amount: 90 };
      return device.pay(created, 90, { invoice: { ...invoice, issued_at: at(nowMs).occurred_at } }, at(nowMs));
    };
    const earlier = take(surgery);
    nowMs += minuteMs;
    expect(await statuses(desk, first, created, take(desk))).toEqual(Array(3).fill('applied'));
    expect((await reportOf(first)).report.discounts).toEqual({ count: 1, amount: 10 });
    // The other invoice was issued before, and only now arrives.
    expect(await statuses(surgery, second, earlier)).toEqual(Array(2).fill('applied'));
    expect((await reportOf(first)).report.discounts).toEqual({ count: 0, amount: 0 });
    expect((await reportOf(second)).report.discounts).toEqual({ count: 1, amount: 10 });
  });

  test('assigns a payment to the drawer of its device when two drawers are open', async () => {
    const [first, second] = [opening(desk, 10), opening(surgery, 20, nowMs + minuteMs)];
    nowMs += hourMs;
    const third = await TestDevice.enrol(server);
    await desk.send(first, ...sale(desk, 1));
    await surgery.send(second, ...sale(surgery, 2));
    await third.send(...sale(third, 4));
    expect((await reportOf(first)).report.expected.cash).toBe(10 + 1 + 4);
    expect((await reportOf(second)).report.expected.cash).toBe(20 + 2);
  });

  test('is provisional until every device that may hold its payments has sent them all, then becomes complete', async () => {
    const open = opening(desk);
    await desk.send(open);
    nowMs += hourMs;
    // Sold offline, and sent after the close.
    const offline = sale(surgery, 33);
    nowMs += hourMs;
    await desk.send(closing(desk, open, 133));
    const provisional = (await reportOf(open)).report;
    expect(provisional.is_final).toBe(false);
    expect(provisional.awaits.map(({ code, since }) => ({ code, since }))).toEqual([
      { code: desk.info.code, since: new Date(nowMs).toISOString() },
      { code: surgery.info.code, since: new Date(morning).toISOString() },
    ]);
    await desk.pull(undefined, 0);
    expect((await reportOf(open)).report.awaits.map(({ code }) => code)).toEqual([surgery.info.code]);
    const { cursor } = await desk.pull(undefined, 0);

    nowMs += minuteMs;
    await surgery.pull(undefined, 2);
    expect((await reportOf(open)).report.awaits).toMatchObject([
      { code: surgery.info.code, waiting: 2, since: new Date(nowMs).toISOString() },
    ]);
    await surgery.send(...offline);
    await surgery.pull(undefined, 0);
    expect((await reportOf(open)).report).toMatchObject({
      is_final: true,
      awaits: [],
      expected: { cash: 133 },
      difference: nothing,
    });

    // The feed returns the drawer, and later operations of the device don't reopen it.
    const { rows } = await desk.pull(cursor, 0);
    expect(rows.drawers).toMatchObject([
      {
        id: idOf(open),
        devices: [
          { id: desk.info.device_id },
          { id: surgery.info.device_id, cleared_at: new Date(nowMs).toISOString() },
        ],
      },
    ]);
    nowMs += minuteMs;
    await surgery.pull(undefined, 1);
    expect((await reportOf(open)).report.is_final).toBe(true);
  });

  test('does not wait for a device that signed out before the opening', async () => {
    await post(surgery, 'auth/logout', {});
    nowMs += minuteMs;
    const open = opening(desk);
    nowMs += hourMs;
    await desk.send(open, closing(desk, open, 100));
    await desk.pull(undefined, 0);
    expect((await reportOf(open)).report.is_final).toBe(true);
  });
});

describe('devices that do not keep a report provisional', () => {
  const isFinal = async (open: AnyOperation, by = desk) => (await reportOf(open, by)).report.is_final;

  test('were not heard of on the day of the drawer, although their session has not ended', async () => {
    nowMs += 24 * hourMs;
    const today = await TestDevice.enrol(server);
    const open = opening(today);
    nowMs += hourMs;
    await today.send(open, closing(today, open, 100));
    await today.pull(undefined, 0);
    expect(await isFinal(open, today)).toBe(true);
  });

  test('belong to a manager, took no money that day and have nothing to send', async () => {
    await post(surgery, 'auth/logout', {});
    nowMs += minuteMs;
    const open = opening(desk);
    const browser = await TestDevice.enrol(server, 'manager');
    await browser.pull(undefined, 0);
    nowMs += hourMs;
    await desk.send(open, closing(desk, open, 100));
    await desk.pull(undefined, 0);
    expect(await isFinal(open)).toBe(true);
  });

  test('unlike a manager’s that took money, or has work to send', async () => {
    await post(surgery, 'auth/logout', {});
    nowMs += minuteMs;
    const open = opening(desk);
    const [till, waiting] = [await TestDevice.enrol(server, 'manager'), await TestDevice.enrol(server, 'manager')];
    await till.send(...sale(till, 20));
    await waiting.pull(undefined, 1);
    nowMs += hourMs;
    await desk.send(open, closing(desk, open, 120));
    await desk.pull(undefined, 0);
    const { awaits } = (await reportOf(open)).report;
    expect(awaits.map(({ code }) => code)).toEqual([till.info.code, waiting.info.code]);
  });

  test('are heard of after the close', async () => {
    const open = opening(desk);
    nowMs += hourMs;
    await desk.send(open, closing(desk, open, 100));
    await desk.pull(undefined, 0);
    expect(await isFinal(open)).toBe(false);
    nowMs += minuteMs;
    await surgery.pull(undefined, 0);
    expect(await isFinal(open)).toBe(true);
  });

  test('are revoked', async () => {
    const open = opening(desk);
    await surgery.send(...sale(surgery, 20));
    nowMs += hourMs;
    await desk.send(open, closing(desk, open, 100));
    await desk.pull(undefined, 0);
    const manager = await TestDevice.enrol(server, 'manager');
    await manager.pull(undefined, 0);
    expect(await isFinal(open)).toBe(false);
    await post(manager, `devices/${surgery.info.device_id}/revoke`, { reason: 'lost on the train' });
    expect(await isFinal(open)).toBe(true);
  });
});

describe('the cash of a day', () => {
  test('adds up: what the drawers hold and what was taken and given back while none was open', async () => {
    const [early, paid] = sale(desk, 790);
    await desk.send(early!, paid!, ...sale(desk, 55, nowMs, 'card'));
    nowMs += minuteMs;
    const [first, second] = [opening(desk, 100), opening(surgery, 50)];
    nowMs += hourMs;
    await desk.send(first, ...sale(desk, 60));
    await surgery.send(second, ...sale(surgery, 25));
    nowMs += hourMs;
    await desk.send(closing(desk, first, 160));
    await surgery.send(closing(surgery, second, 75));
    nowMs += hourMs;
    const office = await TestDevice.enrol(server, 'manager');
    const { order_id } = early!.payload as PayloadOf['order.create'];
    const refund = {
      order_id,
      refund_id: newId(),
      payment_method: 'cash' as const,
      amount: 90,
      reason: 'not done',
      reduction: 90,
    };
    await office.send(
      office.operation('order.refund', { ...refund, credit_note_number: office.number('credit_note') }, at(nowMs)),
    );
    const { cash, drawers, byMethod } = await dayEndOf();
    expect(cash).toEqual({ inDrawers: 85, outside: 700, outsideCount: 2 });
    // Both were opened at the same moment, so either may come first.
    expect(new Set(drawers.map(({ cash: own }) => own))).toEqual(new Set([60, 25]));
    expect(byMethod.find(({ method }) => method === 'cash')!.amount).toBe(cash.inDrawers + cash.outside);
  });

  test('counts in a drawer that stays open over midnight on the day of each payment', async () => {
    const open = opening(desk);
    await desk.send(open, ...sale(desk, 10));
    nowMs += 24 * hourMs;
    const returned = await TestDevice.enrol(server);
    await returned.send(...sale(returned, 20));
    expect(await dayEndOf()).toMatchObject({ cash: { inDrawers: 10, outside: 0 }, drawers: [{ cash: null }] });
    nowMs += minuteMs;
    await returned.send(closing(returned, open, 130));
    expect(await dayEndOf('2026-05-13')).toMatchObject({
      cash: { inDrawers: 20, outsideCount: 0 },
      drawers: [{ cash: 20, expected: 130 }],
    });
  });
});

describe('thousands of drawers', () => {
  /** Plants drawers that one device has opened since the morning, and as many that it has closed. */
  const plantDrawers = (count: number) =>
    server.database.execute(`
      insert into drawers (clinic_id, id, opened_at, opened_by, device_id, currency, float_minor, closed_at, closed_by, counted)
      select ${server.clinicId}, gen_random_uuid(), opened_at, ${desk.userId}, ${desk.info.device_id}, 'EUR', 0,
        case when is_closed then opened_at + interval '1 second' end, case when is_closed then ${desk.userId} end,
        case when is_closed then '{"cash": 0, "card": 0, "insurance": 0, "others": 0}'::jsonb end
      from (select timestamptz '${new Date(morning).toISOString()}' + n * interval '1 second' as opened_at
        from generate_series(0, ${count - 1}) n) moments, (values (true), (false)) kinds (is_closed);
      analyze drawers`);

  test('of one device are refused beyond its bound, until one of them is closed', async () => {
    const opens = Array.from({ length: maxOpenDrawers + 2 }, () => opening(desk));
    const sent = await statuses(desk, ...opens);
    expect(sent).toEqual([...Array<string>(maxOpenDrawers).fill('applied'), 'refused', 'refused']);
    expect(await statuses(surgery, opening(surgery))).toEqual(['applied']);
    expect(await statuses(desk, closing(desk, opens[0]!, 100), opening(desk), opening(desk))).toEqual([
      'applied',
      'applied',
      'refused',
    ]);
  });

  test('that stand open and were closed do not slow down an opening, a new tablet and the day end', async () => {
    await desk.send(...sale(desk, 10));
    await plantDrawers(5000);
    const fresh = await TestDevice.enrol(server);
    const open = async () => expect((await post(fresh, 'drawers', { float: 5 })).statusCode).toBe(201);
    const opened = await quietTime(open, { attempts: 1 });
    const pulled = await quietTime(async () => {
      const { rows } = await fresh.pull();
      expect(rows.drawers).toHaveLength(400);
    });
    const ended = await quietTime(async () => {
      const { drawers, drawerCount, cash } = await dayEndOf();
      expect([drawers.length, drawerCount, cash.inDrawers]).toEqual([100, 10_001, 10]);
    });
    // They took 2.6 s and 2.4 s while every open drawer was read with its devices.
    expect(opened).toBeLessThan(700);
    expect(pulled).toBeLessThan(1200);
    expect(ended).toBeLessThan(4000);
  });
});

describe('the report of a device', () => {
  const noted = async () =>
    (await server.database.select().from(devices).where(eq(devices.id, desk.info.device_id)))[0]!;

  test('is stored when it changes, and otherwise once a minute', async () => {
    await desk.pull(undefined, 3);
    expect(await noted()).toMatchObject({ waiting: 3, lastSeenAt: morning });
    nowMs += 30_000;
    await desk.pull(undefined, 3);
    expect(await noted()).toMatchObject({ waiting: 3, lastSeenAt: morning });
    await desk.pull(undefined, 2);
    expect(await noted()).toMatchObject({ waiting: 2, lastSeenAt: nowMs, clearedAt: morning });
    nowMs += 61_000;
    await desk.pull(undefined, 2);
    expect(await noted()).toMatchObject({ lastSeenAt: nowMs });
    await desk.pull(undefined, 0);
    expect(await noted()).toMatchObject({ waiting: 0, clearedAt: nowMs });
  });
});

describe('SYNC-9 the feed', () => {
  test('tells tablets by pieces of the same awaited devices as it tells a new one', async () => {
    const open = opening(desk);
    const manager = await TestDevice.enrol(server, 'manager');
    await manager.pull(undefined, 0);
    nowMs += hourMs;
    await desk.send(open, closing(desk, open, 100));
    await desk.pull(undefined, 0);
    let cursor: string | undefined;
    let known: unknown;
    const awaitsOf = ({ rows }: Awaited<ReturnType<TestDevice['pull']>>) =>
      rows.drawers.map(({ devices: listed }) => listed.map(({ code, name, waiting }) => ({ code, name, waiting })))[0];
    const expectSame = async () => {
      const pieces = await desk.pull(cursor, 0);
      ({ cursor } = pieces);
      known = awaitsOf(pieces) ?? known;
      expect(known).toEqual(awaitsOf(await desk.pull(undefined, 0)));
      return known;
    };
    await expectSame();
    const report = async (device: TestDevice, waiting: number) => {
      nowMs += minuteMs;
      await device.pull(undefined, waiting);
      return expectSame();
    };
    expect(await report(surgery, 3)).toContainEqual(expect.objectContaining({ code: surgery.info.code, waiting: 3 }));
    expect(await report(surgery, 2)).toContainEqual(expect.objectContaining({ code: surgery.info.code, waiting: 2 }));
    // A manager's browser is awaited once it has something to send.
    expect(await report(manager, 1)).toContainEqual(expect.objectContaining({ code: manager.info.code, waiting: 1 }));
    await report(manager, 0);
    await server.app.inject({
      method: 'PUT',
      url: `/api/devices/${surgery.info.device_id}`,
      headers: { authorization: `Bearer ${await server.login('admin')}` },
      payload: { name: 'The blue one' },
    });
    expect(await expectSame()).toContainEqual(expect.objectContaining({ name: 'The blue one' }));
    await post(manager, `devices/${surgery.info.device_id}/revoke`, { reason: 'lost on the train' });
    expect(await expectSame()).not.toContainEqual(expect.objectContaining({ code: surgery.info.code }));
  });

  test('returns a drawer after each movement, and returns the drawers of 30 days with their treatments to a new tablet', async () => {
    const { cursor } = await desk.pull();
    const open = opening(desk);
    const [created, payment] = sale(desk, 60);
    await desk.send(open, created!, payment!);
    const opened = await desk.pull(cursor);
    expect(opened.rows.drawers).toMatchObject([{ id: idOf(open), closed_at: null, movements: [] }]);
    await desk.send(moving(desk, open, 'in', 5));
    const moved = await desk.pull(opened.cursor);
    expect(moved.rows.drawers).toMatchObject([
      { movements: [{ amount: 5, reason: 'Change from the bank', actor_id: desk.userId }] },
    ]);

    // The drawer is open over a long weekend: a new tablet needs all its treatments.
    nowMs += 4 * 24 * hourMs;
    const fresh = await (await TestDevice.enrol(server)).pull();
    expect(fresh.rows.drawers.map(({ id }) => id)).toEqual([idOf(open)]);
    expect(fresh.rows.orders.map(({ id }) => id)).toEqual([(created!.payload as PayloadOf['order.create']).order_id]);
    const returned = await TestDevice.enrol(server);
    await returned.send(closing(returned, open, 165));
    nowMs += 31 * 24 * hourMs;
    expect((await (await TestDevice.enrol(server)).pull()).rows.drawers).toEqual([]);
  });
});

describe('drawers over REST', () => {
  test('open, move and close under an idempotency key', async () => {
    const key = newId();
    const opened = await post(desk, 'drawers', { float: 100 }, key);
    expect([opened.statusCode, opened.headers['idempotency-replayed']]).toEqual([201, undefined]);
    const again = await post(desk, 'drawers', { float: 100 }, key);
    expect([again.body, again.headers['idempotency-replayed']]).toEqual([opened.body, 'true']);
    const { id } = opened.json<{ data: DrawerRowResource }>().data;
    expect(
      (await post(desk, `drawers/${id}/movements`, { direction: 'out', amount: 12.34, reason: 'Stamps' })).json(),
    ).toMatchObject({ data: { movements: [{ amount: -12.34 }] } });
    expect((await ask(surgery, 'drawers/current')).json()).toMatchObject({ data: { id, device_code: desk.info.code } });
    const closed = await post(desk, `drawers/${id}/close`, {
      counted: { ...nothing, cash: 87.66 },
      notes: 'all there',
    });
    expect(closed.json()).toMatchObject({ data: { counted: { cash: 87.66 }, notes: 'all there' } });
    expect((await ask(desk, 'drawers/current')).json()).toEqual({ success: true, data: null });
  });

  test('refuse invalid requests', async () => {
    const atOnce = await Promise.all(Array.from({ length: 5 }, () => post(desk, 'drawers', { float: 0 })));
    expect(atOnce.map(({ statusCode }) => statusCode).sort((one, other) => one - other)).toEqual([
      201, 409, 409, 409, 409,
    ]);
    const { id } = atOnce.find(({ statusCode }) => statusCode === 201)!.json<{ data: DrawerRowResource }>().data;
    expect((await post(desk, 'drawers', { float: 5 })).json()).toMatchObject({ code: 'DRAWER_OPEN' });
    expect((await post(surgery, 'drawers', { float: 5 })).statusCode).toBe(201);
    await post(desk, `drawers/${id}/close`, { counted: nothing });
    expect((await post(desk, `drawers/${id}/close`, { counted: nothing })).json()).toMatchObject({
      code: 'DRAWER_CLOSED',
    });
    expect(
      (await post(desk, `drawers/${id}/movements`, { direction: 'in', amount: 1, reason: 'late' })).json(),
    ).toMatchObject({ code: 'DRAWER_CLOSED' });
    const calls = { movements: { direction: 'in', amount: 1, reason: 'none' }, close: { counted: nothing } };
    for (const [url, body] of Object.entries(calls))
      expect((await post(desk, `drawers/${newId()}/${url}`, body)).json()).toMatchObject({ code: 'DRAWER_NOT_FOUND' });
  });

  test('list past drawers with reports to managers, the last opened first', async () => {
    const opens: string[] = [];
    for (let day = 0; day < 3; day++) {
      const open = opening(desk, day);
      await desk.send(open, closing(desk, open, day + 1, nowMs + minuteMs));
      opens.unshift(idOf(open));
      nowMs += hourMs;
    }
    const manager = await TestDevice.enrol(server, 'manager');
    const { data, pagination } = (await ask(manager, 'drawers?per_page=2')).json<{
      data: ReportedDrawer[];
      pagination: object;
    }>();
    expect(data.map(({ id }) => id)).toEqual(opens.slice(0, 2));
    expect(data.map(({ report }) => report.difference?.cash)).toEqual([1, 1]);
    expect(pagination).toEqual({ total: 3, page: 1, per_page: 2, totalPages: 2 });
  });

  test('are hidden from another clinic', async () => {
    const open = opening(desk);
    await desk.send(open, ...sale(desk, 60));
    const elsewhere = {
      headers: { authorization: `Bearer ${await server.login('manager', { clinicId: await server.addClinic() })}` },
    };
    expect((await ask(elsewhere, 'drawers')).json()).toMatchObject({ data: [] });
    expect((await ask(elsewhere, 'drawers/current')).json()).toEqual({ success: true, data: null });
    expect((await ask(elsewhere, `drawers/${idOf(open)}/report`)).statusCode).toBe(404);
    expect((await post(elsewhere, `drawers/${idOf(open)}/close`, { counted: nothing })).statusCode).toBe(404);
  });
});
