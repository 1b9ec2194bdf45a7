/** Two clinics on one server: neither sees, changes or names anything of the other, and every index begins with the clinic. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FastifyInstance } from 'fastify';
import type { QueryConfig } from 'pg';
import type { DeviceReply } from '#domain/protocol/sync.ts';
import { buildApp } from '#server/app.ts';
import { readConfig } from '#server/config.ts';
import { openDatabase } from '#server/db/database.ts';
import { routesOf } from '../support/openapi-routes.ts';
import type { Route } from '../support/openapi-routes.ts';
import { newId } from '../support/unique.ts';
import { cheapPasswords, startTestServer } from '../support/server.ts';
import type { TestServer } from '../support/server.ts';

type Id = string | number;
interface Clinic {
  id: number;
  mark: string;
  token: string;
  device: DeviceReply;
  /** Keys are the nouns of the API, or names of path parameters. */
  ids: Record<string, Id>;
}

let server: TestServer;
let north: Clinic;
let south: Clinic;

const call = (token: string, method: Route['method'], url: string, payload?: object) =>
  server.app.inject({ method, url, headers: { authorization: `Bearer ${token}` }, ...(payload && { payload }) });
const rows = async <T extends object>(sql: string, values: unknown[] = []) =>
  (await server.database.$client.query<T>(sql, values)).rows;

beforeAll(async () => {
  server = await startTestServer();
  north = await plant(server.clinicId, 'NORTH');
  south = await plant(await server.addClinic(), 'SOUTH');
});
afterAll(() => server.close());

const person = (mark: string) => ({
  name: `${mark} person`,
  email: `${mark.toLowerCase()}@clinic.test`,
  password: 'a long enough password',
  role: 'counter',
});
const expense = (mark: string) => ({
  title: `${mark} rent`,
  description: `${mark} premises`,
  amount: 10,
  category: 'rent',
  expense_date: '2026-03-01',
});
const supply = (mark: string) => ({
  name: `${mark} item`,
  unit: 'boxes',
  quantity: 100,
  reserved_quantity: 0,
  low_stock_threshold: 0,
  cost_per_unit: 1,
  supplier: `${mark} supplier`,
  supplier_contact: '600',
});
const counted = { cash: 0, card: 0, insurance: 0, others: 0 };

