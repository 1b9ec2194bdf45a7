import { Writable } from 'node:stream';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PatientResource } from '#domain/patient/resources.ts';
import type { PatientHistoryResource } from '#domain/order/past-treatments.ts';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import type { PatientPayload } from '#domain/patient/patient.ts';
import type { Role } from '#domain/staff/roles.ts';
import { blankRecipient } from '#domain/tax/recipient.ts';
import { buildApp } from '#server/app.ts';
import { readConfig } from '#server/config.ts';
import { logOptions } from '#server/http/log.ts';
import { line, TestDevice } from '#tests/support/device.ts';
import { actorKeyIn, signedBy } from '#tests/support/proofs.ts';
import { newId } from '#tests/support/unique.ts';
import { cheapPasswords, startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';

let server: TestServer;
let tablet: TestDevice;
beforeAll(async () => {
  server = await startTestServer();
  tablet = await TestDevice.enrol(server);
});
afterAll(() => server.close());

type Method = 'GET' | 'POST' | 'PUT';
const call = (method: Method, url: string, payload?: object, headers: Record<string, string> = {}) =>
  server.app.inject({
    method,
    url: `/api/patients${url}`,
    headers: { ...tablet.headers, ...headers },
    ...(payload && { payload }),
  });
const found = async (search: string) =>
  (await call('GET', `?search=${encodeURIComponent(search)}`))
    .json<{ data: PatientResource[] }>()
    .data.map(({ name }) => name);
const patientOf = async (id: string) => (await call('GET', `/${id}`)).json<{ data: PatientHistoryResource }>().data;

/** A treatment of a patient, as a tablet queues it. */
function treats(
  patient: PatientPayload,
  { minute = 0, device = tablet }: { minute?: number; device?: TestDevice } = {},
): AnyOperation {
  const created = device.create([line()], {
    occurred_at: new Date(Date.now() - 3_600_000 + minute * 60_000).toISOString(),
  });
  return { ...created, payload: { ...created.payload, customer_name: patient.name, patient } };
}

describe('SYNC-2 a treatment and its patient', () => {
  test('creates the patient, and the feed returns both to every tablet', async () => {
    const id = newId();
    const [result] = await tablet.send(treats({ patient_id: id, name: 'Núria Peña', phone: '+34 612 480 157' }));
    expect(result).toMatchObject({ status: 'applied' });
    const { rows } = await tablet.pull();
    expect(rows.patients).toContainEqual({ id, name: 'Núria Peña', phone: '+34 612 480 157' });
    expect(rows.orders.find(({ patientId }) => patientId === id)).toMatchObject({ customerName: 'Núria Peña' });
  });

  test('keeps the later name and the later phone, whichever arrives first', async () => {
    const id = newId();
    const device = await TestDevice.enrol(server);
    await tablet.send(treats({ patient_id: id, name: 'Second name', phone: '222' }, { minute: 20 }));
    await device.send(treats({ patient_id: id, name: 'First name', phone: '111' }, { minute: 10, device }));
    expect(await patientOf(id)).toMatchObject({ name: 'Second name', phone: '222' });
    await device.send(treats({ patient_id: id, name: 'Third name' }, { minute: 40, device }));
    await tablet.send(treats({ patient_id: id, name: 'Between', phone: '333' }, { minute: 30 }));
    expect(await patientOf(id)).toMatchObject({ name: 'Third name', phone: '333' });
    expect(await found('second')).toEqual([]);
    expect(await found('third 333')).toEqual(['Third name']);
  });

  test('keeps the recipient of the latest full invoice, whichever arrives first, for every tablet', async () => {
    const id = newId();
    const recipient = { tax_id: '12345678Z', address: 'Calle Sol 2', postal_code: '28013', city: 'Madrid' };
    const created = treats({ patient_id: id, name: 'Eva Ruiz', phone: '' });
    const invoiced = (name: string, minute: number, device = tablet) =>
      device.pay(
        created,
        1,
        { invoice: { ...device.invoice([line()]), recipient: { name, ...recipient } } },
        { occurred_at: new Date(Date.now() - 3_600_000 + minute * 60_000).toISOString() },
      );
    await tablet.send(created, tablet.pay(created, 1));
    expect(await patientOf(id)).toMatchObject({ recipient: null });
    const device = await TestDevice.enrol(server);
    expect(await tablet.send(invoiced('Second', 20))).toMatchObject([{ status: 'applied' }]);
    expect(await device.send(invoiced('First', 10, device))).toMatchObject([{ status: 'applied' }]);
    expect(await device.send(invoiced('Before both', 5, device))).toMatchObject([{ status: 'applied' }]);
    const known = { id, name: 'Eva Ruiz', phone: '', recipient: { name: 'Second', ...recipient } };
    expect(await patientOf(id)).toMatchObject(known);
    const { rows, cursor } = await tablet.pull();
    const details = { id, email: '', notes: '', recipient: known.recipient };
    expect(rows.patient_details).toContainEqual(details);
    await call('PUT', `/${id}`, { name: 'Eva Ruiz', phone: '600' });
    const { patients, patient_details } = (await tablet.pull(cursor)).rows;
    expect([patients, patient_details]).toEqual([[{ id, name: 'Eva Ruiz', phone: '600' }], [details]]);
    const named = (await call('GET', '?search=Eva%20Ruiz')).json<{ data: PatientResource[] }>().data;
    expect(named).toContainEqual({ ...known, ...details, phone: '600' });
  });

  test('SYNC-11 keeps what one tablet entered last, though its clock was set back in between', async () => {
    const id = newId();
    const recipient = { tax_id: '12345678Z', address: 'Calle Sol 2', postal_code: '28013', city: 'Madrid' };
    const first = treats({ patient_id: id, name: 'Ana', phone: '111' }, { minute: 50 });
    const second = treats({ patient_id: id, name: 'Anna', phone: '222' }, { minute: 20 });
    const invoiced = (name: string, minute: number) =>
      tablet.pay(
        first,
        1,
        { invoice: { ...tablet.invoice([line()]), recipient: { name, ...recipient } } },
        { occurred_at: new Date(Date.now() - 3_600_000 + minute * 60_000).toISOString() },
      );
    await tablet.send(first, second, invoiced('First', 55), invoiced('Second', 25));
    expect(await patientOf(id)).toMatchObject({ name: 'Anna', phone: '222', recipient: { name: 'Second' } });
    const device = await TestDevice.enrol(server);
    await device.send(treats({ patient_id: id, name: 'Between', phone: '333' }, { minute: 40, device }));
    expect(await patientOf(id)).toMatchObject({ name: 'Anna', phone: '222' });
  });

  test('SYNC-7 keeps what was entered after a refused treatment that is sent again', async () => {
    const id = newId();
    await tablet.send(treats({ patient_id: id, name: 'Anna', phone: '222' }, { minute: 50 }));
    const again = treats({ patient_id: id, name: 'Ana', phone: '111' }, { minute: 20 });
    expect(await tablet.send({ ...again, supersedes: newId() })).toMatchObject([{ status: 'applied' }]);
    expect(await patientOf(id)).toMatchObject({ name: 'Anna', phone: '222' });
  });

  test('ignores repeated data: a later correction stays, and the feed returns nothing', async () => {
    const id = newId();
    await call('POST', '', { id, name: 'Ana Ruiz', phone: '600' });
    const { cursor } = await tablet.pull();
    const [result] = await tablet.send(
      treats({ patient_id: id, name: 'Ana Ruis', phone: '', known: true }, { minute: 70 }),
    );
    expect(result).toMatchObject({ status: 'applied' });
    expect(await patientOf(id)).toMatchObject({ name: 'Ana Ruiz', phone: '600' });
    expect((await tablet.pull(cursor)).rows.patients).toEqual([]);
    // A server that was restored without the patient gets her again.
    const lost = newId();
    await tablet.send(treats({ patient_id: lost, name: 'Eva', phone: '5', known: true }));
    expect(await patientOf(lost)).toMatchObject({ name: 'Eva', phone: '5' });
  });

  test('accepts a short name, and creates no patient when the treatment is refused', async () => {
    const [short, bad] = [newId(), newId()];
    const results = await tablet.send(
      treats({ patient_id: short, name: 'X' }),
      treats({ patient_id: bad, name: 'x'.repeat(201) }),
    );
    expect(results.map(({ status }) => status)).toEqual(['applied', 'refused']);
    expect(await patientOf(short)).toMatchObject({ name: 'X', phone: '' });
    expect((await call('GET', `/${bad}`)).json()).toMatchObject({ code: 'PATIENT_NOT_FOUND' });
  });

  test('do not deadlock when two tablets write them at once, in either order', async () => {
    const other = await TestDevice.enrol(server);
    const [a, b] = [newId(), newId()];
    const batch = (device: TestDevice, ids: string[]) =>
      device.send(
        ...ids.map((id) => treats({ patient_id: id, name: `By ${device.info.code}` }, { device, minute: 1 })),
      );
    for (let round = 0; round < 5; round++) {
      const results = (await Promise.all([batch(tablet, [a, b]), batch(other, [b, a])])).flat();
      expect(results.map(({ status }) => status)).toEqual(Array.from({ length: 4 }, () => 'applied'));
    }
    expect((await patientOf(a)).treatments).toHaveLength(10);
  });

  test('take the customer name from the patient when a REST call names only the patient', async () => {
    const { rows } = await server.database.execute(
      sql`insert into stock_items (clinic_id, name, search_key, cost_minor) values (${server.clinicId}, 'Cleaning', 'cleaning', 6000) returning id`,
    );
    const payload = {
      items: [{ stock_id: (rows[0] as { id: number }).id, quantity: 1 }],
      patient: { patient_id: newId(), name: 'Pablo Serrano' },
    };
    const reply = await server.app.inject({ method: 'POST', url: '/api/orders', headers: tablet.headers, payload });
    expect(reply.json()).toMatchObject({
      data: { customer_name: 'Pablo Serrano', patient_id: payload.patient.patient_id },
    });
  });
});

describe('patients over REST', () => {
  test('are created once under a key and can be changed, and each invalid field is named', async () => {
    const headers = { 'idempotency-key': newId() };
    const first = await call('POST', '', { name: ' Marta Gil ', phone: '699' }, headers);
    expect(first.statusCode).toBe(201);
    const nothing = { email: '', notes: '', recipient: null };
    expect(first.json().data).toEqual({ id: expect.any(String), name: 'Marta Gil', phone: '699', ...nothing });
    const again = await call('POST', '', { name: ' Marta Gil ', phone: '699' }, headers);
    expect([again.body, again.headers['idempotency-replayed']]).toEqual([first.body, 'true']);
    const { id } = first.json<{ data: PatientResource }>().data;
    expect((await call('POST', '', { id, name: 'Another' })).json()).toMatchObject({ code: 'PATIENT_EXISTS' });
    expect((await call('PUT', `/${id}`, { name: 'Marta Gil Soto', phone: '' })).json().data).toEqual({
      id,
      name: 'Marta Gil Soto',
      phone: '',
      ...nothing,
    });
    expect((await call('PUT', `/${id}`, { name: 'Al' })).json()).toMatchObject({
      code: 'VALIDATION',
      details: { name: 'Name must be at least 3 characters' },
    });
    expect((await call('PUT', `/${newId()}`, { name: 'Nobody' })).statusCode).toBe(404);
  });

  test('are found page by page, by the beginning of any word without accents or by digits of the phone number', async () => {
    for (const [name, phone] of [
      ['José Ángel Ibáñez', '+34 644 520 786'],
      ['Ángela Ibarra', '917 03'],
      ['Ana 100%_Rara', ''],
    ] as const)
      await call('POST', '', { name, phone });
    expect(await found('ANGEL')).toEqual(['Ángela Ibarra', 'José Ángel Ibáñez']);
    expect(await found('ib ang')).toEqual(['Ángela Ibarra', 'José Ángel Ibáñez']);
    expect(await found('644-520')).toEqual(['José Ángel Ibáñez']);
    expect(await found('0786')).toEqual(['José Ángel Ibáñez']);
    expect(await found('100%_')).toEqual(['Ana 100%_Rara']);
    for (const text of ['ngel', '%', '()', 'angel 917 x']) expect(await found(text)).toEqual([]);
    const page = await call('GET', '?search=ang&page=2&per_page=1');
    expect(page.json()).toMatchObject({
      data: [{ name: 'José Ángel Ibáñez' }],
      pagination: { total: 2, page: 2, per_page: 1, totalPages: 2 },
    });
    expect(
      (await call('GET', '?per_page=1')).json<{ pagination: { total: number } }>().pagination.total,
    ).toBeGreaterThan(5);
  });

  test('return their treatments page by page, latest first', async () => {
    const id = newId();
    const operations = [3, 1, 2].map((minute) =>
      treats({ patient_id: id, name: 'Hugo Prieto', known: true }, { minute }),
    );
    await tablet.send(...operations);
    await tablet.send(tablet.pay(operations[0]!, 60));
    const { treatments } = await patientOf(id);
    const at = (operation: AnyOperation) => (operation.payload as { number: string }).number;
    expect(treatments.map(({ number }) => number)).toEqual(
      [operations[0], operations[2], operations[1]].map((operation) => at(operation!)),
    );
    expect(treatments[0]).toMatchObject({
      status: 'completed',
      total: 60,
      balance: 0,
      services: ['Dental cleaning'],
      currency: 'EUR',
    });
    const second = await call('GET', `/${id}?page=2&per_page=2`);
    expect(second.json()).toMatchObject({
      data: { name: 'Hugo Prieto', treatments: [{ number: at(operations[1]!) }] },
      pagination: { total: 3, totalPages: 2 },
    });
  });

  test('are hidden from the kitchen role and its feed', async () => {
    await call('POST', '', { name: 'Seen by some' });
    for (const [role, sees] of [
      ['kitchen', false],
      ['server', true],
    ] as const satisfies readonly (readonly [Role, boolean])[]) {
      const device = await TestDevice.enrol(server, role);
      expect((await device.pull()).rows.patients.length > 0).toBe(sees);
    }
  });

  test('are named to the kitchen role by no treatment, payment, room, card of the board or search', async () => {
    const counter = await TestDevice.enrol(server, 'manager');
    const admin = { authorization: `Bearer ${await server.login('admin')}` };
    const table = await server.app.inject({
      method: 'POST',
      url: '/api/tables',
      headers: admin,
      payload: { number: 'Kitchen view', capacity: 1 },
    });
    const room = table.json<{ data: { id: number; number: string } }>().data;
    const patient = { patient_id: newId(), name: 'Wilhelmina Secret', phone: '612 000 111' };
    const [open, paid] = [counter.create([line()]), counter.create([line()])] as const;
    for (const { payload } of [open, paid])
      Object.assign(payload, { customer_name: patient.name, patient, room_id: room.id, room_number: room.number });
    const invoice = counter.invoice(paid.payload.items);
    const printed = [...invoice.printed, { style: 'total' as const, left: 'Customer', right: 'Wilhelmina Secret' }];
    const pay = counter.pay(paid, 60, { invoice: { ...invoice, printed }, reference_number: 'Wilhelmina Secret' });
    const gone = counter.create([line()]);
    const reason = 'Wilhelmina Secret asked for it';
    Object.assign(gone.payload, { discount: 1, discount_reason: reason, total: 59 });
    const results = await counter.send(
      open,
      paid,
      pay,
      counter.operation('order.refund', {
        order_id: paid.payload.order_id,
        refund_id: newId(),
        payment_method: 'cash',
        amount: 1,
        reduction: 1,
        reason,
        credit_note_number: counter.number('credit_note'),
      }),
      gone,
      counter.operation('order.cancel', { order_id: gone.payload.order_id, status: 'cancelled', notes: reason }),
    );
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['applied']));

    const read = async (role: Role, address: string) => {
      const headers = { authorization: `Bearer ${await server.login(role)}` };
      const reply = await server.app.inject({ url: `/api${address}`, headers });
      expect(reply.statusCode, address).toBe(200);
      return reply;
    };
    const id = paid.payload.order_id;
    const addresses = ['/orders', `/orders/${id}`, `/orders/${id}/payments`, `/orders/${id}/payment-summary`];
    const places = ['/tables', '/tables/by-location', `/tables/${room.id}`, '/kitchen/orders', '/sync/changes'];
    const cancelled = `/orders/${gone.payload.order_id}`;
    for (const address of [...addresses, cancelled, ...places]) {
      expect((await read('kitchen', address)).body, address).not.toMatch(/Wilhelmina|612 000/);
      if (!address.endsWith('summary')) expect((await read('server', address)).body, address).toMatch('Wilhelmina');
    }
    const matches = async (role: Role) => (await read(role, '/orders?search=wilhel')).json().pagination.total as number;
    expect([await matches('kitchen'), await matches('server')]).toEqual([0, 2]);
    // The documents remain billed: their number and lines say so.
    const [bill] = (await read('kitchen', `/orders/${id}`)).json().data.Invoices;
    expect(bill).toMatchObject({ invoice_number: invoice.invoice_number, line_ids: invoice.line_ids, printed: [] });
  });

  test('SYNC-9 a device whose feed was read by the kitchen role starts over for the next person', async () => {
    const cook = await TestDevice.enrol(server, 'kitchen');
    const { cursor } = await cook.pull();
    const changes = async (role: Role) => {
      const headers = { authorization: `Bearer ${await server.login(role)}` };
      return server.app.inject({ url: `/api/sync/changes?cursor=${encodeURIComponent(cursor)}`, headers });
    };
    expect((await changes('kitchen')).statusCode).toBe(200);
    expect((await changes('counter')).json().code).toBe('CURSOR_GONE');
  });

  test('of another clinic can neither be read nor changed', async () => {
    const { id } = (await call('POST', '', { name: 'Only here', phone: '777 123' })).json<{ data: PatientResource }>()
      .data;
    const authorization = `Bearer ${await server.login('admin', { clinicId: await server.addClinic() })}`;
    expect((await call('GET', '?search=777', undefined, { authorization })).json()).toMatchObject({
      data: [],
      pagination: { total: 0 },
    });
    expect((await call('GET', `/${id}`, undefined, { authorization })).statusCode).toBe(404);
    expect((await call('PUT', `/${id}`, { name: 'Taken over' }, { authorization })).statusCode).toBe(404);
    expect((await call('POST', '', { id, name: 'Their own' }, { authorization })).statusCode).toBe(201);
    expect(await patientOf(id)).toMatchObject({ name: 'Only here', phone: '777 123' });
  });
});

