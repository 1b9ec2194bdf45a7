import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FaultProxy } from '../support/fault-proxy.ts';

/** Answers every request with its body, and remembers it. */
let server: Server;
let received: string[];
let proxy: FaultProxy;

beforeEach(async () => {
  received = [];
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    received.push(body);
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  proxy = await FaultProxy.before((server.address() as AddressInfo).port);
});

afterEach(async () => {
  await proxy.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const ask = async (body: string, timeoutMs = 2000): Promise<string> => {
  const reply = await fetch(proxy.url, { method: 'POST', body, signal: AbortSignal.timeout(timeoutMs) });
  return reply.text();
};

test('`pass` delivers requests and responses unchanged', async () => {
  const body = 'x'.repeat(1_000_000);
  expect(await ask(body)).toBe(body);
});

test('`refuse` fails new and open connections at once', async () => {
  await ask('before');
  proxy.mode = { type: 'refuse' };
  for (const body of ['kept connection', 'new connection']) {
    await expect(ask(body)).rejects.toThrow('fetch failed');
  }
  expect(received).toEqual(['before']);
});

test('`swallow` delivers nothing in either direction and ends no connection', async () => {
  await ask('before');
  proxy.mode = { type: 'swallow' };
  for (const body of ['kept connection', 'new connection']) {
    await expect(ask(body, 200)).rejects.toThrow('timeout');
  }
  expect(received).toEqual(['before']);
});

test('`half-open` delivers the request but never the response', async () => {
  await ask('before');
  proxy.mode = { type: 'half-open' };
  await expect(ask('asked', 1500)).rejects.toThrow('timeout');
  expect(received).toEqual(['before', 'asked']);
});

test('`cut` ends open connections and passes the next one', async () => {
  proxy.mode = { type: 'half-open' };
  const hanging = expect(ask('asked')).rejects.toThrow('fetch failed');
  await expect.poll(() => received).toEqual(['asked']);
  proxy.cut();
  await hanging;
  proxy.mode = { type: 'pass' };
  expect(await ask('again')).toBe('again');
});

test('`slow` delays each direction and limits its byte rate', async () => {
  proxy.mode = { type: 'slow', delayMs: 50 };
  let started = performance.now();
  await ask('asked');
  expect(performance.now() - started).toBeGreaterThanOrEqual(100);

  proxy.cut();
  proxy.mode = { type: 'slow', delayMs: 0, bytesPerSecond: 100_000 };
  started = performance.now();
  const body = 'x'.repeat(20_000);
  expect(await ask(body)).toBe(body);
  expect(performance.now() - started).toBeGreaterThanOrEqual(380);
});

test('a connection that stops being slow delivers the delayed bytes first', async () => {
  proxy.mode = { type: 'slow', delayMs: 150 };
  const first = ask('first');
  await new Promise((resolve) => setTimeout(resolve, 50));
  proxy.mode = { type: 'pass' };
  expect(await first).toBe('first');
  expect(received).toEqual(['first']);
});
