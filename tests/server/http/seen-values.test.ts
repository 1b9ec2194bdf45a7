import { afterAll, beforeAll, expect, test } from 'vitest';
import { seenSchema, seenValueSchema } from '#domain/wire/schemas.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** Values that are small as text, and of which a schema that tries each kind of value makes millions of attempts. */
const nested = (value: string) =>
  `[${Array(15_000)
    .fill(`${'['.repeat(27)}${value}${']'.repeat(27)}`)
    .join()}]`;

test.each([
  ['nested lists', nested('')],
  ['numbers beyond the range of a double', nested('1e999')],
  ['empty lists', `[${Array(300_000).fill('[]').join()}]`],
  ['objects without a name', `[${Array(90_000).fill('{"":1e999}').join()}]`],
])('what was seen has an end, and is not tried for each kind of value: %s', async (_what, text) => {
  const headers = { authorization: `Bearer ${await server.login('counter')}`, 'content-type': 'application/json' };
  const payload = `{"seen":{"name":${text}}}`;
  const reply = await server.app.inject({ method: 'PUT', url: '/api/auth/me', headers, payload });
  expect(reply.statusCode).toBe(400);
  expect(reply.json()).toMatchObject({
    code: 'VALIDATION',
    details: { 'seen.name': expect.stringMatching(/10.000/) },
  });
});

test('the lines of a long order can have been seen', () => {
  const lines = Array.from({ length: 200 }, (_, id) => ({
    id,
    name: 'Gloves',
    unit: 'boxes',
    quantity: 1,
    unit_cost: 2,
  }));
  expect(seenValueSchema.safeParse(lines).success).toBe(true);
  expect(seenSchema.safeParse(Object.fromEntries(lines.map(({ id }) => [id, 1]))).success).toBe(false);
});