/** A clinic with one row of everything, each with a mark. */
async function plant(id: number, mark: string): Promise<Clinic> {
  const token = await server.login('admin', { clinicId: id });
  async function make<T = { id: Id }>(url: string, payload: object): Promise<T> {
    const reply = await call(token, 'POST', `/api${url}`, payload);
    expect([url, reply.statusCode < 300, reply.body]).toMatchObject([url, true, expect.any(String)]);
    return reply.json<{ data: T }>().data;
  }
  const device = await make<DeviceReply>('/devices', {});
  const { id: stock } = await make('/stock', supply(mark));
  const { id: categories } = await make('/categories', { name: `${mark} category` });
  const { id: products } = await make('/products', {
    name: `${mark} product`,
    price: 5,
    ingredients: [{ ingredient_id: stock, quantity_required: 1 }],
  });
  const drawers = newId();
  await make('/drawers', { drawer_id: drawers, currency: 'EUR', float: 10 });
  const [orders, patients, itemId] = [newId(), newId(), newId()];
  await make('/orders', {
    order_id: orders,
    items: [{ line_id: itemId, stock_id: stock, quantity: 9 }],
    patient: { patient_id: patients, name: `${mark} patient` },
  });
  const details = { name: `${mark} patient`, email: `${mark}@example.com`, notes: `${mark} note` };
  expect((await call(token, 'PUT', `/api/patients/${patients}`, details)).statusCode).toBe(200);
  await make(`/orders/${orders}/payments`, { payment_method: 'cash', amount: 1 });
  const bought = await make<{ id: Id; items: { id: Id }[] }>('/purchase-orders', {
    vendor: `${mark} vendor`,
    items: [{ stock_id: stock, quantity: 1 }],
  });
  const { id: users } = await make('/users', person(mark));
  const { id: tables } = await make('/tables', { number: `${mark} room`, capacity: 1 });
  const { id: expenses } = await make('/expenses', expense(mark));
  const form = new FormData();
  form.set('file', new Blob([`%PDF-1.4\n${mark}\n%%EOF`]), 'receipt.pdf');
  const { url } = await make<{ url: string }>('/upload/file?purpose=receipt', form);
  const planted = async (sql: string) =>
    Number((await rows<{ id: string }>(`${sql} returning id`, [id, stock, mark]))[0]!.id);
  const lots = await planted(
    `insert into stock_lots (clinic_id, stock_id, lot_number, received_milli, remaining_milli, received_at) select $1, $2, $3, 1000, 1000, created_at from stock_items where clinic_id = $1 and id = $2`,
  );
  const alerts = await planted(
    `insert into stock_alerts (clinic_id, stock_id, type, severity, quantity_milli, threshold_milli) select $1, $2, 'low_stock', 'low', 0, 0 where $3 <> ''`,
  );
  const attention = await planted(
    `insert into attention_items (clinic_id, kind, details) select $1, 'late_work', jsonb_build_object('mark', $3::text, 'stock', $2::int)`,
  );
  // Another than the one that calls, which the calls below would end.
  const sessions = await planted(
    `insert into sessions (clinic_id, jti, user_id, expires_at)
     select clinic_id, gen_random_uuid(), user_id, expires_at from sessions where clinic_id = $1 and $2::int > 0 and $3 <> '' limit 1`,
  );
  const devices = await planted(
    `insert into devices (clinic_id, key_hash, name, code) select $1, '', $3, 'Z9' where $2::int > 0`,
  );
  const collective = newId();
  await rows(
    `insert into collective_invoices (clinic_id, id, number, issued_at, document) values ($1, $2, $3, $4,
       jsonb_build_object('recipient', jsonb_build_object('name', $3::text, 'tax_id', $3::text), 'treatments', '[]'::jsonb))`,
    [id, collective, mark, new Date()],
  );
  const sold = newId();
  await make('/orders', { order_id: sold, items: [{ stock_id: stock, quantity: 1 }] });
  await make(`/orders/${sold}/payments`, { payment_method: 'card', amount: 1 });
  const [record] = await rows<{ id: string }>('select id from fiscal_records where clinic_id = $1', [id]);
  const ids = {
    records: Number(record!.id),
    sessions,
    stock,
    categories,
    products,
    drawers,
    'collective-invoices': collective,
    orders,
    patients,
    itemId,
    orderId: orders,
    users,
    tables,
    expenses,
    lots,
    alerts,
    attention,
    'purchase-orders': bought.id,
    items: bought.items[0]!.id,
    devices,
    uploads: url.split('/').at(-1)!,
  };
  return { id, mark, token, device, ids };
}

/** Returns the URL of a clinic's own row under a route; null when the noun has no row. */
function addressOf({ path }: Route, { ids }: Clinic): string | null {
  let isKnown = true;
  const address = path.replace(/\{(\w+)\}/g, (_all, name: string, at: number) => {
    const noun =
      name in ids
        ? name
        : path
            .slice(0, at)
            .split('/')
            .findLast((part) => part in ids);
    isKnown &&= noun !== undefined;
    return String(ids[noun ?? '']);
  });
  return isKnown ? address : null;
}

/** Returns all rows of a clinic as text, by table. */
async function allOf({ id }: Clinic): Promise<Record<string, string>> {
  const tables = await rows<{ name: string }>(
    `select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'clinic_id'`,
  );
  expect(tables.length).toBeGreaterThan(25);
  const texts: Record<string, string> = {};
  for (const { name } of tables) {
    texts[name] = (
      await rows<{ text: string }>(
        `select coalesce(string_agg(t::text, e'\\n' order by t::text), '') as text from ${name} t where clinic_id = $1`,
        [id],
      )
    )[0]!.text;
  }
  return texts;
}

/** A picture has no session, because an `<img>` sends none; its address is random. */
const isShared = ({ path }: Route) => path.startsWith('/uploads/');

