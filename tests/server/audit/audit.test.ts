import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'csv-parse/sync';
import { auditActions } from '#tests/support/audit-actions.ts';
import type { AuditResource, AuditPage } from '#domain/audit/resources.ts';
import { cursorOf } from '#server/modules/audit/store.ts';
import { line, TestDevice } from '#tests/support/device.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';

let server: TestServer;
let tablet: TestDevice;
let admin: string;

beforeAll(async () => {
  server = await startTestServer();
  tablet = await TestDevice.enrol(server);
  admin = await server.login('admin');
});
afterAll(() => server.close());

const ask = (url: string, token = admin) =>
  server.app.inject({ url: `/api/audit${url}`, headers: { authorization: `Bearer ${token}` } });
const page = async (url: string): Promise<AuditPage> => (await ask(url)).json();
const rows = async (url: string): Promise<AuditResource[]> => (await page(url)).data;
const log = (values: string) =>
  server.database.execute(`insert into audit_log (clinic_id, at, user_id, action, subject, details) ${values}`);

describe('the rows of the audit log', () => {
  test('contain each sale and payment once, with number, amount, user and device, and nothing about the patient', async () => {
    const create = tablet.create([line({ name: 'Left molar', notes: 'fears needles' })]);
    Object.assign(create.payload, { customer_name: 'Marta Gil', notes: 'left molar' });
    const pay = tablet.pay(create, 60, {
      invoice: tablet.invoice(create.payload.items),
      reference_number: 'card of Marta Gil',
    });
    const refused = tablet.create([line({ unit_price: -1 })]);
    await tablet.send(create, pay, refused);
    const sales = await rows('?group=sales');
    const { number } = create.payload;
    expect(sales.map(({ action, subject, details }) => ({ action, subject, details }))).toEqual(
      expect.arrayContaining([
        {
          action: 'order.pay',
          subject: number,
          details: { amount: 60, payment_method: 'cash', invoice: expect.stringMatching(/^INV-/) },
        },
        { action: 'order.create', subject: number, details: { total: 60 } },
      ]),
    );
    expect(sales).toHaveLength(2);
    expect(sales[0]).toMatchObject({
      person: { id: tablet.userId, name: 'counter' },
      device: { id: tablet.info.device_id, code: tablet.info.code },
    });
    const everything = (await ask('?limit=200')).body + (await ask('/export.csv')).body;
    for (const word of ['Marta', 'molar', 'needles']) expect(everything).not.toContain(word);
  });

  test('keep the name under which a person acted, sent or was changed, and the change tells both', async () => {
    const rename = async (id: number, name: string, token = admin) => {
      const headers = { authorization: `Bearer ${token}` };
      const payload = { name };
      const reply = await server.app.inject({ method: 'PUT', url: `/api/users/${id}`, headers, payload });
      expect(reply.statusCode).toBe(200);
    };
    const device = await TestDevice.enrol(server, 'manager');
    await rename(device.userId, 'Eva Antes');
    const create = device.create();
    await device.send(create);
    const uploader = await TestDevice.enrol(server, 'counter');
    await rename(uploader.userId, 'Sara Antes');
    await uploader.send(device.create());
    await rename(device.userId, 'Eva Después');
    await rename(uploader.userId, 'Sara Después');

    const sales = await rows(`?group=sales&person=${device.userId}`);
    expect(sales.map(({ person, uploader: by }) => [person?.name, by?.name])).toEqual([
      ['Eva Antes', 'Sara Antes'],
      ['Eva Antes', undefined],
    ]);
    const own = await server.app.inject({
      method: 'PUT',
      url: '/api/auth/me',
      headers: device.headers,
      payload: { name: 'Eva Propia', phone: '600 111 222' },
    });
    expect(own.statusCode).toBe(200);
    const staff = (await rows('?limit=50')).filter(({ action }) => /^(staff|profile).changed$/.test(action));
    expect(staff[0]).toMatchObject({
      action: 'profile.changed',
      details: { name: '"Eva Después" → "Eva Propia"', phone: '"" → "600 111 222"' },
    });
    expect(staff.find(({ subject }) => subject === 'Eva Después')).toMatchObject({
      action: 'staff.changed',
      details: { name: '"Eva Antes" → "Eva Después"', role: 'manager' },
    });
  });

  test('name users, supplies and treatments as the clinic does', async () => {
    const { body } = await server.app.inject({
      method: 'POST',
      url: '/api/users',
      headers: { authorization: `Bearer ${admin}` },
      payload: {
        name: 'Nuria Vidal',
        email: 'nuria@clinic.test',
        phone: '',
        password: 'a long enough password',
        role: 'counter',
        status: 'active',
      },
    });
    expect(body).toContain('Nuria');
    const { rows: items } = await server.database.execute(
      `insert into stock_items (clinic_id, name, search_key, unit) values (${server.clinicId}, 'Gauze', 'gauze', 'boxes') returning id`,
    );
    const adjust = await server.app.inject({
      method: 'POST',
      url: `/api/stock/stock/add/${String(items[0]!['id'])}`,
      headers: { authorization: `Bearer ${admin}` },
      payload: { amount: 3 },
    });
    expect(adjust.statusCode).toBe(200);
    expect((await rows('?group=staff'))[0]).toMatchObject({
      action: 'staff.created',
      subject: 'Nuria Vidal',
      details: { role: 'counter' },
      device: null,
    });
    expect((await rows('?group=stock'))[0]).toMatchObject({
      action: 'stock.adjust',
      subject: 'Gauze',
      details: { change: 'add', quantity: 3 },
    });
  });

  test('include every action', async () => {
    const { rows: kinds } = await server.database.execute('select distinct action from audit_log');
    expect(auditActions).toEqual(expect.arrayContaining(kinds.map(({ action }) => action as string)));
  });
});

