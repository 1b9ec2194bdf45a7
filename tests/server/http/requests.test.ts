/** Walks every route of the OpenAPI document with bodies and queries that it does not take. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import english from '#locales/server/en.json' with { type: 'json' };
import spanish from '#locales/server/sp.json' with { type: 'json' };
import { routesOf, sampleOf, someUuid, isUuid } from '#tests/support/openapi-routes.ts';
import type { Route, Schema } from '#tests/support/openapi-routes.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';

/** The first ends the session that the others use. The second takes a form. */
const leftOut = ['POST /api/auth/logout', 'POST /api/upload/file'];

let server: TestServer;
let token: string;
let writes: Route[];
let reads: Route[];

beforeAll(async () => {
  server = await startTestServer();
  token = await server.login('admin');
  const routes = routesOf(server.app).filter(({ name }) => !leftOut.includes(name));
  writes = routes.filter(({ method }) => method !== 'GET');
  reads = routes.filter(
    ({ method, parameters }) => method === 'GET' && parameters.some(({ in: part }) => part === 'query'),
  );
});
afterAll(() => server.close());

interface Refused {
  success: boolean;
  code: string;
  message: string;
  details?: Record<string, unknown>;
}

/** Returns the address of a route with an id in the place of each parameter. */
const addressOf = ({ path, parameters }: Route): string =>
  path.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const schema = parameters.find((one) => one.in === 'path' && one.name === name)!.schema;
    return isUuid(schema) ? someUuid : '1';
  });

async function send(route: Route, body: unknown, language = 'en', query = ''): Promise<Refused & { status: number }> {
  const reply = await server.app.inject({
    method: route.method,
    url: addressOf(route) + query,
    headers: {
      authorization: `Bearer ${token}`,
      'accept-language': language,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { payload: JSON.stringify(body) }),
  });
  // An export is a file.
  const isJson = reply.headers['content-type']?.toString().startsWith('application/json');
  return { ...(isJson ? reply.json<Refused>() : { success: true, code: '', message: '' }), status: reply.statusCode };
}

const bodyOf = ({ body }: Route): object => (body ? (sampleOf(body, false) as object | null) : null) ?? {};

describe('an unknown key', () => {
  test('in a body is refused by its name, on every route that writes', async () => {
    expect(writes.length).toBeGreaterThan(55);
    for (const route of writes) {
      const reply = await send(route, { ...bodyOf(route), colour_of_the_sky: 'blue' });
      expect([route.name, reply.status, reply.details?.['colour_of_the_sky']]).toEqual([
        route.name,
        400,
        'colour_of_the_sky is not a known field',
      ]);
    }
  });

  test('is refused at any depth of a body, but in single operations of a batch and in what was seen', () => {
    const open = writes
      .flatMap(({ name, body }) => (body ? objectsIn(body, name) : []))
      .filter(({ schema }) => schema.additionalProperties !== false)
      .map(({ at }) => at)
      // What was seen may be of any field, and is only compared.
      .filter((at) => !at.endsWith(' seen'));
    expect(open).toEqual(['POST /api/sync/batch operations[]']);
  });

  test('in a query is refused by its name: a misspelt filter would return everything', async () => {
    expect(reads.length).toBeGreaterThan(15);
    for (const route of reads) {
      const reply = await send(route, undefined, 'en', '?colour_of_the_sky=blue');
      const lenient = route.path === '/api/sync/changes';
      expect([route.name, 'colour_of_the_sky' in (reply.details ?? {})]).toEqual([route.name, !lenient]);
    }
  });

  test('in an upload is refused by its name', async () => {
    const form = new FormData();
    form.set('colour_of_the_sky', 'blue');
    const reply = await server.app.inject({
      method: 'POST',
      url: '/api/upload/file',
      headers: { authorization: `Bearer ${token}` },
      payload: form,
    });
    expect(reply.json()).toMatchObject({ code: 'VALIDATION', details: { colour_of_the_sky: expect.any(String) } });
  });
});

