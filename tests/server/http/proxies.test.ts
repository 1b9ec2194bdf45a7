/** The sign-in throttle shows for which address a request counts. */
import { afterEach, expect, test } from 'vitest';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { unique } from '#tests/support/unique.ts';

const proxy = '10.1.1.1';
let server: TestServer;
afterEach(() => server.close());

async function guess(remoteAddress: string, forwardedFor: string): Promise<number> {
  const payload = { email: `${unique('guess')}@clinic.test`, password: 'wrong' };
  const reply = await server.app.inject({
    method: 'POST',
    url: '/api/users/login',
    payload,
    remoteAddress,
    headers: { 'x-forwarded-for': forwardedFor },
  });
  return reply.statusCode;
}

const useUp = async (remoteAddress: string, forwardedFor: (turn: number) => string): Promise<void> => {
  for (let turn = 0; turn < 50; turn++) expect(await guess(remoteAddress, forwardedFor(turn))).toBe(401);
};

test('counts the requests of each client address separately behind a trusted proxy', async () => {
  server = await startTestServer({ environment: { TRUST_PROXY: `127.0.0.1, ${proxy}` } });
  await useUp(proxy, (turn) => `10.9.9.${turn}, 10.6.6.6`);
  expect(await guess(proxy, '10.6.6.6')).toBe(429);
  expect(await guess(proxy, '10.7.7.7')).toBe(401);
});

test.each([
  ['no proxy is trusted', undefined],
  ['only another proxy is trusted', '10.2.2.0/24'],
])('uses the peer address when %s', async (_who, named) => {
  server = await startTestServer({ environment: { TRUST_PROXY: named } });
  await useUp(proxy, (turn) => `10.9.9.${turn}`);
  expect(await guess(proxy, '10.7.7.7')).toBe(429);
});