/** Bodies for routes that change a row. */
const bodies: Record<string, object> = {
  'PUT /api/users/{id}': person('OTHER'),
  'PUT /api/devices/{id}': { name: 'Ours' },
  'POST /api/devices/{id}/revoke': { reason: 'Ours now' },
  'PUT /api/stock/{id}': { name: 'Ours' },
  'POST /api/stock/stock/update/{id}': { amount: 1 },
  'POST /api/stock/stock/add/{id}': { amount: 1 },
  'POST /api/stock/stock/subtract/{id}': { amount: 1 },
  'PUT /api/categories/{id}': { name: 'Ours' },
  'PUT /api/products/{id}': { name: 'Ours', price: 1 },
  'POST /api/patients/{id}/erase': { reason: 'By letter', confirm: true },
  'POST /api/attention/{id}/settle': { reason: 'Ours now' },
  'POST /api/attention/{id}/approve': { reason: 'Ours now' },
  'POST /api/orders/{id}/changes': { room_id: null },
  'PATCH /api/orders/{id}': { items: [{ stock_id: 1, quantity: 1 }] },
  'POST /api/orders/{id}/payments': { payment_method: 'cash', amount: 1 },
  'POST /api/payments/orders/{id}/pay': { payment_method: 'cash', amount: 1 },
  'PUT /api/orders/{id}/status': { status: 'cancelled' },
  'POST /api/orders/{id}/refunds': { amount: 1, reason: 'Ours now' },
  'POST /api/orders/{id}/invoices': {},
  'POST /api/collective-invoices/{id}/payments': { payment_method: 'card' },
  'POST /api/fiscal/records/{id}/correct': {},
  'POST /api/fiscal/records/{id}/release': {},
  'POST /api/fiscal/records/{id}/annul': {},
  'PUT /api/patients/{id}': { name: 'Ours now', email: 'ours@example.com', notes: 'Ours', recipient: null },
  'PATCH /api/kitchen/orders/{orderId}/items/{itemId}/status': { status: 'preparing' },
  'POST /api/drawers/{id}/movements': { direction: 'in', amount: 1, reason: 'Ours now' },
  'POST /api/drawers/{id}/close': { counted },
  'PUT /api/purchase-orders/{id}': { vendor: 'Ours', items: [{ stock_id: 1, quantity: 1 }] },
  'POST /api/purchase-orders/{id}/receive': { items: [{ item_id: 1, quantity: 1 }] },
  'POST /api/stock/purchase-orders/items/{id}/receive': { quantity: 1 },
  'PUT /api/expenses/{id}': expense('OTHER'),
  'POST /api/expenses/{id}/approve': {},
  'POST /api/expenses/{id}/reject': { rejection_reason: 'Ours now' },
  'PUT /api/tables/{id}': { capacity: 2 },
};

/** Starts a second app on the same data, whose every statement has lost its condition on the clinic. */
async function forgetfulApp(seesAll: boolean): Promise<{ app: FastifyInstance; close: () => Promise<void> }> {
  const database = openDatabase(server.connectionString);
  database.$client.on('connect', (client) => {
    const query = client.query.bind(client) as (statement: unknown, ...rest: unknown[]) => unknown;
    const forget = (text: string) => text.replace(/\b(\w+\.)?clinic_id = \$1(?!\d)/g, () => '$1::int is not null');
    client.query = ((statement: string | QueryConfig, ...rest: unknown[]) =>
      typeof statement === 'string'
        ? query(forget(statement), ...rest)
        : query({ ...statement, text: forget(statement.text) }, ...rest)) as typeof client.query;
  });
  // Without the wall every connection sees all clinics.
  if (seesAll) database.$client.within = () => database.$client;
  const { secret } = server;
  const config = readConfig({ DEMO: '0' });
  const app = await buildApp({ database, config, secret, clock: Date.now, passwords: cheapPasswords });
  await app.ready();
  return { app, close: async () => app.close().then(() => database.$client.end()) };
}