describe('an id in the body', () => {
  const addressed = () => writes.filter(({ path, method }) => path.includes('{') && method !== 'DELETE');

  test('that differs from the address is refused, on every route with one', async () => {
    expect(addressed().length).toBeGreaterThan(25);
    for (const route of addressed()) {
      const [, name] = /\{(\w+)\}/.exec(route.path)!;
      const reply = await send(route, { ...bodyOf(route), [name!]: 999 });
      expect([route.name, reply.status, reply.details?.[name!]]).toEqual([
        route.name,
        400,
        expect.stringMatching(/differs from the one in the address$/),
      ]);
    }
  });

  test('that repeats the address is taken', async () => {
    for (const route of addressed()) {
      const [, name] = /\{(\w+)\}/.exec(route.path)!;
      const id = addressOf(route).includes(someUuid) ? someUuid.toUpperCase() : 1;
      const reply = await send(route, { ...bodyOf(route), [name!]: id });
      expect([route.name, reply.details?.[name!]]).toEqual([route.name, undefined]);
    }
  });

  test.each([
    ['PATCH', '/orders', 'order_id', { items: [] }],
    ['PUT', '/orders/{id}/status', 'order_id', { status: 'cancelled' }],
    ['POST', '/orders/{id}/payments', 'order_id', { payment_method: 'cash', amount: 1 }],
    ['POST', '/orders/{id}/refunds', 'order_id', { amount: 1, reason: 'moved away' }],
    ['POST', '/drawers/{id}/close', 'drawer_id', {}],
    ['POST', '/stock/stock/add/{id}', 'stock_id', { amount: 1 }],
  ] as const)('%s %s knows it as %s too', async (method, path, name, body) => {
    const route = writes.find((one) => one.method === method && one.path.startsWith(`/api${path}`))!;
    const other = name === 'stock_id' ? 999 : someUuid.replace('0000', '1111');
    expect((await send(route, { ...body, [name]: other })).details).toHaveProperty(name);
    const own = name === 'stock_id' ? 1 : someUuid;
    const { code } = await send(route, { ...body, [name]: own });
    expect(['ORDER_NOT_FOUND', 'DRAWER_NOT_FOUND', 'STOCK_NOT_FOUND', 'VALIDATION']).toContain(code);
    expect(code === 'VALIDATION').toBe(name === 'drawer_id');
  });
});

/** How zod, Fastify and JSON schema speak. */
const validatorText =
  /invalid input|invalid option|invalid iso|expected \w+, received|too big|too small|unrecognized|must match|\bNaN\b|undefined/i;