test('neither the log, the audit log nor an error contains a patient', async () => {
  let log = '';
  const stream = new Writable({ write: (chunk: Buffer, _encoding, done) => ((log += chunk.toString()), done()) });
  const config = readConfig({ DEMO: '0' });
  const { database, secret } = server;
  const app = await buildApp({
    database,
    config,
    clock: Date.now,
    secret,
    passwords: cheapPasswords,
    logger: { ...logOptions, level: 'trace', stream },
  });
  const ask = (method: Method, url: string, payload?: object) =>
    app.inject({ method, url: `/api${url}`, headers: tablet.headers, ...(payload && { payload }) });
  const id = newId();
  const details = {
    email: 'zenobia.q@mail.test',
    notes: 'Zenobia pays late',
    recipient: { ...blankRecipient, tax_id: '12345678Z', address: 'Calle Quintana 7' },
  };
  const named = { name: 'Zenobia Quintana', phone: '688 777 666', ...details };
  const errors = [
    await ask('POST', '/patients', { id, name: 'Zenobia '.repeat(30), phone: named.phone }),
    await ask('POST', '/patients', { id: 'Zenobia', ...named }),
    await ask('POST', '/patients', { ...named, name: ['Zenobia'] }),
    await ask('GET', '/patients/Zenobia'),
  ];
  await ask('POST', '/patients', { id, ...named });
  await ask('PUT', `/patients/${id}`, { ...named, name: 'Zenobia Quintana Rey' });
  await ask('GET', '/patients?search=Zenobia');
  await ask('GET', '/patients?search=zenobia.q%40mail.test');
  errors.push(
    await ask('POST', '/patients', { ...named, email: 'Zenobia' }),
    await ask('PUT', `/patients/${id}`, { ...named, notes: 'Zenobia '.repeat(400) }),
  );
  const update = (over: object) =>
    signedBy(
      actorKeyIn(tablet.info),
      tablet.operation(
        'patient.update',
        { patient: { patient_id: id, name: named.name, known: true }, ...details, ...over },
        { aggregate: `patient:${id}` },
      ),
    );
  errors.push(
    await ask('POST', '/sync/batch', {
      operations: [update({}), update({ notes: 'Zenobia '.repeat(400) })],
    }),
  );
  const malformed = treats({ patient_id: 'Zenobia', name: named.name, phone: named.phone });
  errors.push(
    await ask('POST', '/sync/batch', {
      operations: [treats({ patient_id: id, name: named.name, phone: named.phone }), malformed],
    }),
  );
  // The database fails on this patient.
  await database.execute(sql`alter table patients add constraint nobody check (name <> 'Zenobia Unwelcome')`);
  errors.push(
    await ask('POST', '/sync/batch', {
      operations: [treats({ patient_id: newId(), name: 'Zenobia Unwelcome', phone: named.phone })],
    }),
  );
  errors.push(await ask('PUT', `/patients/${id}`, { name: 'Zenobia Unwelcome' }));
  await database.execute(sql`alter table patients drop constraint nobody`);
  await app.close();
  expect(log).toContain('"constraint":"nobody"');
  const { rows: audited } = await database.execute(
    sql`select action, subject, details::text from audit_log where subject = ${`patient:${id}`} order by id`,
  );
  expect(audited.map(({ action }) => action)).toEqual(['patient.created', 'patient.changed', 'patient.changed']);
  const { rows: everything } = await database.execute(
    sql`select coalesce(jsonb_agg(to_jsonb(a)), '[]')::text as audit, (select coalesce(jsonb_agg(to_jsonb(i)), '[]')::text from attention_items i) as attention from audit_log a`,
  );
  for (const text of [log, JSON.stringify(everything), ...errors.map(({ body }) => body)]) {
    for (const typed of ['Zenobia', 'zenobia', 'Quintana', '777 666', '12345678Z']) expect(text).not.toContain(typed);
  }
});
