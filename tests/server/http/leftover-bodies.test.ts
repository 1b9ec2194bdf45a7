import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import type { IncomingMessage, RequestOptions } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorCatalogue } from '#domain/protocol/errors.ts';
import { defaultTimeouts } from '#server/http/slow-clients.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';

let server: TestServer;
let port: number;
let headers: Record<string, string>;
beforeAll(async () => {
  server = await startTestServer({ patience: { ...defaultTimeouts, lingerMs: 500 } });
  await server.app.listen({ host: '127.0.0.1', port: 0 });
  port = (server.app.server.address() as AddressInfo).port;
  headers = { authorization: `Bearer ${await server.login('counter')}`, 'content-type': 'application/json' };
});
afterAll(() => server.close());

const tooLong = Buffer.alloc(30_000_000, 'x');
const refused = { success: false, code: 'BODY_TOO_LARGE', message: errorCatalogue.BODY_TOO_LARGE.message };

/** Sends a body as a program does that has Node's client, and returns the reply. */
async function post(url: string, body: Buffer, options: RequestOptions = {}): Promise<[number, unknown]> {
  const call = httpRequest({ host: '127.0.0.1', port, path: url, method: 'POST', headers, ...options });
  call.end(body);
  const [reply] = (await once(call, 'response')) as [IncomingMessage];
  const text = (await reply.setEncoding('utf8').toArray()).join('');
  return [reply.statusCode!, JSON.parse(text)];
}

/** Sends all of a request before it reads anything, and returns what it then reads. */
async function sendBeforeReading(head: string, body: Buffer): Promise<string> {
  const socket = connect(port, '127.0.0.1').pause();
  await once(socket, 'connect');
  socket.write(head);
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject).write(body, () => resolve());
  });
  const parts: string[] = [];
  socket.setEncoding('utf8').on('data', (part: string) => {
    parts.push(part);
    if (parts.join('').includes('BODY_TOO_LARGE')) socket.destroy();
  });
  socket.resume();
  await once(socket, 'close');
  return parts.join('');
}

describe('a body over its limit answers 413', () => {
  const head = `POST /api/orders HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n`;

  test.each([
    ['whose connection stays open', {}],
    ['whose connection ends after the reply', { agent: false }],
  ] as const)('to a client %s', async (_which, options) => {
    expect(await post('/api/orders', tooLong, options)).toEqual([413, refused]);
    expect(await post('/api/users/login', tooLong, options)).toEqual([413, refused]);
  });

  test('to fetch', async () => {
    const reply = await fetch(`http://127.0.0.1:${port}/api/orders`, { method: 'POST', headers, body: tooLong });
    expect([reply.status, await reply.json()]).toEqual([413, refused]);
  });

  test.each([
    ['', `content-length: ${tooLong.length}\r\n\r\n`],
    ['and then ends the connection', `content-length: ${tooLong.length}\r\nconnection: close\r\n\r\n`],
  ])('to a sender who sends all of it before reading %s', async (_how, rest) => {
    const authorised = `${head}authorization: ${headers['authorization']}\r\n`;
    expect(await sendBeforeReading(`${authorised}${rest}`, tooLong)).toContain('413 Payload Too Large');
  });

  test('and the connection serves the next request', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    expect((await post('/api/orders', tooLong, { agent }))[0]).toBe(413);
    expect((await post('/api/orders', Buffer.from('{}'), { agent }))[0]).toBe(400);
    agent.destroy();
  });
});

test('SECURITY a sender of endless bytes is cut after a bound', async () => {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  await once(socket, 'connect');
  socket.write(
    `POST /api/orders HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\nauthorization: ${headers['authorization']}\r\ntransfer-encoding: chunked\r\n\r\n`,
  );
  const chunk = `100000\r\n${'x'.repeat(1_048_576)}\r\n`;
  const closed = new Promise<boolean>((resolve) => socket.once('close', () => resolve(true)));
  let sent = 0;
  while (!socket.destroyed && sent < 400) {
    sent += 1;
    if (!socket.write(chunk)) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed]);
  }
  expect(sent).toBeLessThan(200);
  expect(await closed).toBe(true);
});