describe('reading the audit log', () => {
  test('is allowed to administrators, and other attempts are recorded', async () => {
    const manager = await server.login('manager');
    for (const url of ['', '/choices', '/export.csv']) expect((await ask(url, manager)).statusCode).toBe(403);
    expect((await rows('?group=access'))[0]).toMatchObject({
      action: 'denied',
      subject: 'GET /api/audit/export.csv',
      person: { name: 'manager' },
    });
  });

  test('is limited to one clinic, whatever the filters', async () => {
    const other = await server.addClinic();
    const stranger = await server.login('admin', { clinicId: other });
    const seen = (await ask('?limit=200', stranger)).json<AuditPage>().data;
    expect(seen.map(({ action }) => action)).toEqual(['sign_in']);
    expect((await ask(`?person=${tablet.userId}`, stranger)).json().data).toEqual([]);
    expect((await ask('/choices', stranger)).json().data).toEqual({
      people: [expect.objectContaining({ name: 'admin' })],
      devices: [],
    });
  });
});

describe('filters and pages', () => {
  beforeAll(async () => {
    // Three actions at each of 40 times, around midnight in the clinic.
    await log(`select ${server.clinicId}, '2026-01-31 22:30:00+00'::timestamptz + (n / 3) * interval '1 minute 30.000001 seconds', ${tablet.userId},
      case when n % 3 = 0 then 'room.created' else 'expense.create' end, 'expense:' || n, '{"amount": 5}' from generate_series(0, 119) n`);
  });

  test('page to the end without losing or repeating a row, also for equal times', async () => {
    const all = await rows('?limit=200');
    const pages: AuditResource[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const next: AuditPage = await page(`?limit=7${cursor && `&cursor=${cursor}`}`);
      expect(next.data.length).toBeLessThanOrEqual(7);
      pages.push(...next.data);
      cursor = next.next;
    }
    expect(pages).toEqual(all);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(all.map(({ at }) => at)).toEqual(
      all
        .map(({ at }) => at)
        .toSorted()
        .reverse(),
    );
    expect(new Set(all.map(({ id }) => id[0]))).toEqual(new Set(['a', 'o']));
  });

  test('combine user, group and device', async () => {
    expect((await rows(`?group=expenses&person=${tablet.userId}&limit=200`)).length).toBe(80);
    expect(await rows('?group=expenses&person=999999')).toEqual([]);
    const ofDevice = await rows(`?device=${tablet.info.device_id}&limit=200`);
    expect(ofDevice.length).toBeGreaterThanOrEqual(2);
    expect(ofDevice.every(({ device }) => device?.id === tablet.info.device_id)).toBe(true);
  });

  test('include the first and the last business day', async () => {
    // Midnight in Madrid is 23:00 UTC: 20 of the times are before it.
    const january = await rows('?to=2026-01-31&limit=200');
    const february = await rows('?from=2026-02-01&to=2026-02-01&limit=200');
    expect([january.length, february.length]).toEqual([60, 60]);
    expect(january.every(({ at }) => at < '2026-01-31T23:00:00')).toBe(true);
    expect(await rows('?from=2026-02-02&to=2026-02-01')).toEqual([]);
  });

  test.each([
    'cursor=x',
    `cursor=${Buffer.from("2026-01-01 00:00:00+00~a' or 1=1").toString('base64url')}`,
    `cursor=${cursorOf({ at: '2026-99-99 00:00:00+00', key: `a${'0'.repeat(19)}` })}`,
    `cursor=${cursorOf({ at: '2026-02-30 00:00:00+00', key: `a${'0'.repeat(19)}` })}`,
    'group=nothing',
    'person=0',
    'device=x',
    'from=2026-02-30',
    'to=yesterday',
    'limit=0',
    'limit=201',
  ])('refuses %s', async (query) => {
    expect((await ask(`?${query}`)).statusCode).toBe(400);
  });
});

describe('the export', () => {
  test('is a CSV in the requested language, with local times and without formulas', async () => {
    await log(
      `values (${server.clinicId}, '2026-03-01 11:00:00+00', ${tablet.userId}, 'device.renamed', '=cmd|calc', '{"from": "+1+1"}')`,
    );
    await server.database.execute(`update users set name = '@SUM(A1)' where id = ${tablet.userId}`);
    const reply = await ask('/export.csv?from=2026-03-01&to=2026-03-01&language=sp');
    expect(reply.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(reply.headers['content-disposition']).toMatch(/^attachment; filename="audit_log_\d{4}-\d\d-\d\d\.csv"$/);
    expect(parse(reply.body, { bom: true })).toEqual([
      ['Hora', 'Persona', 'Autorizado por', 'Enviado por', 'Dispositivo', 'Qué ocurrió', 'Asunto', 'Detalles'],
      [
        '2026-03-01 12:00:00',
        "'@SUM(A1)",
        '',
        '',
        '',
        'Cambió el nombre de un dispositivo',
        "'=cmd|calc",
        'from: +1+1',
      ],
    ]);
  });

  test('contains logs longer than a chunk, and is audited itself', async () => {
    await log(
      `select ${server.clinicId}, '2020-01-01'::timestamptz + n * interval '1 second', null, 'sign_in.failed', '', '{}' from generate_series(1, 2500) n`,
    );
    const table: string[][] = parse((await ask('/export.csv?to=2020-12-31')).body, { bom: true });
    expect(table).toHaveLength(2501);
    expect(new Set(table.slice(1).map(([at]) => at)).size).toBe(2500);
    expect((await rows('?group=reports'))[0]).toMatchObject({
      action: 'audit.exported',
      details: { to: '2020-12-31' },
      person: { name: 'admin' },
    });
  });
});
