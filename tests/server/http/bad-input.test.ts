import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorCatalogue } from '#domain/protocol/errors.ts';
import { buildApp } from '#server/app.ts';
import { readConfig } from '#server/config.ts';
import { openDatabase } from '#server/db/database.ts';
import { routesOf, sampleOf, someUuid } from '#tests/support/openapi-routes.ts';
import type { Route, Schema } from '#tests/support/openapi-routes.ts';
import { cheapPasswords, startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';

let server: TestServer;
let headers: Record<string, string>;
let posts: string[];
let gets: string[];

beforeAll(async () => {
  server = await startTestServer({ demo: true });
  headers = { authorization: `Bearer ${await server.login('admin')}` };
  const document = server.app.swagger() as { paths: Record<string, object> };
  const paths = Object.entries(document.paths);
  posts = paths
    .filter(([path, operations]) => 'post' in operations && !path.startsWith('/api/auth/'))
    .map(([path]) => path);
  gets = paths.filter(([path, operations]) => 'get' in operations && path !== '/api/sync/events').map(([path]) => path);
});
afterAll(() => server.close());

const expectClientError = (reply: { statusCode: number; json: () => unknown }, label: string) => {
  expect(reply.statusCode, label).toBeGreaterThanOrEqual(400);
  expect(reply.statusCode, label).toBeLessThan(500);
  const body = reply.json() as { success: boolean; code: string; message: string };
  expect(body.success).toBe(false);
  expect(Object.keys(errorCatalogue)).toContain(body.code);
  expect(body.message).not.toBe('');
};

const post = (url: string, payload: string | object, contentType = 'application/json') =>
  server.app.inject({
    method: 'POST',
    url: url.replace(/\{[^}]+\}/g, '0190a5b0-0000-7000-8000-000000000000'),
    headers: { ...headers, 'content-type': contentType },
    payload,
  });

const huge = '9'.repeat(400);
const bodies: [string, string][] = [
  ['broken JSON', '{"email":'],
  ['an empty body', ''],
  ['an array', '[]'],
  ['a number', '1'],
  ['null', 'null'],
  ['a prototype', '{"__proto__":{"admin":true}}'],
  [
    'NUL bytes',
    '{"email":"a\\u0000b","password":"\\u0000","items":[{"stock_id":1,"quantity":1,"notes":"\\u0000"}],"operations":[{"op_id":"\\u0000"}],"name":"\\u0000","payment_method":"cash","amount":1}',
  ],
  [
    'lone surrogates',
    '{"email":"\\ud800","password":"x","notes":"\\ud800","customer_name":"\\udfff","name":"\\ud800","items":[],"operations":[],"payment_method":"cash","amount":0}',
  ],
  [
    'numbers without end',
    `{"email":1,"password":${huge},"items":[{"stock_id":${huge},"quantity":${huge}}],"device_id":${huge},"operations":${huge},"amount":${huge},"payment_method":"cash"}`,
  ],
  [
    'unknown ids',
    '{"email":"x@x","password":"x","items":[{"stock_id":2147483648,"quantity":1}],"device_id":2147483648,"operations":[],"amount":-1e300,"payment_method":"cash"}',
  ],
];

describe('an invalid request causes no 5xx', () => {
  test.each(bodies)('%s', async (what, body) => {
    expect(posts.length).toBeGreaterThan(5);
    for (const url of posts) expectClientError(await post(url, body), `${url} ${what}`);
  });

  test('a body of five megabytes', async () => {
    const body = JSON.stringify({ email: 'x'.repeat(5_000_000) });
    for (const url of posts) {
      const reply = await post(url, body);
      expect([url, reply.statusCode, reply.json<{ code: string }>().code]).toEqual([url, 413, 'BODY_TOO_LARGE']);
    }
  });

  test('another media type', async () => {
    for (const url of posts) expectClientError(await post(url, '<a/>', 'application/xml'), url);
    expect((await post('/api/users/login', '<a/>', 'application/xml')).statusCode).toBe(415);
  });

  test.each([
    '?page=0',
    '?page=1e9',
    '?page=-1',
    '?per_page=1e300',
    '?search=%00',
    '?search=%ED%A0%80',
    '?status=%00',
    '?cursor=%00',
    `?cursor=${huge}`,
    '?page=1&page=2',
    '?search[]=x',
  ])('the query %s', async (query) => {
    expect(gets.length).toBeGreaterThan(8);
    for (const url of gets) {
      const reply = await server.app.inject({ url: url.replace(/\{[^}]+\}/g, '1') + query, headers });
      expect(reply.statusCode, `${url}${query}`).toBeLessThan(500);
    }
  });

  test.each(['%00', '%zz', '2147483648', huge, '..%2f..', '%ED%A0%80', "1'--"])(
    'the path parameter %s',
    async (value) => {
      for (const url of gets.filter((path) => path.includes('{'))) {
        expectClientError(
          await server.app.inject({ url: url.replace(/\{[^}]+\}/g, value), headers }),
          `${url} ${value}`,
        );
      }
    },
  );

  test('an odd header', async () => {
    for (const authorization of [
      'Bearer',
      'Bearer a b',
      `Bearer ${'x'.repeat(8000)}`,
      'Bearer ….…',
      'Bearer e30.e30.e30',
    ]) {
      expectClientError(await server.app.inject({ url: '/api/auth/me', headers: { authorization } }), authorization);
    }
  });

  test('an unknown address or method', async () => {
    for (const [method, url] of [
      ['GET', '/api/nothing'],
      ['DELETE', '/api/stock'],
      ['GET', '/nothing'],
      ['POST', '/'],
      ['GET', '/api/%zz'],
    ] as const) {
      expectClientError(await server.app.inject({ method, url, headers }), url);
    }
  });
});

