import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { publicApi } from '#src/api/client.ts';
import { useWaiting } from '#src/session/waiting.ts';

const answers = vi.fn<typeof fetch>();
const waiting = () => useWaiting.getState().count;
const call = () => publicApi.get('http://clinic.test/api/health', { prefixUrl: '' }).json();

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('document', { documentElement: { lang: 'en' } });
  vi.stubGlobal('fetch', answers);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a request without an answer is counted after five seconds, until it comes', async () => {
  let answer = (_response: Response) => {};
  answers.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
  const called = call();
  await vi.advanceTimersByTimeAsync(4900);
  expect(waiting()).toBe(0);
  await vi.advanceTimersByTimeAsync(200);
  expect(waiting()).toBe(1);
  answer(Response.json({ success: true }));
  expect(await called).toEqual({ success: true });
  expect(waiting()).toBe(0);
});

test('a request that is answered soon is not counted', async () => {
  answers.mockResolvedValueOnce(Response.json({ success: true }));
  await call();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(waiting()).toBe(0);
});

test('a reply that stops halfway ends with the time limit of its request', async () => {
  const half = new ReadableStream<Uint8Array>({
    start: (body) => body.enqueue(new TextEncoder().encode('{"success"')),
  });
  answers.mockResolvedValueOnce(new Response(half, { headers: { 'content-type': 'application/json' } }));
  const outcome = call().catch((error: Error) => error.name);
  await vi.advanceTimersByTimeAsync(29_000);
  expect(waiting()).toBe(1);
  await vi.advanceTimersByTimeAsync(2000);
  expect(await outcome).toBe('TimeoutError');
});