describe('two clinics on one server', () => {
  test.each([
    ['see nothing of each other behind the wall', false],
    ['see each other on many routes without it', true],
  ])('%s, although every statement has lost its clinic', async (_, seesAll) => {
    const { app, close } = await forgetfulApp(seesAll);
    try {
      const leaks: string[] = [];
      for (const route of routesOf(app)) {
        if (route.method !== 'GET' || route.path === '/api/sync/events' || isShared(route)) continue;
        for (const clinic of [north, south]) {
          const url = addressOf(route, clinic)!;
          const { body } = await app.inject({ url, headers: { authorization: `Bearer ${south.token}` } });
          if (body.includes('NORTH')) leaks.push(route.name);
        }
      }
      expect(leaks.length > 15).toBe(seesAll);
      if (!seesAll) expect(leaks).toEqual([]);
    } finally {
      await close();
    }
  });

  test('cannot read each other’s data on any route', async () => {
    let saw = 0;
    const reads = routesOf(server.app).filter(
      (route) => route.method === 'GET' && route.path !== '/api/sync/events' && !isShared(route),
    );
    for (const route of reads) {
      const address = addressOf(route, north);
      expect([route.name, address]).toEqual([route.name, expect.any(String)]);
      const reply = await call(south.token, 'GET', address!);
      expect(reply.body, route.name).not.toContain('NORTH');
      if (reply.body.includes('SOUTH')) saw += 1;
      if (!route.path.includes('{')) continue;
      expect([route.name, reply.statusCode]).toEqual([route.name, 404]);
      // The clinic's own row is found.
      expect([route.name, (await call(north.token, 'GET', address!)).statusCode]).toEqual([route.name, 200]);
    }
    expect(saw).toBeGreaterThanOrEqual(12);
  });

  test('cannot change or delete each other’s data on any route', async () => {
    // Lines before their order, which makes new ones; deletions last, and of what others are made of after those: at the end
    // each must still have been there for its own clinic.
    const last = ['products', 'stock', 'categories', 'users', 'tables', 'expenses'];
    const rank = ({ method, path }: Route) =>
      method === 'DELETE' ? 1 + last.indexOf(path.split('/')[2]!) : path.includes('/items/') ? -1 : 0;
    const writes = routesOf(server.app)
      .filter(({ method, path }) => method !== 'GET' && path.includes('{'))
      .sort((a, b) => rank(a) - rank(b));
    expect(writes.length).toBeGreaterThan(30);
    const before = await allOf(north);
    for (const route of writes) {
      const reply = await call(south.token, route.method, addressOf(route, north)!, bodies[route.name]);
      expect([route.name, reply.statusCode]).toEqual([route.name, 404]);
    }
    expect(await allOf(north)).toEqual(before);
    for (const route of writes) {
      const { statusCode } = await call(north.token, route.method, addressOf(route, north)!, bodies[route.name]);
      expect([route.name, statusCode]).toEqual([
        route.name,
        expect.toSatisfy((status: number) => status < 300 || status === 409),
      ]);
    }
    expect(await allOf(north)).not.toEqual(before);
  });

  test('refuse ids of the other clinic in any body', async () => {
    const { stock, categories, orders, drawers, tables } = north.ids;
    const line = { stock_id: stock, quantity: 1 };
    const before = await allOf(north);
    const named: [url: string, body: object, status: number, code: string][] = [
      ['orders', { items: [line] }, 400, 'ITEM_UNKNOWN'],
      ['orders', { items: [{ stock_id: south.ids['stock'], quantity: 1 }], room_id: tables }, 404, 'ROOM_NOT_FOUND'],
      [
        `orders/${south.ids['orders']}/payments`,
        { order_id: orders, payment_id: newId(), payment_method: 'cash', amount: 1 },
        400,
        'VALIDATION',
      ],
      ['stock', { ...supply('OTHER'), category_id: categories }, 400, 'VALIDATION'],
      [
        'products',
        { name: 'Ours', price: 1, ingredients: [{ ingredient_id: stock, quantity_required: 1 }] },
        400,
        'VALIDATION',
      ],
      ['purchase-orders', { vendor: 'Ours', items: [line] }, 404, 'STOCK_NOT_FOUND'],
      ['stock/transactions', { stock_id: stock, transaction_type: 'stock_in', quantity: 1 }, 404, 'STOCK_NOT_FOUND'],
      ['stock/stock/bulk-update', { updates: [{ stock_id: stock, action: 'add', quantity: 1 }] }, 400, 'VALIDATION'],
      ['stock/reserve', { stock: [line] }, 404, 'STOCK_NOT_FOUND'],
      ['stock/unreserve', { stock: [line] }, 404, 'STOCK_NOT_FOUND'],
      ['stock/deduct-for-order', { orderId: orders, stock: [line] }, 404, 'ORDER_NOT_FOUND'],
      ['expenses', { ...expense('OTHER'), paid_from_drawer: true, drawer_id: drawers }, 409, 'DRAWER_NOT_OPEN'],
      ['devices', { device_id: north.device.device_id, device_key: north.device.device_key }, 403, 'DEVICE_UNKNOWN'],
    ];
    const answers: unknown[] = [];
    for (const [url, body] of named) {
      // A session that is on a device already names no other one.
      const token = url === 'devices' ? await server.login('admin', { clinicId: south.id }) : south.token;
      const reply = await call(token, 'POST', `/api/${url}`, body);
      answers.push([url, reply.statusCode, reply.json<{ code?: string }>().code ?? '']);
    }
    expect(answers).toEqual(named.map(([url, , status, code]) => [url, status, code]));
    expect(await allOf(north)).toEqual(before);
  });

  test('keep an operation waiting or refuse it when it names rows of the other clinic', async () => {
    const before = await allOf(north);
    const { data: me } = (await call(south.token, 'GET', '/api/auth/me')).json<{ data: { id: number } }>();
    const { orders, stock, drawers } = north.ids;
    const operations = [
      ['order.cancel', `order:${orders}`, { order_id: orders, status: 'cancelled' }],
      [
        'order.pay',
        `order:${orders}`,
        { order_id: orders, payment_id: newId(), payment_method: 'cash', amount: 1, tendered: 1, change: 0 },
      ],
      ['stock.adjust', `stock:${stock}`, { stock_id: stock, action: 'set', amount: 0 }],
      ['drawer.close', `drawer:${drawers}`, { drawer_id: drawers, counted }],
    ].map(([kind, aggregate, payload], index) => ({
      op_id: newId(),
      device_id: south.device.device_id,
      device_seq: index + 1,
      aggregate,
      depends_on: [],
      kind,
      v: 1,
      payload,
      actor_id: me.id,
      occurred_at: new Date().toISOString(),
      clock_offset_ms: 0,
    }));
    const reply = await call(south.token, 'POST', '/api/sync/batch', { operations });
    expect(reply.json<{ data: { results: { status: string }[] } }>().data.results.map(({ status }) => status)).toEqual(
      operations.map(() => expect.stringMatching('refused|waiting')),
    );
    expect(await allOf(north)).toEqual(before);
  });

  test('grant device codes independently', () => {
    expect(south.device.code).toBe(north.device.code);
    expect(south.device.epoch).not.toBe(north.device.epoch);
  });
});

