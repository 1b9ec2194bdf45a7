import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { users } from '#server/db/schema/access.ts';
import { categories, products, stockItems } from '#server/db/schema/catalogue.ts';
import { expenses } from '#server/db/schema/expenses.ts';
import { rooms } from '#server/db/schema/rooms.ts';
import { syncOps } from '#server/db/schema/sync.ts';
import { routesOf, sampleOf, someUuid } from '#tests/support/openapi-routes.ts';
import type { Route } from '#tests/support/openapi-routes.ts';
import { newId } from '#tests/support/unique.ts';
import { addUser, startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';

/** The routes without a key, each with its reason. */
const unkeyed = [
  // Sessions change no data of the clinic, and tokens must not be stored.
  'POST /api/users/login',
  'POST /api/auth/lock',
  'POST /api/auth/logout',
  'POST /api/auth/unlock',
  // A try is a try, however often it arrives.
  'POST /api/auth/pin-tries',
  // A challenge is for one assertion, which counts once; what adds a passkey holds a password. To remove one twice is to remove it.
  'POST /api/auth/passkeys',
  'POST /api/auth/passkeys/challenge',
  'POST /api/auth/passkeys/remove',
  'POST /api/users/login/passkey',
  // The reply holds the device's key, which the server stores only as a hash.
  'POST /api/devices',
  // A preview only reads.
  'POST /api/collective-invoices/preview',
  // SYNC-4: each operation is its own key.
  'POST /api/sync/batch',
  // These routes only read; their filters are too long for a URL.
  'POST /api/reports/book/export/csv',
  'POST /api/reports/book/export/excel',
  'POST /api/reports/removals/export/excel',
  'POST /api/reports/removals/export/pdf',
  'POST /api/reports/sales/export/excel',
  'POST /api/reports/sales/export/pdf',
  // A certificate must not be stored as it is sent. A second upload replaces the first.
  'PUT /api/fiscal/certificate',
  // A second test email does no harm.
  'POST /api/settings/test-mail',
];

const rent = {
  title: 'Rent',
  description: 'Premises',
  amount: 10,
  category: 'rent',
  expense_date: '2026-03-01',
};

interface Request {
  url: string;
  payload?: object;
}

let server: TestServer;
let token: string;
let routes: Route[];

beforeAll(async () => {
  server = await startTestServer();
  token = await server.login('admin');
  routes = routesOf(server.app).filter(({ method }) => method !== 'GET');
});
afterAll(() => server.close());

async function send(method: Route['method'], { url, payload }: Request, key: string, by = token) {
  const headers = { authorization: `Bearer ${by}`, 'idempotency-key': key };
  const reply = await server.app.inject({ method, url, headers, ...(payload && { payload }) });
  return { status: reply.statusCode, body: reply.body, replayed: reply.headers['idempotency-replayed'] === 'true' };
}

/** Returns a request that the route's schemas accept, and another with other content. */
function requestTo({ path, parameters, body }: Route, which: 1 | 2): Request {
  const inPath = new Map(
    parameters.filter((parameter) => parameter.in === 'path').map(({ name, schema }) => [name, schema]),
  );
  const url = path.replace(/\{(\w+)\}/g, (_all, name: string) =>
    inPath.get(name)!.type === 'string' ? someUuid.replace(/0$/, String(which)) : String(2_000_000_000 + which),
  );
  return { url, ...(body && { payload: sampleOf(body, which === 2) as object }) };
}

const receipt = (text: string) => {
  const form = new FormData();
  form.append('file', new Blob([`%PDF-1.4\n${text}\n%%EOF`], { type: 'application/pdf' }), 'receipt.pdf');
  return form;
};
/** Requests that cannot be derived from the schemas. */
const examples: Record<string, (which: 1 | 2) => Promise<Request>> = {
  'POST /api/upload/file': async (which) => ({
    url: '/api/upload/file?purpose=receipt',
    payload: receipt(`No. ${which}`),
  }),
  // A credit note and its number come together or not at all.
  'PUT /api/orders/{id}/status': async (which) => ({
    url: `/api/orders/${someUuid}/status`,
    payload: { status: 'cancelled', notes: `No. ${which}` },
  }),
  // A country is one of a list.
  'POST /api/collective-invoices': async (which) => {
    const { url, payload } = requestTo(
      routes.find(({ name }) => name === 'POST /api/collective-invoices')!,
      which,
    );
    const { recipient, ...rest } = payload as { recipient: object };
    return { url, payload: { ...rest, recipient: { ...recipient, name: `Payer ${which}`, country: 'FR' } } };
  },
  'POST /api/stock/stock/bulk-update': async (which) => ({
    url: '/api/stock/stock/bulk-update',
    payload: { updates: [{ stock_id: 2_000_000_000, quantity: which }] },
  }),
  'POST /api/stock/import': async (which) => ({
    url: '/api/stock/import',
    payload: { csv: `name\nGauze ${which}`, confirm: true },
  }),
  'POST /api/products/import': async (which) => ({
    url: '/api/products/import',
    payload: { csv: `name\nFilling ${which}`, confirm: true },
  }),
  // The route finds the order by its line, so the line must exist.
  'POST /api/stock/purchase-orders/items/{id}/receive': async (which) => ({
    url: `/api/stock/purchase-orders/items/${await orderedLine()}/receive`,
    payload: { quantity: which },
  }),
};

let line: Promise<number> | undefined;
const orderedLine = () => (line ??= orderLine());
async function orderLine(): Promise<number> {
  const item = {
    name: 'Gloves',
    unit: 'boxes',
    quantity: 0,
    reserved_quantity: 0,
    low_stock_threshold: 0,
    cost_per_unit: 1,
    supplier: 'Dental Sur',
    supplier_contact: '600',
  };
  const stocked = await send('POST', { url: '/api/stock', payload: item }, newId());
  const { id } = (JSON.parse(stocked.body) as { data: { id: number } }).data;
  const ordered = await send(
    'POST',
    { url: '/api/purchase-orders', payload: { vendor: 'Dental Sur', items: [{ stock_id: id, quantity: 5 }] } },
    newId(),
  );
  const order = (JSON.parse(ordered.body) as { data: { id: number; items: { id: number }[] } }).data;
  await send('POST', { url: `/api/purchase-orders/${order.id}/send` }, newId());
  return order.items[0]!.id;
}

const takesKey = ({ parameters }: Route) =>
  parameters.some((parameter) => parameter.in === 'header' && parameter.name === 'idempotency-key');

describe('SYNC-3 every REST write', () => {
  test('accepts an idempotency key, unless the write is idempotent by itself', () => {
    expect(routes.length).toBeGreaterThan(40);
    const without = routes.filter((route) => !takesKey(route)).map(({ name }) => name);
    expect(without.sort()).toEqual([...unkeyed].sort());
  });

  test('SYNC-4 returns the first reply byte for byte when repeated, and 422 for other content under the key', async () => {
    const keyed = routes.filter(takesKey);
    expect(keyed.length).toBeGreaterThan(35);
    for (const route of keyed) {
      const { name, method } = route;
      const request = examples[name] ?? (async (which: 1 | 2) => requestTo(route, which));
      const key = newId();
      const first = await send(method, await request(1), key);
      expect(first, name).toSatisfy(({ status, replayed }: typeof first) => status < 500 && !replayed);
      const again = await send(method, await request(1), key);
      expect({ name, ...again }).toEqual({ name, ...first, replayed: true });
      const other = await send(method, await request(2), key);
      const isSame = JSON.stringify(await request(1)) === JSON.stringify(await request(2)) && !(name in examples);
      // A request without variable parts has no other content.
      if (isSame) continue;
      expect([name, other.status, other.body]).toEqual([name, 422, expect.stringContaining('IDEMPOTENCY_MISMATCH')]);
    }
  });

  test.each([
    ['users', users, { name: 'Ana García', email: 'ana@clinic.test', password: 'sol y sombra', role: 'counter' }],
    ['tables', rooms, { number: '1', capacity: 1 }],
    ['expenses', expenses, rent],
    ['categories', categories, { name: 'Surgery' }],
    ['stock', stockItems, { name: 'Gauze', supplier: 'Dental Sur', supplier_contact: '600' }],
    ['products', products, { name: 'Travel kit', price: 10 }],
  ] as const)('SYNC-4 makes one of %s when it arrives several times at once', async (noun, table, body) => {
    const before = await server.database.$count(table);
    const key = newId();
    const create = (payload: object) => send('POST', { url: `/api/${noun}`, payload }, key);
    const replies = await Promise.all([1, 2, 3].map(() => create(body)));
    expect(new Set(replies.map((reply) => reply.body)).size).toBe(1);
    expect(replies.map(({ status, replayed }) => `${status} ${replayed}`).sort()).toEqual([
      '201 false',
      '201 true',
      '201 true',
    ]);
    expect(await server.database.$count(table)).toBe(before + 1);
    // The first field is a text.
    expect((await create({ ...body, [Object.keys(body)[0]!]: 'Another' })).status).toBe(422);
  });

  test('changes a password once, repeats the reply, and stores neither the old nor the new password', async () => {
    const person = await addUser(server.database, {
      clinicId: server.clinicId,
      role: 'counter',
      at: Date.now(),
      password: 'present password',
    });
    const signedIn = await server.app.inject({
      method: 'POST',
      url: '/api/users/login',
      payload: { email: person.email, password: person.password },
    });
    const { accessToken } = signedIn.json<{ data: { accessToken: string } }>().data;
    const key = newId();
    const request = {
      url: '/api/auth/password',
      payload: { current_password: 'present password', password: 'the password after' },
    };
    const first = await send('POST', request, key, accessToken);
    expect(first).toEqual({ status: 200, body: '{"success":true,"data":null}', replayed: false });
    // The password has changed meanwhile.
    expect(await send('POST', request, key, accessToken)).toEqual({ ...first, replayed: true });
    const stored = JSON.stringify(await server.database.select().from(syncOps));
    for (const secret of ['present password', 'the password after', 'sol y sombra'])
      expect(stored).not.toContain(secret);
  });
});
