/**
 * Two people with the same form open: what each changes stays, and what both change is refused with what is stored. A row
 * of the table is a noun that the desk changes.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routesOf } from '#tests/support/openapi-routes.ts';
import { line, TestDevice } from '#tests/support/device.ts';
import { addUser, startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';

let server: TestServer;
const tokens = { a: '', b: '' };
let tablet: TestDevice;

beforeAll(async () => {
  server = await startTestServer();
  const person = await addUser(server.database, { clinicId: server.clinicId, role: 'admin', at: Date.now() });
  const signIn = async () => {
    const { email, password } = person;
    const reply = await server.app.inject({ method: 'POST', url: '/api/users/login', payload: { email, password } });
    return reply.json<{ data: { accessToken: string } }>().data.accessToken;
  };
  tokens.a = await signIn();
  tokens.b = await signIn();
  tablet = await TestDevice.enrol(server, 'manager');
});
afterAll(() => server.close());

type Fields = Record<string, unknown>;
interface Reply {
  code?: string;
  details?: Fields;
  data?: unknown;
}

async function call(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH',
  path: string,
  payload?: object,
  token = tokens.a,
): Promise<{ status: number; body: Reply }> {
  const reply = await server.app.inject({
    method,
    url: `/api${path}`,
    headers: { authorization: `Bearer ${token}` },
    ...(payload && { payload }),
  });
  return { status: reply.statusCode, body: reply.json<Reply>() };
}

async function made(path: string, body: object): Promise<number | string> {
  const { status, body: reply } = await call('POST', path, body);
  expect(status, JSON.stringify(reply)).toBe(201);
  return (reply.data as { id: number | string }).id;
}
const dataOf = async (path: string): Promise<Fields> => (await call('GET', path)).body.data as Fields;
const rowOf = async (path: string, id: number | string): Promise<Fields> =>
  ((await call('GET', path)).body.data as Fields[]).find((row) => row.id === id)!;

type Shaped = (opened: unknown) => unknown;

interface Noun {
  name: string;
  /** Route of the change, as the API describes it. */
  route: string;
  /** Returns the path of a new record, and how its form reads it. */
  make: (at: number) => Promise<{ path: string; read: () => Promise<Fields> }>;
  /** A field with what A and B make of it, or a function of what they found. */
  contested: [field: string, ofA: unknown, ofB: unknown];
  /** Another field, which A changes alone; absent where a form has only one. */
  beside?: [field: string, ofA: unknown];
}

const vendorOrder = async (at: number): Promise<number | string> => {
  const stock_id = await made('/stock', item(at));
  return made('/purchase-orders', { vendor: 'Dentalia', items: [{ stock_id, quantity: 50, unit_cost: 3 }] });
};
const item = (at: number) => ({
  name: `Gloves ${at}`,
  unit: 'box',
  supplier: 'Dentalia',
  supplier_contact: '600',
  quantity: 10,
  cost_per_unit: 4,
});

let serial = 0;
/** A number that nobody had before: of some nouns there is one record. */
const phone = () => `600 ${++serial}`;

