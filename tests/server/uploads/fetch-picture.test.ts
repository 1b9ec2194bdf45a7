import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pictureFetcher } from '#server/modules/uploads/fetch-picture.ts';
import { isPublicAddress } from '#server/modules/uploads/public-address.ts';
import { BackOffice, key } from '../stock/clinic.ts';

const pem = (name: string) => readFileSync(new URL(`../../fixtures/pictures-test-${name}.pem`, import.meta.url));

let outside: Server;
let office: BackOffice;
let png: Buffer;
/** The paths that the stand-in was asked for, with the host's name. */
const asked: string[] = [];
let resolutions: string[] = [];

const names: Record<string, string[]> = {
  'pictures.test': ['127.0.0.1'],
  'elsewhere.test': ['127.0.0.1'],
  'inside.test': ['192.168.1.20'],
  'mixed.test': ['127.0.0.1', '10.0.0.8'],
};

const replies: Record<string, (reply: ServerResponse) => void> = {
  '/tooth.png': (reply) => reply.end(png),
  '/redirect': (reply) => reply.writeHead(302, { location: 'https://elsewhere.test/tooth.png' }).end(),
  '/inside': (reply) => reply.writeHead(302, { location: 'https://inside.test/tooth.png' }).end(),
  '/plain': (reply) => reply.writeHead(301, { location: 'http://pictures.test/tooth.png' }).end(),
  '/other-port': (reply) => reply.writeHead(301, { location: 'https://pictures.test:8443/tooth.png' }).end(),
  '/round': (reply) => reply.writeHead(302, { location: '/round' }).end(),
  '/page': (reply) => reply.writeHead(200, { 'content-type': 'image/png' }).end('<html></html>'),
  '/large': (reply) => {
    reply.writeHead(200, { 'content-type': 'image/png' });
    const more = (): void => void (reply.destroyed || reply.write(Buffer.alloc(1024 * 1024), more));
    more();
  },
  '/never': () => undefined,
};

beforeAll(async () => {
  png = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();
  outside = createServer({ key: pem('key'), cert: pem('cert') }, ({ url = '', headers }: IncomingMessage, reply) => {
    asked.push(`${headers.host?.split(':')[0]}${url}`);
    const answer = replies[url];
    if (answer) answer(reply);
    else reply.writeHead(404).end();
  });
  await new Promise<void>((done) => outside.listen(0, '127.0.0.1', done));
  const fetchPicture = pictureFetcher({
    resolve: async (name) => {
      resolutions.push(name);
      if (name === 'silent.test') return new Promise<string[]>(() => {});
      return names[name] ?? Promise.reject(new Error('unknown name'));
    },
    // The stand-in listens on loopback; all else is judged as on the internet.
    isAllowed: (address) => address === '127.0.0.1' || isPublicAddress(address),
    connection: { port: (outside.address() as AddressInfo).port, ca: pem('cert') },
    timeoutMs: 1500,
  });
  office = await BackOffice.open({ fetchPicture });
});
afterAll(async () => {
  outside.closeAllConnections();
  outside.close();
  await office.server.close();
});

const create = (image_url: string, headers = {}) =>
  office.call('POST', '/categories', { name: `Surgery ${asked.length} ${image_url.slice(-12)}`, image_url }, headers);

