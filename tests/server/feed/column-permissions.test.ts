/** What each role reads of each kind of resource, in the change feed and over REST: both withhold the same. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { totals } from '#domain/order/totals.ts';
import { may } from '#domain/permissions.ts';
import { roles } from '#domain/staff/roles.ts';
import type { Role } from '#domain/staff/roles.ts';
import { line, TestDevice } from '#tests/support/device.ts';
import { routesOf } from '#tests/support/openapi-routes.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { newId } from '#tests/support/unique.ts';

let server: TestServer;
const people = new Map<Role, TestDevice>();
const ids: Record<string, string | number> = {};

/** The marks of what not everybody may read, each with who may. */
const marks = {
  'Zenobia Quintana': (role: Role) => may(role, 'patient.read'),
  '12345678Z': (role: Role) => may(role, 'patient.details'),
  'Calle Sol 2': (role: Role) => may(role, 'patient.details'),
  'zenobia@secret.example': (role: Role) => may(role, 'patient.details'),
  'deskmark-5': (role: Role) => may(role, 'patient.details'),
  '87654321X': (role: Role) => may(role, 'patient.details'),
  'refmark-77': (role: Role) => may(role, 'patient.read'),
  'Suministros Secretos': (role: Role) => may(role, 'stock.read'),
  '600-secret': (role: Role) => may(role, 'stock.read'),
  '987.65': (role: Role) => may(role, 'stock.read'),
  '4321.09': (role: Role) => may(role, 'drawer.use'),
  '1234.56': (role: Role) => may(role, 'drawer.use'),
  'money for the porter': (role: Role) => may(role, 'drawer.use'),
};

const get = (device: TestDevice, url: string) => server.app.inject({ url: `/api${url}`, headers: device.headers });
const told = (text: string) => Object.keys(marks).filter((mark) => text.includes(mark));
const allowed = (role: Role) => Object.entries(marks).flatMap(([mark, mayRead]) => (mayRead(role) ? [mark] : []));

const recipient = {
  name: 'Zenobia Quintana',
  tax_id: '12345678Z',
  address: 'Calle Sol 2',
  postal_code: '28013',
  city: 'Madrid',
};
const printed = [{ style: 'pair' as const, left: 'Patient', right: 'Zenobia Quintana' }];
const tax = { document_type: 'F1' as const, tax_totals: [{ exempt: 'E1' as const, base: 60, tax: 0, gross: 60 }] };
const issuer = { legal_name: 'Clinic', tax_id: 'B65410011', address: 'Calle 1', postal_code: '28013', city: 'Madrid' };

beforeAll(async () => {
  server = await startTestServer();
  for (const role of roles) people.set(role, await TestDevice.enrol(server, role));
  const manager = people.get('manager')!;
  const make = async (url: string, payload: object) => {
    const reply = await server.app.inject({ method: 'POST', url: `/api${url}`, headers: manager.headers, payload });
    expect([url, reply.statusCode, reply.body]).toMatchObject([url, 201, expect.any(String)]);
    return reply.json<{ data: { id: number } }>().data.id;
  };
  const supply = { unit: 'boxes', quantity: 100, supplier: 'Suministros Secretos', supplier_contact: '600-secret' };
  ids['hidden'] = await make('/stock', { ...supply, name: 'Needles', cost_per_unit: 987.65, is_available: false });
  ids['offered'] = await make('/stock', { ...supply, name: 'Zip brush', cost_per_unit: 60, is_available: true });

  const created = manager.create([line({ stock_id: ids['offered'] })]);
  const patient = { patient_id: newId(), name: 'Zenobia Quintana', phone: '' };
  const named = { ...created, payload: { ...created.payload, customer_name: patient.name, patient } };
  const paid = manager.pay(named, 60, {
    reference_number: 'refmark-77',
    invoice: { ...manager.invoice(created.payload.items), ...tax, issuer, recipient, printed },
  });
  const refund = manager.operation('order.refund', {
    order_id: created.payload.order_id,
    refund_id: newId(),
    payment_method: 'cash',
    amount: 10,
    reason: 'paid twice',
    reduction: 10,
    credit_note_number: manager.number('credit_note'),
    credit_note: {
      issued_at: new Date().toISOString(),
      language: 'en',
      total_amount: -10,
      printed,
      document_type: 'R1',
      tax_totals: [{ exempt: 'E1', base: -10, tax: 0, gross: -10 }],
      issuer,
      recipient,
    },
  });
  const drawer = { drawer_id: newId() };
  ids['order'] = created.payload.order_id;
  ids['drawer'] = drawer.drawer_id;
  const counted = { cash: 4321.09, card: 0, insurance: 0, others: 0 };
  ids['patient'] = patient.patient_id;
  const details = manager.operation(
    'patient.update',
    {
      patient: { ...patient, known: true },
      email: 'zenobia@secret.example',
      notes: 'deskmark-5',
      recipient: { ...recipient, tax_id: '87654321X' },
    },
    { aggregate: `patient:${patient.patient_id}` },
  );
  const results = await manager.send(
    named,
    paid,
    refund,
    details,
    manager.operation('drawer.open', { ...drawer, currency: 'EUR', float: 1234.56 }),
    manager.operation('drawer.move', { ...drawer, direction: 'out', amount: 5, reason: 'money for the porter' }),
    manager.operation('drawer.close', { ...drawer, counted }),
  );
  expect(results.map(({ status }) => status)).toEqual(results.map(() => 'applied'));
});
afterAll(() => server.close());