const nouns: Noun[] = [
  {
    name: 'a person of the staff',
    route: 'PUT /api/users/{id}',
    make: async (at) => {
      const email = `eva${at}@clinic.test`;
      const body = { name: 'Eva Gil', email, password: 'sol y sombra', role: 'counter', status: 'active' };
      const id = await made('/users', body);
      return { path: `/users/${id}`, read: () => rowOf('/users?size=100', id) };
    },
    contested: ['role', 'manager', 'server'],
    beside: ['phone', '600 100 200'],
  },
  {
    name: 'an expense',
    route: 'PUT /api/expenses/{id}',
    make: async () => {
      const id = await made('/expenses', {
        title: 'Rent of May',
        description: 'The rooms',
        amount: 1000,
        category: 'rent',
        expense_date: '2026-05-01',
      });
      return { path: `/expenses/${id}`, read: () => dataOf(`/expenses/${id}`) };
    },
    contested: ['amount', 900, 100],
    beside: ['notes', 'By transfer'],
  },
  {
    name: 'a purchase order',
    route: 'PUT /api/purchase-orders/{id}',
    make: async (at) => {
      const id = await vendorOrder(at);
      const read = async () => {
        const order = await dataOf(`/purchase-orders/${id}`);
        const items = order.items as { stock_id: number; quantity: number; unit_cost: number }[];
        // As the form sends them.
        return {
          ...order,
          items: items.map(({ stock_id, quantity, unit_cost }) => ({ stock_id, quantity, unit_cost })),
        };
      };
      return { path: `/purchase-orders/${id}`, read };
    },
    contested: ['vendor', 'Proclinic', 'Henry'],
    beside: ['notes', 'In the morning'],
  },
  {
    name: 'a room',
    route: 'PUT /api/tables/{id}',
    make: async (at) => {
      const id = await made('/tables', { number: `R${at}`, capacity: 2, location: 'Left' });
      return { path: `/tables/${id}`, read: () => dataOf(`/tables/${id}`) };
    },
    contested: ['capacity', 3, 4],
    beside: ['location', 'Right'],
  },
  {
    name: 'a supply',
    route: 'PUT /api/stock/{id}',
    make: async (at) => {
      const id = await made('/stock', item(at));
      return { path: `/stock/${id}`, read: () => dataOf(`/stock/${id}`) };
    },
    contested: ['quantity', 12, 7],
    beside: ['low_stock_threshold', 5],
  },
  {
    name: 'a product',
    route: 'PUT /api/products/{id}',
    make: async (at) => {
      const ingredient_id = await made('/stock', item(at));
      const ingredients = [{ ingredient_id, quantity_required: 1 }];
      const id = await made('/products', { name: `Whitening ${at}`, price: 80, ingredients });
      return { path: `/products/${id}`, read: () => dataOf(`/products/${id}`) };
    },
    contested: ['ingredients', [], (of: unknown) => [{ ...(of as Fields[])[0], quantity_required: 2 }]],
    beside: ['price', 90],
  },
  {
    name: 'a category',
    route: 'PUT /api/categories/{id}',
    make: async (at) => {
      const id = await made('/categories', { name: `Hygiene ${at}` });
      return { path: `/categories/${id}`, read: () => rowOf('/categories', id) };
    },
    contested: ['description', 'Teeth', 'Gums'],
    beside: ['color', '#112233'],
  },
  {
    name: 'the settings',
    route: 'PUT /api/settings',
    make: async () => ({ path: '/settings', read: () => dataOf('/settings') }),
    contested: ['phone', phone, phone],
    beside: ['address', 'Sol 3'],
  },
  {
    name: "a person's own details",
    route: 'PUT /api/auth/me',
    make: async () => ({ path: '/auth/me', read: () => dataOf('/auth/me') }),
    contested: ['phone', phone, phone],
    beside: ['name', 'Ada Lovelace'],
  },
  {
    name: "a device's name",
    route: 'PUT /api/devices/{id}',
    make: async () => {
      const id = tablet.info.device_id;
      return { path: `/devices/${id}`, read: () => rowOf('/devices', id) };
    },
    contested: ['name', 'Front desk', 'Back desk'],
  },
  {
    name: 'a patient',
    route: 'PUT /api/patients/{id}',
    make: async () => {
      const id = await made('/patients', { name: 'Ana Ruiz', phone: '600' });
      return { path: `/patients/${id}`, read: () => dataOf(`/patients/${id}`) };
    },
    contested: ['email', 'a@home.test', 'b@home.test'],
    beside: ['notes', 'Comes by bus'],
  },
];

async function opened({ make, contested }: Noun) {
  const { path, read } = await make(++serial);
  const seen = await read();
  const [field, ofA, ofB] = contested;
  const valueOf = (value: unknown): unknown => (typeof value === 'function' ? (value as Shaped)(seen[field]) : value);
  return { path, read, seen, field, ofA: valueOf(ofA), ofB: valueOf(ofB) };
}
const putAs = (token: string, path: string, changes: Fields, seen: Fields) =>
  call('PUT', path, { ...changes, seen: Object.fromEntries(Object.keys(changes).map((of) => [of, seen[of]])) }, token);

