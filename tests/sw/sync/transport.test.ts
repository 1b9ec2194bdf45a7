import { expect, test } from 'vitest';
import { backoffMs, isDue, longBackoffMs } from '#sw/sync/backoff.ts';
import { createNet } from '#sw/sync/transport.ts';

const call = { method: 'POST', path: '/sync/batch', token: 't0k', body: '{}' } as const;
const netOf = (answer: () => Promise<Response>) => {
  const seen: { url: string; init: RequestInit }[] = [];
  const net = createNet((url, init) => {
    seen.push({ url: url as string, init: init! });
    return answer();
  });
  return { net, seen };
};

test('SYNC-6 a response is its status and its JSON object; any other body is undefined', async () => {
  const ask = async (body: string, init: ResponseInit = {}) => netOf(async () => new Response(body, init)).net(call);
  expect(await ask('{"a":1}', { status: 409 })).toEqual({ status: 409, json: { a: 1 }, retryAfterMs: null });
  expect(await ask('<html>')).toMatchObject({ status: 200, json: undefined });
  expect(await ask('"text"')).toMatchObject({ json: undefined });
  expect(await ask('[1]')).toMatchObject({ json: undefined });
  expect(await ask('{}', { status: 503, headers: { 'retry-after': '7' } })).toMatchObject({ retryAfterMs: 7000 });
  expect(await ask('{}', { status: 503, headers: { 'retry-after': 'Fri, 20 Nov 2026 23:00:00 GMT' } })).toMatchObject({
    retryAfterMs: null,
  });
});

test('SYNC-6 SYNC-13 a request without a response in time ends without a reply', async () => {
  expect(await netOf(() => Promise.reject(new TypeError('failed'))).net(call)).toBeNull();
  const { net, seen } = netOf(async () => new Response('{}'));
  await net(call);
  expect(seen[0]!.init.signal).toBeInstanceOf(AbortSignal);
});

test('SYNC-6 the token is sent to the API only: without cookies, cache and redirects', async () => {
  const { net, seen } = netOf(async () => new Response('{}'));
  await net(call);
  expect(seen[0]).toMatchObject({
    url: '/api/sync/batch',
    init: { method: 'POST', body: '{}', redirect: 'error', credentials: 'omit', cache: 'no-store' },
  });
  expect(seen[0]!.init.headers).toEqual({ authorization: 'Bearer t0k', 'content-type': 'application/json' });
});

test('SYNC-6 backoff stays between one second and a minute for any random value', () => {
  for (const attempts of [0, 1, 3, 6, 50, 5000]) {
    expect(backoffMs(attempts, () => 0)).toBe(1000);
    expect(backoffMs(attempts, () => 0.999_999)).toBeLessThanOrEqual(60_000);
    expect(backoffMs(attempts, () => 0.999_999)).toBeGreaterThanOrEqual(attempts < 6 ? 1000 : 59_000);
  }
  expect(backoffMs(1, () => 1)).toBe(2000);
  expect(longBackoffMs(() => 1)).toBe(3_600_000);
});

test('SYNC-14 a wait longer than the longest possible one is over', () => {
  expect(isDue(10, 10)).toBe(true);
  expect(isDue(11, 10)).toBe(false);
  expect(isDue(longBackoffMs(() => 1) + 10, 10)).toBe(false);
  expect(isDue(3_600_011, 10)).toBe(true);
});
