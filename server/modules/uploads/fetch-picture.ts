/**
 * Fetches a picture from an https address that somebody typed. The server is inside the clinic's network, so it
 * calls public addresses only: a name is resolved once, every address of it must be public, and the connection goes to
 * one of these addresses, whatever the name resolves to a moment later (DNS rebinding). Redirects are checked alike.
 */
import { lookup as resolveName } from 'node:dns/promises';
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { RequestOptions } from 'node:https';
import { isIP } from 'node:net';
import { maxUploadBytes } from '#domain/uploads.ts';
import { isPublicAddress } from './public-address.ts';

export type FetchFault = 'pictureAddress' | 'pictureUnreachable' | 'pictureTooLarge';
export type Fetched = { ok: true; content: Buffer } | { ok: false; fault: FetchFault };
export type FetchPicture = (url: string) => Promise<Fetched>;

/** The outside as a fetch sees it. Tests have a server of their own. */
export interface PictureNetwork {
  /** Returns the addresses of a name. */
  resolve: (name: string) => Promise<string[]>;
  isAllowed: (address: string) => boolean;
  /** Options of the connection, such as the port and the authority of a test. */
  connection?: Pick<RequestOptions, 'port' | 'ca'>;
  timeoutMs: number;
}

const internet: PictureNetwork = {
  resolve: async (name) => (await resolveName(name, { all: true })).map(({ address }) => address),
  isAllowed: isPublicAddress,
  timeoutMs: 10_000,
};

const maxRedirects = 3;
const redirects = new Set([301, 302, 303, 307, 308]);

export const pictureFetcher =
  (network: PictureNetwork = internet): FetchPicture =>
  async (url) => {
    const signal = AbortSignal.timeout(network.timeoutMs);
    let address = url;
    try {
      for (let hops = 0; hops <= maxRedirects; hops++) {
        const target = await untilAborted(signal, targetOf(network, address));
        if (!target) return { ok: false, fault: 'pictureAddress' };
        const reply = await ask(network, target, signal);
        const { statusCode = 0, headers } = reply;
        if (redirects.has(statusCode) && headers.location !== undefined) {
          reply.destroy();
          address = new URL(headers.location, target.url).href;
          continue;
        }
        if (statusCode === 200) return await read(reply);
        reply.destroy();
        break;
      }
    } catch {
      // Names, certificates, connections and timeouts fail in many ways, and nobody but the other side can mend them.
    }
    return { ok: false, fault: 'pictureUnreachable' };
  };

/** Names take part in the time of a fetch, although no query for one can be ended. */
async function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  signal.throwIfAborted();
  let stop = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

interface Target {
  url: URL;
  /** The address to which the connection goes. */
  address: string;
}

/** Returns where to connect; null for an address that the server does not call. */
async function targetOf(network: PictureNetwork, address: string): Promise<Target | null> {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url?.protocol !== 'https:' || url.port !== '' || url.username !== '' || url.password !== '') return null;
  const name = url.hostname.replace(/^\[|\]$/g, '');
  const addresses = isIP(name) ? [name] : await network.resolve(name);
  const [first] = addresses;
  return first !== undefined && addresses.every(network.isAllowed) ? { url, address: first } : null;
}

function ask(network: PictureNetwork, { url, address }: Target, signal: AbortSignal): Promise<IncomingMessage> {
  const family = isIP(address);
  return new Promise((resolve, reject) => {
    httpsRequest(url, {
      ...network.connection,
      agent: false,
      signal,
      headers: { accept: 'image/*' },
      lookup: (_name, { all }, found) => (all ? found(null, [{ address, family }]) : found(null, address, family)),
    })
      .on('response', resolve)
      .on('error', reject)
      .end();
  });
}

/** Reads a reply up to the limit of uploads, whatever length it states. */
async function read(reply: IncomingMessage): Promise<Fetched> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of reply as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > maxUploadBytes) {
      reply.destroy();
      return { ok: false, fault: 'pictureTooLarge' };
    }
    parts.push(part);
  }
  return { ok: true, content: Buffer.concat(parts) };
}
