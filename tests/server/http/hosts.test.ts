import { afterEach, describe, expect, test } from 'vitest';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';

let server: TestServer;
afterEach(() => server.close());

const status = async (headers: Record<string, string>, method: 'GET' | 'POST' = 'GET'): Promise<number> => {
  const url = method === 'GET' ? '/api/health' : '/api/users/login';
  return (await server.app.inject({ method, url, headers, ...(method === 'POST' && { payload: {} }) })).statusCode;
};

describe('a demo', () => {
  test.each(['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'])(
    'answers nothing that came through a proxy: %s',
    async (header) => {
      server = await startTestServer({ environment: { DEMO: '1', TRUST_PROXY: '127.0.0.1' } });
      const through = { host: 'localhost', [header]: '203.0.113.9' };
      expect(await status(through)).toBe(421);
      expect(await status(through, 'POST')).toBe(421);
      const reply = await server.app.inject({ url: '/api/health', headers: { ...through, 'accept-language': 'es' } });
      expect(reply.json()).toMatchObject({ code: 'DEMO_FORWARDED', message: expect.stringMatching(/demostración/) });
      expect(await status({ host: 'localhost' })).toBe(200);
    },
  );

  test('alone asks that: a clinic answers behind its proxy', async () => {
    server = await startTestServer({ environment: { DEMO: '0', TRUST_PROXY: '127.0.0.1' } });
    expect(await status({ host: 'clinic.example', 'x-forwarded-for': '203.0.113.9' })).toBe(200);
  });
});

describe('the name under which the server is called', () => {
  test.each<[string, NodeJS.ProcessEnv]>([
    ['in demo mode', { HOST: '0.0.0.0', DEMO: '1' }],
    ['on loopback', { DEMO: '0' }],
    ['with a list of names', { HOST: '0.0.0.0', DEMO: '0', ALLOWED_HOSTS: 'clinic.example' }],
  ])('is refused %s if it is foreign, for pages and API alike', async (_, environment) => {
    server = await startTestServer({ environment });
    for (const host of ['evil.example', 'evil.example:3000', 'localhost.evil.example', '127.0.0.1.evil.example', 'a b'])
      expect(await status({ host }), host).toBe(421);
    for (const host of ['localhost', 'LOCALHOST:3000', '127.0.0.1:3000', '[::1]:3000', '192.168.1.7:3000'])
      expect(await status({ host }), host).toBe(200);
    const reply = await server.app.inject({ url: '/', headers: { host: 'evil.example' } });
    expect([reply.statusCode, reply.json().code]).toEqual([421, 'HOST_UNKNOWN']);
  });

  test('is accepted if HOST or ALLOWED_HOSTS names it', async () => {
    server = await startTestServer({ environment: { HOST: 'reception', ALLOWED_HOSTS: 'Clinic.example' } });
    for (const host of ['reception:3000', 'clinic.example', 'CLINIC.example:443'])
      expect(await status({ host }), host).toBe(200);
    expect(await status({ host: 'evil.example' })).toBe(421);
  });

  test('is not checked behind a proxy or on a network without a list, where the server does not know its names', async () => {
    server = await startTestServer({ environment: { TRUST_PROXY: '127.0.0.1' } });
    expect(await status({ host: 'clinic.example' })).toBe(200);
  });
});

test('a write from a page of another origin is refused, whatever the name in Host', async () => {
  server = await startTestServer({ environment: { ALLOWED_HOSTS: 'clinic.example' } });
  const host = '192.168.1.7:3000';
  for (const origin of ['https://evil.example', 'null', 'http://192.168.1.7:8080', 'http://10.0.0.9', 'not an origin'])
    expect(await status({ host, origin }, 'POST'), origin).toBe(421);
  // The reply of a sign-in without credentials.
  for (const origin of ['http://192.168.1.7:3000', 'https://clinic.example', 'http://localhost:5173'])
    expect(await status({ host, origin }, 'POST'), origin).toBe(400);
  expect(await status({ host }, 'POST')).toBe(400);
  expect(await status({ host, origin: 'https://evil.example' })).toBe(200);
});

test('replies deny the page every feature of the browser that the app does not use', async () => {
  server = await startTestServer();
  for (const url of ['/api/health', '/api/nothing', '/']) {
    const policy = String((await server.app.inject({ url })).headers['permissions-policy']);
    for (const feature of ['camera', 'microphone', 'geolocation', 'usb', 'payment'])
      expect(policy).toContain(`${feature}=()`);
    expect(policy).toContain('screen-wake-lock=(self)');
    expect(policy).not.toContain('*');
  }
});
