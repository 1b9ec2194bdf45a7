import { once } from 'node:events';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorCatalogue } from '#domain/protocol/errors.ts';
import type { ErrorCode } from '#domain/protocol/errors.ts';
import { defaultTimeouts } from '#server/http/slow-clients.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { quietTime } from '#tests/support/quiet-time.ts';

/** Node's limit for the whole request is long, as it has to be for uploads. */
const patience = {
  headersMs: 300,
  requestMs: 60_000,
  bodyMs: 400,
  bodyBytesPerSecond: 1_000_000,
  lingerBytes: 4_000_000,
  lingerMs: 200,
  replyMs: 60_000,
  replyBytesPerSecond: 1_000_000,
  lookEveryMs: 50,
};

let server: TestServer;
let port: number;
beforeAll(async () => {
  server = await startTestServer({ patience });
  await server.app.listen({ host: '127.0.0.1', port: 0 });
  port = (server.app.server.address() as AddressInfo).port;
});
afterAll(() => server.close());

interface Talk {
  socket: Socket;
  /** Resolves with the whole reply when the server ends the connection. */
  ended: Promise<string>;
}

async function talk(): Promise<Talk> {
  const socket = connect(port, '127.0.0.1');
  let heard = '';
  socket.on('data', (chunk) => (heard += chunk.toString()));
  // The server may end the connection during a write.
  socket.on('error', () => {});
  const ended = new Promise<string>((resolve) => socket.once('close', () => resolve(heard)));
  await once(socket, 'connect');
  return { socket, ended };
}

const errorReply = (code: ErrorCode) => {
  const { status, message } = errorCatalogue[code];
  return [`HTTP/1.1 ${status}`, JSON.stringify({ success: false, code, message })];
};
const parts = (reply: string) => [reply.slice(0, 12), reply.slice(reply.indexOf('\r\n\r\n') + 4)];

/** Sends the beginning, then single bytes until the server ends the connection. */
async function drip(beginning: string): Promise<string> {
  const { socket, ended } = await talk();
  socket.write(beginning);
  const dripping = setInterval(() => socket.write('x'), 40);
  return ended.finally(() => clearInterval(dripping));
}

describe('SECURITY a client that sends single bytes', () => {
  test.each([
    ['of the headers', 'GET /api/health HTTP/1.1\r\nhost: 127.0.0.1\r\nx-slow: '],
    [
      'of the body',
      'POST /api/users/login HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: 8000\r\n\r\n',
    ],
    [
      'of a body of unknown length',
      'POST /api/users/login HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n1f40\r\n',
    ],
  ])('%s receives an error and is disconnected', async (_what, beginning) => {
    expect(parts(await drip(beginning))).toEqual(errorReply('REQUEST_TOO_SLOW'));
  });

  test.each(['/api/orders', '/api/nothing'])('after the reply of %s is disconnected', async (url) => {
    const head = `POST ${url} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: 1000000\r\n\r\n`;
    expect((await drip(head)).slice(0, 12)).toMatch(/^HTTP\/1.1 40[14]$/);
  });

  test('has twenty seconds for the headers and five minutes for the largest request', () => {
    expect(defaultTimeouts).toMatchObject({ headersMs: 20_000, requestMs: 300_000, bodyMs: 30_000, lingerMs: 5000 });
  });
});

describe('SECURITY an invalid HTTP request', () => {
  test.each([
    ['nonsense', 'NONSENSE\r\n\r\n', 'VALIDATION'],
    [
      'two lengths',
      'POST /api/users/login HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
      'VALIDATION',
    ],
    [
      'endless headers',
      `GET /api/health HTTP/1.1\r\nhost: 127.0.0.1\r\nx-long: ${'x'.repeat(40_000)}`,
      'HEADERS_TOO_LARGE',
    ],
  ] as const)('%s receives an error in the common form', async (_what, text, code) => {
    const { socket, ended } = await talk();
    socket.write(text);
    expect(parts(await ended)).toEqual(errorReply(code));
  });
});

describe('SECURITY a body of 100 MB', () => {
  const head = 'POST /api/users/login HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n';

  test('is refused by its declared length before the body is read', async () => {
    const { socket, ended } = await talk();
    socket.write(`${head}connection: close\r\ncontent-length: 104857600\r\n\r\n`);
    expect(parts(await ended)).toEqual(errorReply('BODY_TOO_LARGE'));
  });

  test('is read up to the limit only when it declares no length', async () => {
    const { socket, ended } = await talk();
    socket.write(`${head}transfer-encoding: chunked\r\n\r\n`);
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    let isOver = false;
    void ended.then(() => (isOver = true));
    let sent = 0;
    while (!isOver && sent < 1600) {
      sent += 1;
      if (!socket.write(chunk)) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), ended]);
    }
    // The server read one megabyte; the rest was in network buffers.
    expect(sent).toBeLessThan(400);
    await ended;
  });
});

test('SECURITY a thousand silent connections do not slow down other requests', async () => {
  const patient = await startTestServer();
  await patient.app.listen({ host: '127.0.0.1', port: 0 });
  const { port: at } = patient.app.server.address() as AddressInfo;
  const idle: Socket[] = [];
  for (let i = 0; i < 1000; i++) idle.push(connect(at, '127.0.0.1').on('error', () => {}));
  await Promise.all(idle.filter(({ connecting }) => connecting).map((socket) => once(socket, 'connect')));
  const headers = { authorization: `Bearer ${await patient.login('counter')}` };
  const ask = async () => expect((await fetch(`http://127.0.0.1:${at}/api/orders`, { headers })).status).toBe(200);
  const askOften = async () => {
    for (let i = 0; i < 15; i++) await ask();
  };
  const eachMs = (await quietTime(askOften)) / 15;
  expect(idle.filter(({ destroyed }) => !destroyed)).toHaveLength(1000);
  expect(eachMs).toBeLessThan(100);
  for (const socket of idle) socket.destroy();
  await patient.close();
});
