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

interface Sender {
  socket: Socket;
  heard: () => string;
}

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
