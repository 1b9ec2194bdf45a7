import { once } from 'node:events';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultTimeouts } from '#server/http/slow-clients.ts';
import { eventually } from '#tests/support/eventually.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';

const patience = { ...defaultTimeouts, replyMs: 400, replyBytesPerSecond: 100_000, lookEveryMs: 50 };

let server: TestServer;
let port: number;
const tokens: string[] = [];
beforeAll(async () => {
  server = await startTestServer({ patience });
  await server.app.listen({ host: '127.0.0.1', port: 0 });
  port = (server.app.server.address() as AddressInfo).port;
  for (let person = 0; person < 2; person += 1) tokens.push(await server.login('manager'));
  // More than the buffers of a connection take, and more than one person may have on the way in two replies.
  await addReceipt(20_000_000);
});
afterAll(() => server.close());

let receipt = '';
async function addReceipt(bytes: number): Promise<void> {
  const { rows } = await server.database.$client.query<{ id: string }>(
    `insert into uploads (clinic_id, purpose, media_type, content, size, uploaded_by, created_at)
     select clinic_id, 'receipt', 'application/pdf', $1, $2, id, $3 from users limit 1 returning id`,
    [Buffer.alloc(bytes, 'x'), bytes, new Date()],
  );
  receipt = `/api/uploads/${rows[0]!.id}`;
}

/** Asks for the receipt and reads nothing. */
async function ask(token = tokens[0]!): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  await once(socket, 'connect');
  socket.write(`GET ${receipt} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\n\r\n`);
  return socket;
}

const openAtServer = () =>
  new Promise<number>((resolve) => server.app.server.getConnections((_fault, count) => resolve(count)));

describe('SECURITY a reply', () => {
  test('that nobody reads ends, and its connection with it', async () => {
    await ask();
    await eventually(async () => expect(await openAtServer()).toBe(1));
    await eventually(async () => expect(await openAtServer()).toBe(0));
  });

  test('that is read byte by byte ends too', async () => {
    const socket = await ask();
    await eventually(async () => expect(await openAtServer()).toBe(1));
    const reading = setInterval(() => socket.read(1), 20);
    await eventually(async () => expect(await openAtServer()).toBe(0));
    clearInterval(reading);
  });

  test('that is read slowly arrives whole', async () => {
    const socket = await ask();
    let bytes = 0;
    for (;;) {
      const part = socket.read(1_000_000) as Buffer | null;
      bytes += part?.length ?? 0;
      if (bytes > 19_000_000) break;
      await after(30);
      expect(socket.destroyed).toBe(false);
    }
    socket.destroy();
  });

  test('is refused to who has many bytes on the way, and given to others', async () => {
    const unread = await ask();
    await once(unread, 'readable');
    // Fast enough to keep it; to end it takes more than ten seconds, however slow the machine is.
    const reading = setInterval(() => unread.read(65_536), 50);
    const get = (token: string) =>
      fetch(`http://127.0.0.1:${port}${receipt}`, { headers: { authorization: `Bearer ${token}` } });
    const refused = await get(tokens[0]!);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
    expect(refused.headers.get('content-disposition')).toBeNull();
    expect(await refused.json()).toMatchObject({ success: false, code: 'TOO_MANY_REQUESTS' });
    const other = await get(tokens[1]!);
    expect([other.status, (await other.arrayBuffer()).byteLength]).toEqual([200, 20_000_000]);
    clearInterval(reading);
    unread.destroy();
    await eventually(async () => expect((await get(tokens[0]!)).status).toBe(200));
  });

  test('has thirty seconds for its reader', () => {
    expect(defaultTimeouts.replyMs).toBe(30_000);
  });
});