describe('an invalid request', () => {
  test.each([
    ['without anything', () => ({})],
    ['null', () => null],
    ['an array', () => []],
    ['a text', () => 'text'],
    ['with null everywhere', (schema: Schema) => eachProperty(schema, () => null)],
    ['of wrong types', (schema: Schema) => eachProperty(schema, wrongType)],
    ['of wrong values', (schema: Schema) => eachProperty(schema, wrongValue)],
    [
      'with entries of wrong types',
      (schema: Schema) => eachProperty(schema, (one) => [eachProperty(entryOf(one), wrongType)]),
    ],
  ])('%s gets sentences in the language of the request', async (_what, make) => {
    let refusals = 0;
    // A deletion needs no body, and would end the session of the test.
    for (const route of writes.filter(({ body, method }) => body && method !== 'DELETE')) {
      const body = make(objectOf(route.body!));
      const en = await send(route, body, 'en-GB,en;q=0.9');
      if (en.code !== 'VALIDATION') continue;
      refusals++;
      const es = await send(route, body, 'es-ES,es;q=0.9,en;q=0.5');
      const sentences = [
        en.message,
        es.message,
        ...Object.values({ ...en.details }),
        ...Object.values({ ...es.details }),
      ];
      expect([route.name, sentences.filter((text) => validatorText.test(String(text)))]).toEqual([route.name, []]);
      expect([route.name, Object.keys(es.details ?? {})]).toEqual([route.name, Object.keys(en.details ?? {})]);
      for (const [field, sentence] of Object.entries(en.details ?? {}))
        expect([route.name, field, sentence]).not.toEqual([route.name, field, es.details![field]]);
    }
    expect(refusals).toBeGreaterThan(15);
  });

  test('is told by its message too, which is all that some clients show', async () => {
    const expense = writes.find(({ name }) => name === 'POST /api/expenses')!;
    expect(await send(expense, {})).toMatchObject({
      message: 'Title is required. Description is required. Amount is required',
      details: { title: 'Title is required', category: 'Category is required', expense_date: 'Date is required' },
    });
    expect(await send(expense, {}, 'es')).toMatchObject({
      details: { title: 'El campo «Título» es obligatorio' },
    });
    const rejection = writes.find(({ name }) => name === 'POST /api/expenses/{id}/reject')!;
    expect((await send(rejection, {})).details).toEqual({ rejection_reason: 'Rejection reason is required' });
  });

  test('is told in the words of the form, where a form has words for it', async () => {
    const room = writes.find(({ name }) => name === 'POST /api/tables')!;
    expect((await send(room, {})).message).toBe('Table number is required. Table must have at least 1 seat');
    expect((await send(room, {}, 'es')).message).toContain('El número del gabinete es obligatorio');
    const key = { 'idempotency-key': 'one-room', 'accept-language': 'es', authorization: `Bearer ${token}` };
    const stored = () => server.app.inject({ method: 'POST', url: '/api/tables', headers: key, payload: {} });
    expect((await stored()).json()).toMatchObject({ details: { number: 'El número del gabinete es obligatorio' } });
    expect((await stored()).json()).toMatchObject({ details: { number: 'El número del gabinete es obligatorio' } });
  });

  test.each(['page=x', 'per_page=0', 'status=none', 'type=none', 'from=tomorrow', 'stock_id=x', 'page=1&page=2'])(
    'query ?%s gets sentences',
    async (query) => {
      for (const route of reads) {
        const { message, details, code } = await send(route, undefined, 'es', `?${query}`);
        if (code !== 'VALIDATION') continue;
        const texts = [message, ...Object.values({ ...details })];
        expect([route.name, texts.filter((text) => validatorText.test(String(text)))]).toEqual([route.name, []]);
      }
    },
  );
});

test('every field has a name in words, in both languages', () => {
  const names = [...writes, ...reads].flatMap(({ name: at, body, parameters }) => [
    ...(body ? objectsIn(body, at).flatMap(({ schema }) => Object.keys(schema.properties ?? {})) : []),
    ...parameters.filter(({ in: part }) => part === 'query').map(({ name }) => name),
  ]);
  expect(new Set(names).size).toBeGreaterThan(120);
  expect([...new Set(names)].filter((name) => !(name in english.fields) || !(name in spanish.fields))).toEqual([]);
});

function objectsIn(schema: Schema, at: string): { at: string; schema: Schema & { additionalProperties?: unknown } }[] {
  return [
    ...(schema.type === 'object' ? [{ at, schema }] : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, one]) => objectsIn(one, `${at} ${name}`)),
    ...(schema.items ? objectsIn(schema.items, `${at}[]`) : []),
    ...(schema.anyOf ?? []).flatMap((one) => objectsIn(one, at)),
  ];
}

const objectOf = (schema: Schema): Schema => schema.anyOf?.find(({ type }) => type === 'object') ?? schema;
const entryOf = ({ items }: Schema): Schema => (items && objectOf(items)) ?? {};
const eachProperty = ({ properties = {} }: Schema, make: (schema: Schema) => unknown): Record<string, unknown> =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, make(schema)]));
const wrongType = ({ type, anyOf }: Schema): unknown => ((type ?? anyOf?.[0]?.type) === 'string' ? 5 : 'x');

/** A value of the right type that is too long, too large, too small, has too many decimals or is not in the list. */
function wrongValue(schema: Schema): unknown {
  const { type, enum: values, maxLength, items } = schema.anyOf?.[0] ?? schema;
  if (values) return 'none of these';
  if (type === 'array') return [wrongValue(items ?? {})];
  if (type === 'integer') return 1.5;
  if (type === 'number') return 1e-7;
  if (type === 'string' && maxLength && maxLength < 200_000) return 'x'.repeat(maxLength + 1);
  return type === 'string' ? '\u0000' : null;
}
