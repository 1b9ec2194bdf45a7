import { once } from 'node:events';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#tests/support/eventually.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';

let server: TestServer;
let port: number;
const tokens: string[] = [];
beforeAll(async () => {
  server = await startTestServer();
  await server.app.listen({ host: '127.0.0.1', port: 0 });
  port = (server.app.server.address() as AddressInfo).port;
  for (let person = 0; person < 2; person += 1) tokens.push(await server.login('manager'));
});
afterAll(() => server.close());

const bodyBytes = 1_000_000;
const most = Buffer.alloc(bodyBytes - 100, ' ');

const openAtServer = () =>
  new Promise<number>((resolve) => server.app.server.getConnections((_fault, count) => resolve(count)));

interface Sender {
  socket: Socket;
  heard: () => string;
}

test('SECURITY five hundred half bodies of one person take the memory of some, in large parts and in small ones', async () => {
  const half = Buffer.alloc(60_000, ' ');
  const small = Buffer.from('1\r\n \r\n'.repeat(5000));
  const begin = async (coding: string, content: Buffer) => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    let heard = '';
    socket.setEncoding('utf8').on('data', (part: string) => (heard += part));
    await once(socket, 'connect');
    socket.write(
      `POST /api/orders HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\nauthorization: Bearer ${tokens[0]!}\r\n${coding}\r\n\r\n`,
    );
    socket.write(content);
    return { socket, heard: () => heard };
  };
  const refusedOf = (all: Sender[]) => all.filter(({ heard }) => heard().startsWith('HTTP/1.1 429')).length;
  const halves = await Promise.all(Array.from({ length: 500 }, () => begin('content-length: 120000', half)));
  await eventually(() => expect(refusedOf(halves)).toBeGreaterThan(200));
  expect(refusedOf(halves)).toBeLessThan(300);
  for (const { socket } of halves) socket.destroy();
  await eventually(async () => expect(await openAtServer()).toBe(0));
  const drops = await Promise.all(Array.from({ length: 120 }, () => begin('transfer-encoding: chunked', small)));
  // Each takes 640 kB, though it has 5 kB.
  await eventually(() => expect(refusedOf(drops)).toBeGreaterThan(5));
  for (const { socket } of drops) socket.destroy();
  await eventually(async () => expect(await openAtServer()).toBe(0));
});

/** Sends a body to within a hundred bytes of its end, and holds it. */
async function hold(token: string): Promise<Sender> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  let heard = '';
  socket.setEncoding('utf8').on('data', (part: string) => (heard += part));
  await once(socket, 'connect');
  socket.write(
    `POST /api/orders HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\nauthorization: Bearer ${token}\r\ncontent-length: ${bodyBytes}\r\n\r\n`,
  );
  await new Promise<void>((resolve) => socket.write(most, () => resolve()));
  return { socket, heard: () => heard };
}

test('SECURITY who holds many bodies open gets no more of them, the first stay, and others are served', async () => {
  const held: Sender[] = [];
  for (let at = 0; at < 55; at += 1) held.push(await hold(tokens[0]!));
  const refused = () => held.filter(({ heard }) => heard().startsWith('HTTP/1.1 429'));
  await eventually(async () => expect(refused().length).toBeGreaterThanOrEqual(4));
  expect(refused().length).toBeLessThan(20);
  expect(refused()[0]!.heard()).toContain('TOO_MANY_REQUESTS');
  const other = await hold(tokens[1]!);
  const finish = async ({ socket, heard }: Sender) => {
    socket.write(' '.repeat(100));
    await eventually(async () => expect(heard()).toMatch(/^HTTP\/1.1 400/));
  };
  await finish(other);
  await finish(held[0]!);
  for (const { socket } of [...held, other]) socket.destroy();
  const later = await hold(tokens[0]!);
  await finish(later);
  later.socket.destroy();
});
