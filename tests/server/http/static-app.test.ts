import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { registerHeaders } from '#server/http/headers.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';

const page = '<!doctype html><title>Dental Counter</title>';
const script = 'export const counter = 1;';
const policy = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
  "img-src 'self' data: blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join(';');

let folder: string;
let server: TestServer;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'static-app-'));
  await mkdir(path.join(folder, 'assets'));
  await mkdir(path.join(folder, '.vite'));
  const files = { 'index.html': page, 'sw.js': 'self', 'assets/main-abc123.js': script, '.vite/manifest.json': '{}' };
  for (const [name, text] of Object.entries(files)) {
    await writeFile(path.join(folder, name), text);
    await writeFile(path.join(folder, `${name}.br`), brotliCompressSync(text));
    await writeFile(path.join(folder, `${name}.gz`), gzipSync(text));
  }
  server = await startTestServer({ appFolder: folder });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const get = (url: string, headers: Record<string, string> = {}) => server.app.inject({ url, headers });

describe('the built app', () => {
  test.each(['/', '//', '/login', '/admin/stock', '/outbox?tab=tray', '/assets', '/assets/', '/.git/config'])(
    'answers %s with the page of the app',
    async (url) => {
      const reply = await get(url);
      expect([reply.statusCode, reply.body, reply.headers['cache-control']]).toEqual([200, page, 'no-cache']);
      expect(reply.headers['content-type']).toMatch('text/html');
    },
  );

  test('is sent as the build compressed it', async () => {
    for (const [url, text] of [
      ['/assets/main-abc123.js', script],
      ['/', page],
      ['/admin/stock', page],
    ] as const) {
      const reply = await get(url, { 'accept-encoding': 'gzip, br' });
      expect([reply.headers['content-encoding'], brotliDecompressSync(reply.rawPayload).toString()]).toEqual([
        'br',
        text,
      ]);
      expect(reply.headers.vary).toMatch('accept-encoding');
    }
  });

  test('caches hashed files for ever, and revalidates the worker', async () => {
    expect((await get('/assets/main-abc123.js')).headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect((await get('/sw.js')).headers['cache-control']).toBe('no-cache');
    expect((await get('/sw.js')).headers['content-type']).toMatch('javascript');
  });

  test.each([
    '/assets/gone-000000.js',
    '/missing.png',
    '/.vite/manifest.json',
    '/../package.json',
    '//evil.test/x.js',
    '/%2e%2e/package.json',
    '/api/missing',
    '/uploads',
    '/uploads/1/2',
  ])('does not serve %s', async (url) => {
    const reply = await get(url);
    expect(reply.statusCode).toBeGreaterThanOrEqual(403);
    expect(reply.json()).toMatchObject({ success: false });
  });
});

describe('the response headers', () => {
  test.each(['/', '/assets/main-abc123.js', '/api/health', '/api/missing'])('protect %s', async (url) => {
    const { headers } = await get(url);
    expect(headers).toMatchObject({
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
    expect(headers).not.toHaveProperty('strict-transport-security');
  });

  test('include HSTS when the server itself terminates TLS', async () => {
    const app = Fastify();
    await registerHeaders(app, { isTls: true });
    app.get('/', () => 'page');
    expect((await app.inject('/')).headers['strict-transport-security']).toMatch(/^max-age=\d{8,}/);
  });

  test.each(['/api/health', '/api/auth/me', '/api/missing', '/api/openapi.json'])(
    'forbid caches to store %s',
    async (url) => {
      expect((await get(url)).headers['cache-control']).toBe('no-store');
    },
  );

  test('state the compression of long API replies', async () => {
    const reply = await get('/api/openapi.json', { 'accept-encoding': 'br' });
    expect(reply.headers['content-encoding']).toBe('br');
    expect(JSON.parse(brotliDecompressSync(reply.rawPayload).toString())).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'Dental Counter' },
    });
  });
});
