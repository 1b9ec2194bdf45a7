import { request } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askerUntil } from '#server/http/askers.ts';
import { Admission } from '#server/modules/uploads/admission.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';

let server: TestServer;
let url: string;
beforeAll(async () => {
  server = await startTestServer();
  url = await server.app.listen({ port: 0 });
});
afterAll(async () => {
  server.app.server.closeAllConnections();
  await server.close();
});

test('a process reads four uploads at once, two of each clinic, and lets few wait', async () => {
  const admission = new Admission();
  const read: number[] = [];
  const leaving: (() => void)[] = [];
  let refused = 0;
  const upload = async (clinicId: number): Promise<void> => {
    const leave = await admission.enter(clinicId);
    if (!leave) return void (refused += 1);
    read.push(clinicId);
    leaving.push(leave);
  };
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const all = [...Array.from({ length: 60 }, () => upload(1)), upload(2), upload(3), upload(2)];
  await settled();
  expect(read).toEqual([1, 1, 2, 3]);
  expect(refused).toBe(50);
  leaving.shift()!();
  await settled();
  expect(read.slice(4)).toEqual([1]);
  // The upload of the second clinic has its turn before the queue of the first is empty.
  leaving[1]!();
  leaving.splice(1, 1);
  await settled();
  expect(read.slice(5)).toEqual([2]);
  while (leaving.length > 0) {
    leaving.shift()!();
    await settled();
  }
  await Promise.all(all);
  expect(read).toHaveLength(13);
});

test('clinics that hold their uploads open leave a place to every other', async () => {
  const admission = new Admission();
  const places = await Promise.all([1, 1, 2, 2, 3, 4, 5].map((clinicId) => admission.enter(clinicId)));
  expect(places.every(Boolean)).toBe(true);
  let isSecond = false;
  const second = admission.enter(3).then((leave) => ((isSecond = true), leave));
  await sleep(1);
  expect(isSecond).toBe(false);
  for (const leave of places) leave!();
  (await second)!();
});

test('an upload whose sender is gone waits for no place', async () => {
  const admission = new Admission();
  const leave = [await admission.enter(1), await admission.enter(1)];
  const gone = new AbortController();
  const waiting = Array.from({ length: 8 }, () => admission.enter(1, askerUntil(gone.signal)));
  await expect(admission.enter(1)).resolves.toBe(null);
  gone.abort();
  expect(new Set(await Promise.all(waiting))).toEqual(new Set([null]));
  await expect(admission.enter(1, askerUntil(gone.signal))).resolves.toBe(null);
  const next = admission.enter(1);
  leave[0]!();
  expect(await next).not.toBe(null);
});

const chunk = Buffer.alloc(65_536, 'x');

/** Sends a file of 10 MB without having it in memory, so that the memory of this process is the server's. */
function sendFile(authorization: string): Promise<number> {
  const boundary = 'sixty-uploads';
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="picture.png"\r\n\r\n`;
  const body = async function* (): AsyncGenerator<Buffer | string> {
    yield head;
    for (let index = 0; index < 150; index++) yield chunk;
    // The server has to hold the file until its end arrives.
    await sleep(1000);
    yield `\r\n--${boundary}--\r\n`;
  };
  const headers = { authorization, 'content-type': `multipart/form-data; boundary=${boundary}` };
  return new Promise((resolve, reject) => {
    const call = request(`${url}/api/upload/file`, { method: 'POST', headers, agent: false }, (reply) => {
      reply.resume();
      resolve(reply.statusCode!);
    });
    call.on('error', reject);
    Readable.from(body(), { objectMode: false }).pipe(call);
  });
}

test('sixty uploads of 10 MB at once take the memory of a few', async () => {
  const authorization = `Bearer ${await server.login('manager')}`;
  const before = process.memoryUsage().arrayBuffers;
  let peak = 0;
  const look = setInterval(() => (peak = Math.max(peak, process.memoryUsage().arrayBuffers)), 5);
  const answers = await Promise.all(Array.from({ length: 60 }, () => sendFile(authorization)));
  clearInterval(look);
  console.info(`Memory of 60 uploads of 10 MB: ${Math.round((peak - before) / 1e6)} MB.`);
  // Those that were read are no pictures.
  expect(new Set(answers)).toEqual(new Set([415, 429]));
  expect(peak - before).toBeLessThan(200_000_000);
});