/** Members that a conversion or an `await` of the object would call. */
const oddObjects = ['toString', 'valueOf', 'toJSON', 'then', '__proto__', 'constructor', 'length'].map(
  (name) => JSON.parse(`{"${name}":1}`) as object,
);

/** Returns valid values of a schema in which one part each is replaced, at every depth. What was seen is only compared. */
function withOnePart(schema: Schema, part: unknown): unknown[] {
  if (schema.anyOf) return schema.anyOf.flatMap((one) => withOnePart(one, part));
  if (schema.type === 'array') return [part, ...withOnePart(schema.items ?? {}, part).map((item) => [item])];
  if (schema.type !== 'object') return [part];
  const sample = sampleOf(schema, true) as object;
  const fields = Object.entries(schema.properties ?? {});
  return [
    part,
    ...fields.flatMap(([name, field]) =>
      (name === 'seen' ? [part] : withOnePart(field, part)).map((odd) => ({ ...sample, [name]: odd })),
    ),
  ];
}

describe('an object with a member such as toString is refused and converted by nothing', () => {
  const writes = () => routesOf(server.app).filter(({ path }) => path !== '/api/auth/logout');
  const send = (method: Route['method'], path: string, payload: unknown) =>
    server.app.inject({
      method,
      url: path.replace(/\{[^}]+\}/g, (part) => (part === '{id}' ? someUuid : '1')),
      headers: { ...headers, 'content-type': 'application/json' },
      payload: JSON.stringify(payload),
    });

  test('in the place of any part of any body', async () => {
    const routes = writes().filter(({ body }) => body);
    expect(routes.length).toBeGreaterThan(30);
    const faults: unknown[] = [];
    for (const { method, path, body } of routes)
      for (const odd of oddObjects)
        for (const payload of withOnePart(body!, odd)) {
          const { statusCode } = await send(method, path, payload);
          if (statusCode < 400 || statusCode >= 500) faults.push([statusCode, method, path, JSON.stringify(payload)]);
        }
    expect(faults).toEqual([]);
  }, 180_000);

  test('in the place of an id that repeats the address', async () => {
    const routes = writes().filter(({ method, path }) => method !== 'GET' && path.includes('{id}'));
    expect(routes.length).toBeGreaterThan(20);
    for (const { method, path } of routes)
      for (const odd of oddObjects) {
        const reply = await send(method, path, { id: odd, order_id: odd, drawer_id: odd, stock_id: odd });
        expectClientError(reply, `${method} ${path} ${JSON.stringify(odd)}`);
      }
    const reply = await send('POST', '/api/orders/{id}/payments', { order_id: { toString: 1 } });
    expect([reply.statusCode, reply.json()]).toMatchObject([400, { details: { order_id: expect.any(String) } }]);
  });
});

test.each([{ amount: [5] }, { amount: [['5']] }, { amount: true }, { amount: [] }])(
  'a report refuses $amount, which only a conversion makes an amount',
  async ({ amount }) => {
    const reply = await post('/api/reports/sales/export/excel', { minAmount: amount, maxAmount: amount });
    expect([reply.statusCode, reply.json()]).toMatchObject([
      400,
      { code: 'VALIDATION', details: { minAmount: expect.any(String), maxAmount: expect.any(String) } },
    ]);
  },
);

test('names the wrong field of a request', async () => {
  const reply = await post('/api/devices', {
    device_id: 'one',
    counters: { treatment: -1, invoice: 0, credit_note: 0 },
  });
  expect(reply.json()).toMatchObject({
    code: 'VALIDATION',
    details: { device_id: expect.any(String), 'counters.treatment': expect.any(String) },
  });
});

test('reveals no internals when the server fails', async () => {
  const broken = await startTestServer();
  await broken.database.$client.query('drop table settings');
  const reply = await broken.app.inject({ url: '/api/session-options' });
  expect([reply.statusCode, reply.json()]).toEqual([
    500,
    { success: false, code: 'INTERNAL', message: 'An unexpected error occurred' },
  ]);
  await broken.close();
});

test('returns 503 while the database is not available', async () => {
  const database = openDatabase('postgresql://nobody@/nothing?host=/nonexistent');
  const app = await buildApp({
    database,
    config: readConfig({}),
    clock: Date.now,
    secret: server.secret,
    passwords: cheapPasswords,
  });
  const reply = await app.inject({ url: '/api/health' });
  expect([reply.statusCode, reply.json()]).toMatchObject([503, { code: 'UNAVAILABLE' }]);
  await app.close();
});