describe.each(roles)('%s', (role) => {
  test('reads in the feed exactly the marks of what the role may read', async () => {
    const page = await people.get(role)!.pull();
    expect(told(JSON.stringify(page))).toEqual(allowed(role));
    expect(page.rows.drawers).toHaveLength(may(role, 'drawer.use') ? 1 : 0);
    const order = page.rows.orders.find(({ id }) => id === ids['order'])!;
    expect(totals(order).paidMinor).toBe(50_00);
    // What the counter offers has its price, whoever reads.
    expect(page.rows.stock.find(({ id }) => id === ids['offered'])).toMatchObject({ cost_per_unit: 60 });
  });

  test('reads in the reply to a batch the same as in the feed', async () => {
    const device = await TestDevice.enrol(server, role);
    const { cursor } = await device.pull();
    await server.database.$client.query(`update stock_items set unit = unit`);
    await server.database.$client.query(`update orders set notes = notes`);
    await server.database.$client.query(`update drawers set notes = notes`);
    const { feed } = await device.exchange(`?cursor=${cursor}`, device.create());
    expect(feed!.rows.stock).toHaveLength(2);
    const text = JSON.stringify(feed);
    expect(told(text).filter((mark) => !allowed(role).includes(mark))).toEqual([]);
    expect(text.includes('987.65')).toBe(may(role, 'stock.read'));
    expect(text.includes('4321.09')).toBe(may(role, 'drawer.use'));
  });

  test('reads by no route what the feed withholds', async () => {
    const device = people.get(role)!;
    const reads = routesOf(server.app).filter(({ method, path }) => method === 'GET' && !path.endsWith('/events'));
    expect(reads.length).toBeGreaterThan(60);
    for (const { path } of reads) {
      for (const id of ['hidden', 'offered', 'order', 'drawer']) {
        const { body } = await get(device, path.slice('/api'.length).replace(/\{\w+\}/, String(ids[id])));
        const wrong = told(body).filter((mark) => !allowed(role).includes(mark));
        expect([path, id, wrong]).toEqual([path, id, []]);
        if (!path.includes('{')) break;
      }
    }
  });
});

test('SYNC-9 who may read more on the same tablet gets the columns and drawers that came without them, once', async () => {
  const kitchen = await TestDevice.enrol(server, 'server');
  const page = await kitchen.pull();
  expect(page.rows.stock.find(({ id }) => id === ids['hidden'])).toMatchObject({ supplier: '', cost_per_unit: 0 });
  const manager = people.get('manager')!;
  const more = await manager.pull(page.cursor);
  expect(more.rows.stock.find(({ id }) => id === ids['hidden'])).toMatchObject({
    supplier: 'Suministros Secretos',
    cost_per_unit: 987.65,
  });
  expect(more.rows.drawers.map(({ id }) => id)).toEqual([ids['drawer']]);
  const after = await manager.pull(more.cursor);
  expect([after.rows.stock, after.rows.drawers]).toEqual([[], []]);
  // Back to the clinician: nothing changed, and nothing comes.
  expect((await kitchen.pull(after.cursor)).rows.stock).toEqual([]);
});

test('SYNC-9 who may read recipients gets the treatments again that came without them, once', async () => {
  const clinician = await TestDevice.enrol(server, 'server');
  const page = await clinician.pull();
  const taxIdsIn = ({ rows }: typeof page) => JSON.stringify(rows.orders).match(/12345678Z/g)?.length ?? 0;
  expect([page.rows.orders.length > 0, taxIdsIn(page)]).toEqual([true, 0]);
  const counter = people.get('counter')!;
  const more = await counter.pull(page.cursor);
  expect(taxIdsIn(more)).toBeGreaterThan(0);
  expect((await counter.pull(more.cursor)).rows.orders).toEqual([]);
  expect((await clinician.pull(more.cursor)).rows.orders).toEqual([]);
});

test('a list that is sorted by a withheld column is in the order of names', async () => {
  const cheapestFirst = async (role: Role) => {
    const reply = await get(people.get(role)!, '/stock?sort=cost_per_unit&order=asc');
    return reply.json<{ stocks: { name: string }[] }>().stocks.map(({ name }) => name);
  };
  expect(await cheapestFirst('manager')).toEqual(['Zip brush', 'Needles']);
  expect(await cheapestFirst('counter')).toEqual(['Needles', 'Zip brush']);
});
