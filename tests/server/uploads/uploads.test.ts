import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { maxUploadBytes } from '#domain/uploads.ts';
import { auditLog } from '#server/db/schema/access.ts';
import { uploads } from '#server/db/schema/uploads.ts';
import { newId } from '#tests/support/unique.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';

let server: TestServer;
let address: string;
let token: string;

beforeAll(async () => {
  server = await startTestServer();
  address = await server.app.listen({ port: 0 });
  token = await server.login('manager');
});
afterAll(() => server.close());

const bearer = (of = token) => ({ authorization: `Bearer ${of}` });

/** Sends the form over a real connection, because the server reads it as it arrives. */
async function send(form: FormData, query = '', headers: Record<string, string> = {}) {
  const reply = await fetch(`${address}/api/upload/file${query}`, {
    method: 'POST',
    headers: { ...bearer(), ...headers },
    body: form,
  });
  return {
    status: reply.status,
    headers: reply.headers,
    body: (await reply.json()) as { success: boolean; code?: string; message?: string; data: { url: string } },
  };
}
function formOf(content: Uint8Array, name: string, fields: Record<string, string> = {}): FormData {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(content)]), name);
  // Fields may follow the file, in the order of the form.
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  return form;
}
const get = (url: string, headers: Record<string, string> = {}) => fetch(address + url, { headers });
const bytesOf = async (reply: Response) => Buffer.from(await reply.arrayBuffer());

const blank = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: '#2f9e8f' } });
const png = (width = 20, height = 10) => blank(width, height).png().toBuffer();
const jpeg = (width = 20, height = 10) => blank(width, height).jpeg().toBuffer();
const pdf = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n');

/** Returns an empty PNG of any size: few bytes that unpack to many. */
function emptyPng(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length, 0);
    frame.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([1, 0, 0, 0, 0], 8);
  const rows = deflateSync(Buffer.alloc(height * (Math.ceil(width / 8) + 1)));
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

