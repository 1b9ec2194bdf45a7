/** The documented nginx before the server, and one with nginx's defaults. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:http2';
import type { OutgoingHttpHeaders } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { projectRoot } from '#server/project-root.ts';
import { makeCertificate } from '#tests/support/client-certificate.ts';
import { TestDevice } from '#tests/support/device.ts';
import { eventually } from '#tests/support/eventually.ts';
import { inLongRun } from '#tests/support/long-run.ts';
import { freePort } from '#tests/support/server-process.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';

const nginx = ['/usr/sbin/nginx', '/usr/bin/nginx'].find((program) => existsSync(program));
if (!nginx) process.stdout.write('UNAVAILABLE: no nginx; its tests are left out.\n');

const megabyte = 1_000_000;
const uploadBytes = inLongRun(9.9, { otherwise: 5 }) * megabyte;

describe.runIf(nginx)('behind nginx', () => {
  let server: TestServer;
  let tablet: TestDevice;
  let folder: string;
  let ca: Buffer;
  const running: ChildProcess[] = [];

  beforeAll(async () => {
    // OpenSSL compares a certificate with the real time, whatever the time of the run is.
    const { cert, key } = makeCertificate({ days: 36_500, passphrase: 'secret' });
    ca = cert;
    folder = await mkdtemp(path.join(tmpdir(), 'dental-counter-nginx-'));
    await writeFile(path.join(folder, 'server.crt'), cert);
    await writeFile(path.join(folder, 'server.key'), key);
    server = await startTestServer({ demo: true, environment: { DEMO: '0', TRUST_PROXY: '127.0.0.1' } });
    tablet = await TestDevice.enrol(server, 'manager');
    await server.app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(async () => {
    for (const child of running) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    await server.close();
    await rm(folder, { recursive: true });
  });

  /** Starts nginx with the server block. @returns its origin */
  async function start(name: string, block: string): Promise<string> {
    const port = await freePort();
    const own = block
      .replace(/listen 443/, `listen 127.0.0.1:${port}`)
      .replace(/listen 80;/, `listen unix:${folder}/${name}.sock;`)
      .replaceAll('/etc/dental-counter', folder)
      .replace('127.0.0.1:3000', `127.0.0.1:${(server.app.server.address() as AddressInfo).port}`);
    const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (kind) => `${kind}_temp_path ${folder}/${name}-${kind};`,
    );
    const settings = path.join(folder, `${name}.conf`);
    const outer = `daemon off; pid ${folder}/${name}.pid; error_log ${folder}/${name}.log; events {}`;
    await writeFile(settings, `${outer}\nhttp { access_log off; ${places.join(' ')}\n${own}\n}\n`);
    running.push(spawn(nginx!, ['-c', settings, '-e', `${folder}/${name}.log`], { stdio: 'inherit' }));
    const origin = `https://127.0.0.1:${port}`;
    await eventually(async () => expect((await call(origin, { ':path': '/api/ready' })).status).toBe(200));
    return origin;
  }

  async function call(
    origin: string,
    headers: OutgoingHttpHeaders,
    body?: Buffer,
  ): Promise<{ status: number; body: string }> {
    const session = connect(origin, { ca, maxSessionMemory: 100 });
    try {
      await once(session, 'connect');
      const stream = session.request({ ...tablet.headers, ':authority': 'counter.clinic.lan', ...headers });
      const replied = once(stream, 'response') as Promise<[Record<string, unknown>]>;
      stream.end(body);
      const [head] = await replied;
      return { status: Number(head[':status']), body: await text(stream).catch(() => '') };
    } finally {
      session.destroy();
    }
  }

  const upload = (origin: string, bytes: number) => {
    const head =
      '--b\r\ncontent-disposition: form-data; name="purpose"\r\n\r\nreceipt\r\n--b\r\ncontent-disposition: form-data; name="file"; filename="r.pdf"\r\ncontent-type: application/pdf\r\n\r\n%PDF-1.4\n';
    const form = Buffer.concat([Buffer.from(head), Buffer.alloc(bytes, ' '), Buffer.from('\r\n--b--\r\n')]);
    const headers = {
      ':method': 'POST',
      ':path': '/api/upload/file',
      'content-type': 'multipart/form-data; boundary=b',
    };
    return call(origin, { ...headers, 'content-length': form.length }, form);
  };

  /** Resolves when the event stream has brought the poke of a sale. */
  async function poke(origin: string): Promise<void> {
    const session = connect(origin, { ca });
    try {
      await once(session, 'connect');
      const other = await TestDevice.enrol(server);
      const stream = session.request({
        ...other.headers,
        ':authority': 'counter.clinic.lan',
        ':path': '/api/sync/events',
      });
      let heard = '';
      stream.on('data', (chunk: Buffer) => (heard += chunk.toString()));
      // Before anything has happened.
      await eventually(() => expect(heard).toContain(': connected'));
      await tablet.send(tablet.create());
      await eventually(() => expect(heard).toContain('event: change'));
    } finally {
      session.destroy();
    }
  }

  test('by the documented file a poke comes at once, a large upload passes, and a larger one is refused in our words', async () => {
    const origin = await start(
      'documented',
      await readFile(path.join(projectRoot, 'docs/operating/nginx.conf'), 'utf8'),
    );
    await poke(origin);
    expect((await upload(origin, uploadBytes)).status).toBe(200);
    const { status, body } = await upload(origin, 14 * megabyte);
    expect([status, JSON.parse(body).code]).toEqual([413, 'FILE_TOO_LARGE']);
  });

  test('with its defaults a poke comes at once too, and its 413 is a page that the app reads', async () => {
    const origin = await start(
      'plain',
      `server { listen 443 ssl http2; ssl_certificate /etc/dental-counter/server.crt; ssl_certificate_key /etc/dental-counter/server.key;
        location / { proxy_pass http://127.0.0.1:3000; } }`,
    );
    await poke(origin);
    const { status, body } = await upload(origin, 2 * megabyte);
    expect([status, body.includes('<html>')]).toEqual([413, true]);
  });
});