describe('the https address of a picture', () => {
  test('becomes an upload of the clinic, fetched once', async () => {
    const headers = key();
    const body = { name: 'Hygiene', image_url: 'https://pictures.test/tooth.png' };
    const [first, again] = [
      await office.call('POST', '/categories', body, headers),
      await office.call('POST', '/categories', body, headers),
    ];
    expect([first.statusCode, again.body]).toEqual([201, first.body]);
    const { id, image_url } = first.json().data;
    expect(image_url).toMatch(/^\/uploads\/\d+\/[\w-]+\.webp$/);
    const picture = await office.server.app.inject({ url: image_url });
    expect([picture.statusCode, picture.headers['content-type']]).toEqual([200, 'image/webp']);
    const kept = await office.call('PUT', `/categories/${id}`, { name: 'Oral hygiene', image_url });
    expect(kept.json().data.image_url).toBe(image_url);
    expect(asked).toEqual(['pictures.test/tooth.png']);
    for (const path of ['/stock', '/products']) {
      const unit = path === '/stock' ? { unit: 'pcs', supplier: 'Us', supplier_contact: '1' } : { price: 1 };
      const made = await office.call('POST', path, { ...body, ...unit });
      expect([path, made.statusCode, made.json().data?.image_url]).toEqual([
        path,
        201,
        expect.stringMatching(/^\/uploads\//),
      ]);
    }
    // Copied from the address bar of this server: nothing is fetched.
    const copied = await create(`https://dental.clinic.test${image_url}`);
    expect(copied.json().data.image_url).toBe(image_url);
    expect(asked.length).toBe(3);
  });

  test('may redirect to another one, which is resolved anew', async () => {
    resolutions = [];
    expect((await create('https://pictures.test/redirect')).statusCode).toBe(201);
    expect([resolutions, asked.at(-1)]).toEqual([['pictures.test', 'elsewhere.test'], 'elsewhere.test/tooth.png']);
  });

  test('is resolved once: the connection goes to the address that was checked', async () => {
    resolutions = [];
    expect((await create('https://pictures.test/tooth.png')).statusCode).toBe(201);
    expect(resolutions).toEqual(['pictures.test']);
  });

  test.each([
    ['within the network', 'https://inside.test/tooth.png', /public https/],
    ['with one address within the network', 'https://mixed.test/tooth.png', /public https/],
    ['of a private address', 'https://192.168.1.1/tooth.png', /public https/],
    ['of loopback in IPv6', 'https://[::1]/tooth.png', /public https/],
    ['of the machine that runs the cloud', 'https://169.254.169.254/latest', /public https/],
    ['of a mapped address', 'https://[::ffff:10.0.0.1]/tooth.png', /public https/],
    ['written as one number', 'https://2130706434/tooth.png', /public https/],
    ['with another port', 'https://pictures.test:8443/tooth.png', /public https/],
    ['with a password', 'https://me:secret@pictures.test/tooth.png', /public https/],
    ['that redirects into the network', 'https://pictures.test/inside', /public https/],
    ['that redirects to http', 'https://pictures.test/plain', /public https/],
    ['that redirects to another port', 'https://pictures.test/other-port', /public https/],
    ['that redirects for ever', 'https://pictures.test/round', /cannot be fetched/],
    ['of an unknown name', 'https://nowhere.test/tooth.png', /cannot be fetched/],
    ['that is not found', 'https://pictures.test/nothing', /cannot be fetched/],
    ['that never answers', 'https://pictures.test/never', /cannot be fetched/],
    ['of a name that nobody resolves in time', 'https://silent.test/tooth.png', /cannot be fetched/],
    ['of a page that calls itself a picture', 'https://pictures.test/page', /must be a PNG, JPG or GIF/],
    ['of a file without end', 'https://pictures.test/large', /larger than 10 MB/],
  ])('%s is refused in words', async (_what, url, sentence) => {
    const reply = await create(url);
    expect([reply.statusCode, reply.json()]).toMatchObject([
      400,
      { code: 'VALIDATION', details: { image_url: expect.stringMatching(sentence) } },
    ]);
  });
});

test.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '100.127.255.255',
  '127.0.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:8.8.8.8',
  '64:ff9b::a00:1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'ff02::1',
  '2002:a00:1::',
  '2001:db8::1',
  'nonsense',
])('%s is no public address', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each(['8.8.8.8', '100.63.255.255', '100.128.0.1', '172.32.0.1', '2606:4700::1111', '2a00:1450:4003::1'])(
  '%s is a public address',
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);