test('every primary key, unique key and index begins with the clinic', async () => {
  const exceptions: Record<string, string> = {
    clinics_pkey: 'the clinics themselves',
    fiscal_inquiries_tax_id_month_pk: 'what the tax agency is asked of a taxpayer, who may have several clinics',
    fiscal_senders_pkey: 'the pace of a taxpayer, who may have several clinics',
    fiscal_sendings_duplicate: 'the duplicates of a taxpayer, who may have several clinics',
    forgotten_prefixes_tax_id_prefix_pk: 'the letters of former codes of a taxpayer, who may have several clinics',
    guesses_last_at_index: 'attempts before anybody is known to be of a clinic',
    guesses_pkey: 'the same',
    home_cluster_pkey: 'the one row of the cluster that all clinics of an installation are on',
    installation_pkey: 'the one row of what all clinics of an installation share',
    orders_customer_words: 'an inverted index, each of whose words begins with the clinic',
    taxpayer_codes_pkey: 'the sequence of codes of a taxpayer, who may have several clinics',
  };
  const indexes = await rows<{ name: string; first: string | null }>(`
    select index.relname as name, a.attname as first
    from pg_index i
    join pg_class index on index.oid = i.indexrelid
    join pg_class of_table on of_table.oid = i.indrelid
    left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
    where of_table.relnamespace = 'public'::regnamespace`);
  expect(indexes.length).toBeGreaterThan(60);
  expect(
    indexes
      .filter(({ first }) => first !== 'clinic_id')
      .map(({ name }) => name)
      .sort(),
  ).toEqual(Object.keys(exceptions));
});
