import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isDeeper } from '#server/http/nesting.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const post = async (url: string, payload: string, role?: 'counter') => {
  const headers = role ? { authorization: `Bearer ${await server.login(role)}` } : {};
  return server.app.inject({
    method: 'POST',
    url,
    headers: { ...headers, 'content-type': 'application/json' },
    payload,
  });
};

describe('a text is measured without being parsed', () => {
  test.each([
    ['[[]]', false],
    ['[[[]]]', true],
    ['{"a":{"b":{}}}', true],
    ['[],[],[[]]', false],
    ['"[[["', false],
    ['["[[[\\"[[["]', false],
    ['["\\\\",[[]]]', true],
    ['"[[[', false],
    ['', false],
  ])('%s', (json, expected) => expect(isDeeper(json, 2)).toBe(expected));

  test('a megabyte of escapes takes no longer than one pass', () => {
    expect(isDeeper(`["${'\\'.repeat(1_000_000)}"]`, 2)).toBe(false);
    expect(isDeeper(`["${'\\"'.repeat(500_000)}"]`, 2)).toBe(false);
  });
});

test('SECURITY a deep body is refused with a sentence before it is parsed', async () => {
  const reply = await post('/api/orders', `{"items":${'['.repeat(40)}${']'.repeat(40)}}`, 'counter');
  expect([reply.statusCode, reply.json()]).toEqual([
    400,
    expect.objectContaining({ code: 'VALIDATION', details: { body: 'The request is nested too deeply' } }),
  ]);
  // Not valid JSON: only who counts before parsing says that it is too deep.
  expect((await post('/api/orders', '['.repeat(40), 'counter')).json()).toMatchObject({ code: 'VALIDATION' });
});

test('SECURITY before a sign-in a body has at most 8 kB', async () => {
  const login = (letters: number) =>
    post('/api/users/login', JSON.stringify({ email: 'a@b', password: 'x'.repeat(letters) }));
  expect((await login(8200)).statusCode).toBe(413);
  expect((await login(500)).statusCode).toBe(401);
});

test('SECURITY the body of an unknown address is not read', async () => {
  for (const url of ['/api/nothing', '/nothing', '/', '/uploads/nothing'])
    expect([url, (await post(url, '['.repeat(900_000))).json()]).toMatchObject([url, { code: 'NOT_FOUND' }]);
});
