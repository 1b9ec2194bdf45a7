import { once } from 'node:events';
import { connect, constants } from 'node:http2';
import type { ClientHttp2Session, ClientHttp2Stream, OutgoingHttpHeaders } from 'node:http2';
import { request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { defaultTimeouts } from '#server/http/slow-clients.ts';
import { stopServing } from '#server/shutdown.ts';
import { makeCertificate } from '#tests/support/client-certificate.ts';
import { TestDevice } from '#tests/support/device.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';

const megabyte = 1_000_000;

let server: TestServer;
let tablet: TestDevice;
let ca: Buffer;
let origin: string;
let session: ClientHttp2Session;

beforeAll(async () => {
  // OpenSSL compares a certificate with the real time, whatever the time of the run is.
  const { cert, key } = makeCertificate({ days: 36_500, passphrase: 'secret' });
  ca = cert;
  const patience = {
    ...defaultTimeouts,
    headersMs: 300,
    bodyMs: 400,
    bodyBytesPerSecond: megabyte,
    lingerMs: 300,
    replyMs: 400,
    replyBytesPerSecond: 100_000,
    lookEveryMs: 50,
  };
  server = await startTestServer({ demo: true, tls: { cert, key }, patience });
  tablet = await TestDevice.enrol(server, 'manager');
  await server.app.listen({ host: '127.0.0.1', port: 0 });
  origin = `https://127.0.0.1:${(server.app.server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());
beforeEach(async () => {
  session = connect(origin, { ca, maxSessionMemory: 100 });
  await once(session, 'connect');
});
afterEach(() => session.destroy());

interface Reply {
  status: number;
  headers: Record<string, unknown>;
  body: string;
}

const begin = (headers: OutgoingHttpHeaders): ClientHttp2Stream => session.request({ ...tablet.headers, ...headers });

async function replyTo(stream: ClientHttp2Stream): Promise<Reply> {
  const [headers] = (await once(stream, 'response')) as [Record<string, unknown>];
  return { status: Number(headers[':status']), headers, body: await text(stream).catch(() => '') };
}

const get = (path: string, headers: OutgoingHttpHeaders = {}) => replyTo(begin({ ':path': path, ...headers }));

function form(bytes: number): { type: string; body: Buffer } {
  const head =
    '--b\r\ncontent-disposition: form-data; name="purpose"\r\n\r\nreceipt\r\n--b\r\ncontent-disposition: form-data; name="file"; filename="r.pdf"\r\ncontent-type: application/pdf\r\n\r\n%PDF-1.4\n';
  return {
    type: 'multipart/form-data; boundary=b',
    body: Buffer.concat([Buffer.from(head), Buffer.alloc(bytes, ' '), Buffer.from('\r\n--b--\r\n')]),
  };
}

async function upload(bytes: number): Promise<Reply> {
  const { type, body } = form(bytes);
  const stream = begin({
    ':method': 'POST',
    ':path': '/api/upload/file',
    'content-type': type,
    'content-length': body.length,
  });
  const replied = replyTo(stream);
  stream.end(body);
  return replied;
}

test('a browser gets HTTP/2, and a client that knows none HTTP/1.1 with the limits of a plain server', async () => {
  expect(session.alpnProtocol).toBe('h2');
  expect((await get('/api/ready')).status).toBe(200);
  const call = request(`${origin}/api/ready`, { ca });
  const replied = once(call, 'response');
  call.end();
  const [reply] = (await replied) as [IncomingMessage];
  reply.resume();
  expect([reply.httpVersion, reply.statusCode]).toEqual(['1.1', 200]);

  const slow = connectTls({ port: Number(new URL(origin).port), host: '127.0.0.1', ca, ALPNProtocols: ['http/1.1'] });
  slow.write('GET /api/ready HTTP/1.1\r\n');
  expect((await text(slow)).slice(0, 12)).toBe('HTTP/1.1 408');
});

test('a dozen event streams on one connection leave room for a sale and a poke', async () => {
  const others = await Promise.all(Array.from({ length: 3 }, () => TestDevice.enrol(server)));
  const streams = others.flatMap(({ headers }) =>
    Array.from({ length: 4 }, () => begin({ ':path': '/api/sync/events', ...headers })),
  );
  const heads = await Promise.all(streams.map((stream) => once(stream, 'response')));
  expect(heads.map(([head]) => [head[':status'], head['x-accel-buffering']])).toEqual(streams.map(() => [200, 'no']));
  const pokes = streams.map(
    (stream) =>
      new Promise<void>((resolve) =>
        stream.on('data', (chunk: Buffer) => chunk.toString().includes('event: change') && resolve()),
      ),
  );
  await tablet.send(tablet.create());
  await Promise.all(pokes);
});

test('an upload of ten megabytes is taken, and a larger one is told so', async () => {
  expect((await upload(9.9 * megabyte)).status).toBe(200);
  const refused = await upload(14 * megabyte);
  expect([refused.status, JSON.parse(refused.body).code]).toEqual([413, 'FILE_TOO_LARGE']);
  // The connection goes on.
  expect((await get('/api/ready')).status).toBe(200);
});

test('a body over the limit of its route is refused with its reason', async () => {
  const stream = begin({ ':method': 'POST', ':path': '/api/sync/batch', 'content-type': 'application/json' });
  stream.on('error', () => undefined);
  const replied = replyTo(stream);
  stream.end(Buffer.alloc(12 * megabyte, ' '));
  const { status, body } = await replied;
  expect([status, JSON.parse(body).code]).toEqual([413, 'BODY_TOO_LARGE']);
  expect((await get('/api/ready')).status).toBe(200);
});

test('a body that comes drop by drop ends alone', async () => {
  const stream = begin({ ':method': 'POST', ':path': '/api/users/login', 'content-type': 'application/json' });
  stream.on('error', () => undefined);
  const dripping = setInterval(() => stream.writable && stream.write(' '), 40);
  const { status, body } = await replyTo(stream).finally(() => clearInterval(dripping));
  expect([status, JSON.parse(body).code]).toEqual([408, 'REQUEST_TOO_SLOW']);
  expect((await get('/api/ready')).status).toBe(200);
});

/** Asks over a connection and takes it back as soon as it is sent. */
async function takeBack(connection: ClientHttp2Session, times: number): Promise<void> {
  for (let asked = 0; asked < times && !connection.destroyed; asked += 50) {
    const streams = Array.from({ length: 50 }, () => connection.request({ ':path': '/api/ready' }));
    const closed = streams.map((stream) =>
      once(
        stream.on('error', () => undefined),
        'close',
      ).catch(() => undefined),
    );
    await new Promise((resolve) => setImmediate(resolve));
    for (const stream of streams) stream.close(constants.NGHTTP2_CANCEL);
    await Promise.all(closed);
  }
}

test('SECURITY who takes back hundreds of requests loses the connection, and nobody else', async () => {
  const flood = connect(origin, { ca }).on('error', () => undefined);
  await once(flood, 'connect');
  const told = once(flood, 'goaway');
  await takeBack(flood, 1000);
  expect((await told)[0]).toBe(constants.NGHTTP2_ENHANCE_YOUR_CALM);
  expect((await get('/api/ready')).status).toBe(200);
});

test('a page that is left with all it has asked for keeps its connection', async () => {
  await takeBack(session, 100);
  expect((await get('/api/ready')).status).toBe(200);
});

test('what is left of a body whose sender stops ends alone, after its reply', async () => {
  const stream = begin({
    ':method': 'POST',
    ':path': '/api/orders',
    authorization: 'Bearer none',
    'content-length': 1000,
  });
  stream.on('error', () => undefined);
  const closed = once(stream, 'close');
  stream.write(' ');
  expect((await replyTo(stream)).status).toBe(401);
  await closed;
  expect((await get('/api/ready')).status).toBe(200);
});

test('a reply that nobody reads ends alone', async () => {
  const { rows } = await server.database.$client.query<{ id: string }>(
    `insert into uploads (clinic_id, purpose, media_type, content, size, uploaded_by, created_at)
     select clinic_id, 'receipt', 'application/pdf', $1, $2, id, $3 from users limit 1 returning id`,
    [Buffer.alloc(2 * megabyte, 'x'), 2 * megabyte, new Date()],
  );
  const stream = begin({ ':path': `/api/uploads/${rows[0]!.id}` });
  stream.on('error', () => undefined);
  expect((await once(stream, 'response'))[0][':status']).toBe(200);
  await once(stream, 'close');
  expect(stream.rstCode).toBe(constants.NGHTTP2_CANCEL);
  expect((await get('/api/ready')).status).toBe(200);
});

test('a page under a foreign name reads nothing of a server on loopback', async () => {
  const { status, body } = await get('/api/ready', { ':authority': 'evil.test' });
  expect([status, JSON.parse(body).code]).toEqual([421, 'HOST_UNKNOWN']);
  const path = '/api/users/login';
  const own = { ':method': 'POST', ':path': path, ':authority': 'localhost', origin: 'https://localhost' };
  const login = begin({ ...own, 'content-type': 'application/json' });
  login.end('{"email":"a@b.test","password":"wrong-one"}');
  expect(JSON.parse((await replyTo(login)).body).code).not.toBe('HOST_UNKNOWN');
});

test('a stop answers what is under way, ends event streams and leaves the connections', async () => {
  const stream = begin({ ':path': '/api/sync/events' });
  await once(stream, 'response');
  const ended = text(stream);
  const told = once(session, 'goaway');
  const reply = get('/api/stock');
  await once(server.app.server, 'request');
  const startedMs = performance.now();
  await stopServing({
    app: server.app,
    drainMs: 0,
    stopJobs: () => Promise.resolve(),
    endDatabase: () => Promise.resolve(),
  });
  expect(performance.now() - startedMs).toBeLessThan(5000);
  expect((await reply).status).toBe(200);
  await Promise.all([ended, told]);
});
