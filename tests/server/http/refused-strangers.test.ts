import { once } from 'node:events';
import { connect as connect2, constants } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import Fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import { paceRefusals, Pace } from '#server/http/refused-strangers.ts';
import { secureOptions } from '#server/http/secure.ts';
import { makeCertificate } from '#tests/support/client-certificate.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';

let plain: TestServer;
beforeAll(async () => {
  plain = await startTestServer({ environment: { TRUST_PROXY: '127.0.0.1' } });
  await plain.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => plain.close());

const portOf = ({ app }: Pick<TestServer, 'app'>) => (app.server.address() as AddressInfo).port;

/** Sends a request so many times ahead, each from an address. Returns the connection and the replies so far. */
async function ahead(request: string, { times, from }: { times: number; from: string }) {
  const socket: Socket = connect(portOf(plain), '127.0.0.1').on('error', () => {});
  await once(socket, 'connect');
  const answers: string[] = [];
  socket.on('data', (part: Buffer) => answers.push(...(part.toString().match(/HTTP\/1\.1 \d+/g) ?? [])));
  socket.write(
    `${request} HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: ${from}\r\ncontent-length: 0\r\n\r\n`.repeat(times),
  );
  return { socket, answers };
}

/** Resolves when a connection has ended, with an error or without one. */
const ended = (socket: Socket): unknown => socket.closed || new Promise((resolve) => socket.once('close', resolve));

const flood = (request: string, from: string) =>
  Promise.all(Array.from({ length: 8 }, () => ahead(request, { times: 250, from })));

test.each([
  ['a write to an unknown address', 'POST /x'],
  ['a route without a token', 'POST /api/sync/batch'],
  ['a sign-in without a body', 'POST /api/users/login'],
])(
  '%s is answered 300 times at once and 300 times a second, and who floods it loses the connection',
  async (_what, request) => {
    const from = `192.0.2.${request.length}`;
    const began = performance.now();
    const connections = await flood(request, from);
    await Promise.all(connections.map(({ socket }) => ended(socket)));
    const seconds = (performance.now() - began) / 1000;
    const answered = connections.reduce((sum, { answers }) => sum + answers.length, 0);
    expect(answered).toBeGreaterThanOrEqual(300);
    expect(answered).toBeLessThan(310 + 300 * seconds);
    // Somebody at another address waits for nothing.
    const other = await ahead(request, { times: 1, from: '198.51.100.1' });
    const asked = performance.now();
    await once(other.socket, 'data');
    expect(performance.now() - asked).toBeLessThan(1000);
    other.socket.destroy();
  },
);

test('a connection on which more than a thousand requests are sent ahead ends', async () => {
  const { socket } = await ahead('GET /api/health', { times: 4000, from: '192.0.2.200' });
  await ended(socket);
});

test('who floods over HTTP/2 is sent away after the reply', async () => {
  const { cert, key } = makeCertificate({ days: 36_500, passphrase: 'secret' });
  const app = Fastify(secureOptions({ cert, key }, {})) as unknown as FastifyInstance;
  paceRefusals(app, { take: () => 2001 });
  await app.listen({ host: '127.0.0.1', port: 0 });
  // OpenSSL compares a certificate with the real time, whatever the time of the run is.
  const session = connect2(`https://127.0.0.1:${portOf({ app })}`, { ca: cert }).on('error', () => {});
  await once(session, 'connect');
  const away = once(session, 'goaway');
  const stream = session.request({ ':method': 'POST', ':path': '/x' }).on('error', () => {});
  const [headers] = (await once(stream.end(), 'response')) as [Record<string, unknown>];
  stream.resume();
  expect(headers[':status']).toBe(404);
  expect((await away)[0]).toBe(constants.NGHTTP2_ENHANCE_YOUR_CALM);
  session.destroy();
  await app.close();
});

test('fifty tablets of one network that ask five times a second wait for nothing, and other networks neither', () => {
  let nowMs = 0;
  const pace = new Pace(() => nowMs);
  for (let second = 0; second < 10; second += 1) {
    for (let n = 0; n < 250; n += 1) expect(pace.take('192.0.2.1')).toBe(0);
    nowMs += 1000;
  }
  for (let n = 0; n < 300; n += 1) expect(pace.take('192.0.2.1')).toBe(0);
  const waits = Array.from({ length: 1000 }, () => pace.take('192.0.2.1'));
  expect(waits[0]).toBe(4);
  expect(waits[299]).toBe(1000);
  // What would wait longer than two seconds puts nobody off further.
  expect(Math.max(...waits)).toBe(2004);
  expect(pace.take('192.0.2.2')).toBe(0);
  nowMs += 3100;
  expect(pace.take('192.0.2.1')).toBe(0);
});
