import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const asked = (encoding?: string) =>
  server.app.inject({
    url: '/api/openapi.json',
    headers: encoding === undefined ? {} : { 'accept-encoding': encoding },
  });

test.each([
  ['br', 'gzip, deflate, br', brotliDecompressSync],
  ['gzip', 'gzip;q=0.8, br;q=0', gunzipSync],
  [undefined, undefined, (bytes: Buffer) => bytes],
  [undefined, 'identity', (bytes: Buffer) => bytes],
] as const)(
  'the description of the API has the form %s for who accepts %s, made once',
  async (form, accepted, plain) => {
    const [reply, again] = [await asked(accepted), await asked(accepted)];
    expect([reply.statusCode, reply.headers['content-encoding'], reply.headers['vary']]).toEqual([
      200,
      form,
      expect.stringContaining('accept-encoding'),
    ]);
    expect(JSON.parse(plain(reply.rawPayload).toString())).toMatchObject({ openapi: '3.1.0' });
    // Whoever compresses a reply on its way out does not know its length.
    expect(reply.headers['content-length']).toBe(String(reply.rawPayload.length));
    expect(again.rawPayload.equals(reply.rawPayload)).toBe(true);
  },
);