describe('two people with the same form', () => {
  test.each(nouns.filter(({ beside }) => beside))('do not undo each other: both fields of $name stay', async (noun) => {
    const { path, read, seen, field, ofB } = await opened(noun);
    const [other, otherOfA] = noun.beside!;
    expect(await putAs(tokens.b, path, { [field]: ofB }, seen)).toMatchObject({ status: 200 });
    expect(await putAs(tokens.a, path, { [other]: otherOfA }, seen)).toMatchObject({ status: 200 });
    expect(await read()).toMatchObject({ [field]: ofB, [other]: otherOfA });
  });

  test.each(nouns)('are asked about what both change of $name, and the second decides', async (noun) => {
    const { path, read, seen, field, ofA, ofB } = await opened(noun);
    expect(await putAs(tokens.b, path, { [field]: ofB }, seen)).toMatchObject({ status: 200 });
    const before = await read();
    const second = await putAs(tokens.a, path, { [field]: ofA }, seen);
    expect(second).toMatchObject({ status: 409, body: { code: 'CHANGED_MEANWHILE', details: { [field]: ofB } } });
    expect(await read()).toEqual(before);
    expect(await putAs(tokens.a, path, { [field]: ofA }, second.body.details!)).toMatchObject({ status: 200 });
    expect(await read()).toMatchObject({ [field]: ofA });
  });

  test.each(nouns)('may both set $name to the same', async (noun) => {
    const { path, seen, field, ofB } = await opened(noun);
    expect(await putAs(tokens.b, path, { [field]: ofB }, seen)).toMatchObject({ status: 200 });
    expect(await putAs(tokens.a, path, { [field]: ofB }, seen)).toMatchObject({ status: 200 });
  });

  test.each(nouns)('change $name without a word of what they saw, as other programs do', async (noun) => {
    const { path, read, field, ofA, ofB } = await opened(noun);
    expect(await call('PUT', path, { [field]: ofB })).toMatchObject({ status: 200 });
    expect(await call('PUT', path, { [field]: ofA })).toMatchObject({ status: 200 });
    expect(await read()).toMatchObject({ [field]: ofA });
  });

  test.each(nouns)('learn nothing of fields that $name has not, whatever their names', async (noun) => {
    const { path, seen, field, ofA } = await opened(noun);
    const odd = JSON.parse('{"toString":1,"valueOf":"x","hasOwnProperty":[],"password_hash":"x"}') as Fields;
    const reply = await call('PUT', path, { [field]: ofA, seen: { ...odd, [field]: seen[field] } });
    expect(reply).toMatchObject({ status: 400, body: { code: 'VALIDATION' } });
  });
});

test('the table has every change of a record that names what was seen', () => {
  // A certificate is written, but not read; `fiscal/certificate.test.ts` has two people upload one.
  const known = new Set([...nouns.map(({ route }) => route), 'PUT /api/fiscal/certificate']);
  const routes = routesOf(server.app).filter(({ method, body }) => method === 'PUT' && body?.properties?.seen);
  expect(routes.map(({ name }) => name).filter((name) => !known.has(name))).toEqual([]);
});

describe('a refusal that tells what is stored', () => {
  test('tells no details of a patient to those who do not read them', async () => {
    const id = await made('/patients', { name: 'Ana Ruiz', phone: '600', notes: 'Owes nothing', email: 'a@home.test' });
    const clinician = await server.login('server');
    const probe = await call('PUT', `/patients/${id}`, { name: 'Ana Gil', seen: { notes: '', email: '' } }, clinician);
    expect(JSON.stringify(probe.body)).not.toMatch(/Owes|home\.test/);
  });

  test('tells nothing of a record of another clinic', async () => {
    const id = await made('/tables', { number: 'Z1', capacity: 2, location: 'Secret corner' });
    const stranger = await server.login('admin', { clinicId: await server.addClinic() });
    const probe = await call('PUT', `/tables/${id}`, { capacity: 3, seen: { location: '' } }, stranger);
    expect(probe).toMatchObject({ status: 404 });
    expect(JSON.stringify(probe.body)).not.toContain('Secret');
  });
});

test('an item on the board that another has moved on stays where it is', async () => {
  const created = tablet.create([line()]);
  await tablet.send(created);
  const lineId = created.payload.items[0]!.line_id;
  const path = `/kitchen/orders/${created.payload.order_id}/items/${lineId}/status`;
  const move = (status: string, seen: string) => call('PATCH', path, { status, seen: { status: seen } });
  expect(await move('preparing', 'pending')).toMatchObject({ status: 200 });
  expect(await move('ready', 'preparing')).toMatchObject({ status: 200 });
  expect(await move('preparing', 'pending')).toMatchObject({
    status: 409,
    body: { code: 'CHANGED_MEANWHILE', details: { status: 'ready' } },
  });
});

test('the body of an expense that names all fields, as the specification has it, replaces them', async () => {
  const whole = {
    title: 'Rent of May',
    description: 'The rooms',
    amount: 1000,
    category: 'rent',
    expense_date: '2026-05-01',
    receipt_url: null,
    notes: 'Paid',
  };
  const id = await made('/expenses', { ...whole, notes: '' });
  expect(await call('PUT', `/expenses/${id}`, whole)).toMatchObject({ status: 200, body: { data: whole } });
  expect(await call('PUT', `/expenses/${id}`, { amount: -1 })).toMatchObject({ status: 400 });
  expect(await dataOf(`/expenses/${id}`)).toMatchObject(whole);
});

test('a change of a purchase order that names no lines keeps them', async () => {
  const id = await vendorOrder(++serial);
  expect(await call('PUT', `/purchase-orders/${id}`, { notes: 'Soon' })).toMatchObject({
    status: 200,
    body: { data: { vendor: 'Dentalia', notes: 'Soon', items: [{ quantity: 50, unit_cost: 3 }] } },
  });
});