describe('a picture', () => {
  test('is public at its address, as an image that may be cached for ever', async () => {
    const { status, body } = await send(formOf(await png(), 'gloves.png'));
    expect([status, body.success]).toEqual([200, true]);
    expect(body.data.url).toMatch(new RegExp(`^/uploads/${server.clinicId}/[0-9a-f-]{36}\\.webp$`));
    const reply = await get(body.data.url);
    expect(
      Object.fromEntries(
        ['content-type', 'cache-control', 'x-content-type-options'].map((name) => [name, reply.headers.get(name)]),
      ),
    ).toEqual({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    expect(await sharp(await bytesOf(reply)).metadata()).toMatchObject({ format: 'webp', width: 20, height: 10 });
    const again = await get(body.data.url, { 'if-none-match': reply.headers.get('etag')! });
    expect([again.status, (await bytesOf(again)).length]).toEqual([304, 0]);
  });

  test('is rotated upright, reduced to the size of a tile, and stripped of metadata', async () => {
    const taken = await blank(3000, 1500)
      .jpeg()
      .withMetadata({ orientation: 6, exif: { IFD0: { Copyright: 'Somebody' }, IFD3: { GPSLatitudeRef: 'N' } } })
      .toBuffer();
    expect([(await sharp(taken).metadata()).orientation, taken.includes('Somebody')]).toEqual([6, true]);
    const { body } = await send(formOf(taken, 'IMG_0001.JPG'));
    const kept = await bytesOf(await get(body.data.url));
    const { width, height, exif, orientation } = await sharp(kept).metadata();
    expect({ width, height, exif, orientation }).toEqual({
      width: 400,
      height: 800,
      exif: undefined,
      orientation: undefined,
    });
    expect(kept.includes('Somebody')).toBe(false);
  });

  test('contains the first frame of an animation', async () => {
    const frames = await Promise.all(
      ['#ff0000', '#0000ff'].map((background) =>
        sharp({ create: { width: 8, height: 8, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
    const animation = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    expect((await sharp(animation).metadata()).pages).toBe(2);
    const { body } = await send(formOf(animation, 'wave.gif'));
    const kept = await bytesOf(await get(body.data.url));
    expect((await sharp(kept).metadata()).pages ?? 1).toBe(1);
    const { channels } = await sharp(kept).stats();
    expect(channels[0]!.mean).toBeGreaterThan(200);
  });

  test.each([
    '',
    '/',
    '/1',
    '/1/nothing.webp',
    '/0190a5b0-0000-7000-8000-000000000000.webp',
    '/1/0190a5b0-0000-7000-8000-000000000000.webp',
    '/1/../2/x',
    '/%00/%00.webp',
  ])('is not at /uploads%s', async (rest) => {
    const reply = await get(`/uploads${rest}`);
    expect([reply.status, await reply.json()]).toMatchObject([404, { success: false, code: 'NOT_FOUND' }]);
  });

  test('is neither at the address of another clinic nor under the API', async () => {
    const { url } = (await send(formOf(await png(), 'a.png'))).body.data;
    const id = /([0-9a-f-]{36})/.exec(url)![1];
    expect((await get(`/uploads/${server.clinicId + 1}/${id}.webp`)).status).toBe(404);
    expect((await get(`/api/uploads/${id}`, bearer())).status).toBe(404);
  });
});

describe('a receipt', () => {
  test('is sent only to users with permission, and never cached', async () => {
    const { body } = await send(formOf(await png(4000, 1000), 'till.png', { purpose: 'receipt' }));
    expect(body.data.url).toMatch(/^\/api\/uploads\/[0-9a-f-]{36}$/);
    const reply = await get(body.data.url, bearer());
    expect(
      ['content-type', 'cache-control', 'content-disposition', 'x-content-type-options'].map((name) =>
        reply.headers.get(name),
      ),
    ).toEqual(['image/jpeg', 'no-store', 'inline', 'nosniff']);
    expect(await sharp(await bytesOf(reply)).metadata()).toMatchObject({ format: 'jpeg', width: 1600, height: 400 });

    expect((await get(body.data.url)).status).toBe(401);
    expect((await get(body.data.url, bearer(await server.login('counter')))).status).toBe(403);
    const neighbour = await server.login('admin', { clinicId: await server.addClinic() });
    expect((await get(body.data.url, bearer(neighbour))).status).toBe(404);
    const id = body.data.url.split('/').at(-1);
    expect((await get(`/uploads/${server.clinicId}/${id}.webp`)).status).toBe(404);
  });

  test('may be a PDF, which needs no purpose and is returned unchanged, as a download', async () => {
    const { body } = await send(formOf(pdf, 'Rechnung März.PDF'));
    const reply = await get(body.data.url, bearer());
    expect(reply.headers.get('content-type')).toBe('application/pdf');
    expect(reply.headers.get('content-disposition')).toMatch(/^attachment; filename="receipt-[0-9a-f-]{36}\.pdf"$/);
    expect((await bytesOf(reply)).equals(pdf)).toBe(true);
  });
});

describe('the upload route refuses', () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  const cases: [string, () => Promise<Buffer>, string, Record<string, string>, number, string][] = [
    ['an SVG with scripts', async () => svg, 'a.svg', {}, 415, 'FILE_TYPE_REFUSED'],
    ['an SVG named PNG', async () => svg, 'a.png', {}, 415, 'FILE_TYPE_REFUSED'],
    [
      'an SVG with an XML declaration named JPG',
      async () => Buffer.concat([Buffer.from('<?xml version="1.0"?>'), svg]),
      'a.jpg',
      {},
      415,
      'FILE_TYPE_REFUSED',
    ],
    [
      'an HTML page named GIF',
      async () => Buffer.from('<!doctype html><script>1</script>'),
      'a.gif',
      {},
      415,
      'FILE_TYPE_REFUSED',
    ],
    ['an image named HTML', () => png(), 'a.html', {}, 415, 'FILE_TYPE_REFUSED'],
    ['an image type that is not allowed', () => blank(5, 5).webp().toBuffer(), 'a.png', {}, 415, 'FILE_TYPE_REFUSED'],
    [
      'an animation as a receipt',
      () => blank(5, 5).gif().toBuffer(),
      'a.gif',
      { purpose: 'receipt' },
      415,
      'FILE_TYPE_REFUSED',
    ],
    ['a PDF as a picture', async () => pdf, 'a.pdf', { purpose: 'picture' }, 415, 'FILE_TYPE_REFUSED'],
    ['a truncated JPEG', async () => (await jpeg(900, 900)).subarray(0, 2000), 'a.jpg', {}, 422, 'IMAGE_BROKEN'],
    [
      'a truncated PNG',
      async () => {
        const whole = await sharp(Buffer.from(Array.from({ length: 30_000 }, (_, i) => (i * 7919) % 256)), {
          raw: { width: 100, height: 100, channels: 3 },
        })
          .png()
          .toBuffer();
        return whole.subarray(0, whole.length / 2);
      },
      'a.png',
      {},
      422,
      'IMAGE_BROKEN',
    ],
    ['the header of a picture only', async () => (await png()).subarray(0, 40), 'a.png', {}, 422, 'IMAGE_BROKEN'],
    ['a picture of a gigapixel', async () => emptyPng(32_000, 32_000), 'a.png', {}, 422, 'IMAGE_BROKEN'],
    ['no bytes', async () => Buffer.alloc(0), 'a.png', {}, 400, 'FILE_MISSING'],
    ['an unknown purpose', () => png(), 'a.png', { purpose: 'portrait' }, 400, 'VALIDATION'],
  ];

  test.each(cases)('%s', async (_title, content, name, fields, status, code) => {
    const before = (await server.database.select({ id: uploads.id }).from(uploads)).length;
    const reply = await send(formOf(await content(), name, fields));
    expect([reply.status, reply.body.code]).toEqual([status, code]);
    expect(reply.body.message).not.toBe('');
    expect((await server.database.select({ id: uploads.id }).from(uploads)).length).toBe(before);
  });

  test('a form without a file, no form at all, and a broken form', async () => {
    expect((await send(new FormData())).body.code).toBe('FILE_MISSING');
    const elsewhere = new FormData();
    elsewhere.set('picture', new Blob([new Uint8Array(await png())]), 'a.png');
    expect((await send(elsewhere)).body.code).toBe('FILE_MISSING');
    const post = (payload: string, type: string) =>
      server.app.inject({
        method: 'POST',
        url: '/api/upload/file',
        headers: { ...bearer(), 'content-type': type },
        payload,
      });
    expect((await post('{}', 'application/json')).json().code).toBe('FILE_MISSING');
    for (const [payload, type] of [
      [
        '--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\nabc',
        'multipart/form-data; boundary=x',
      ],
      ['nothing', 'multipart/form-data; boundary=x'],
      ['nothing', 'multipart/form-data'],
      [
        '--x\r\nContent-Disposition: form-data; name="__proto__"; filename="a.png"\r\n\r\nabc\r\n--x--',
        'multipart/form-data; boundary=x',
      ],
    ] as const) {
      const reply = await post(payload, type);
      expect([payload, reply.statusCode >= 400 && reply.statusCode < 500]).toEqual([payload, true]);
    }
    const two = formOf(await png(), 'a.png');
    two.append('file', new Blob([new Uint8Array(await png())]), 'b.png');
    expect((await send(two)).body.code).toBe('VALIDATION');
  });

  test('a file of one byte more than 10 MB, but not one of 10 MB', async () => {
    const padded = (size: number) => Buffer.concat([pdf, Buffer.alloc(size - pdf.length, 10)]);
    const over = await send(formOf(padded(maxUploadBytes + 1), 'a.pdf'));
    expect([over.status, over.body.code, over.body.message]).toEqual([
      413,
      'FILE_TOO_LARGE',
      'The file is larger than 10 MB.',
    ]);
    const kept = await send(formOf(padded(maxUploadBytes), 'a.pdf'));
    expect(kept.status).toBe(200);
    expect((await bytesOf(await get(kept.body.data.url, bearer()))).length).toBe(maxUploadBytes);
  });

  test('a user without permission', async () => {
    const form = formOf(await png(), 'a.png');
    expect((await send(form, '', bearer(await server.login('counter')))).status).toBe(403);
    expect((await send(form, '', { authorization: '' })).status).toBe(401);
  });
});

test('the limit for uploads does not apply to other routes', async () => {
  const body = `--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n${'a'.repeat(2_000_000)}\r\n--x--`;
  for (const url of ['/api/users/login', '/api/orders', '/api/purchase-orders']) {
    const reply = await server.app.inject({
      method: 'POST',
      url,
      headers: { ...bearer(), 'content-type': 'multipart/form-data; boundary=x' },
      payload: body,
    });
    expect([url, reply.statusCode]).toEqual([url, 415]);
  }
  const long = await server.app.inject({
    method: 'POST',
    url: '/api/upload/file',
    headers: bearer(),
    payload: { text: 'a'.repeat(2_000_000) },
  });
  expect([long.statusCode, long.json().code]).toEqual([413, 'BODY_TOO_LARGE']);
});

test('SYNC-4 stores a file once under one key, with its uploader', async () => {
  const key = { 'idempotency-key': newId() };
  const form = formOf(await png(31, 17), 'once.png');
  const first = await send(form, '?purpose=picture', key);
  const again = await send(form, '?purpose=picture', key);
  expect(again.body).toEqual(first.body);
  expect([first.headers.get('idempotency-replayed'), again.headers.get('idempotency-replayed')]).toEqual([
    null,
    'true',
  ]);
  const id = /([0-9a-f-]{36})/.exec(first.body.data.url)![1]!;
  const [written, ...more] = await server.database.select().from(auditLog).where(eq(auditLog.subject, id));
  expect([written, more]).toMatchObject([
    { action: 'upload.create', clinicId: server.clinicId, details: { purpose: 'picture', mediaType: 'image/webp' } },
    [],
  ]);
  expect((await send(formOf(await png(32, 17), 'once.png'), '', key)).body.code).toBe('IDEMPOTENCY_MISMATCH');
});

test('accepts pictures from several users at once', async () => {
  const replies = await Promise.all(
    Array.from({ length: 6 }, async (_, index) => send(formOf(await png(40 + index, 40), `${index}.png`))),
  );
  const kept = await Promise.all(replies.map(async ({ body }) => bytesOf(await get(body.data.url))));
  expect(new Set(kept.map((content) => createHash('sha256').update(content).digest('hex'))).size).toBe(6);
});
