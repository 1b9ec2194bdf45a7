/**
 * The names under which the server is called. Another site can point its own name at this machine (DNS rebinding), and
 * its pages are then of one origin with the app: on loopback they reach a server that nobody outside should. Such a
 * request carries that site's name in `Host`. An address of digits cannot be pointed elsewhere.
 */
import type { FastifyInstance } from 'fastify';
import { isIP } from 'node:net';
import { sendRefusal } from './refusals.ts';

const safeMethods = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Refuses requests under other names, and writes from pages of other origins.
 *
 * @param allowed names in lower case; null accepts any
 */
export function registerHosts(app: FastifyInstance, allowed: readonly string[] | null): void {
  if (allowed === null) return;
  const isKnown = (name: string): boolean => allowed.includes(name);
  app.addHook('onRequest', async ({ headers, method }, reply) => {
    const { origin } = headers;
    // HTTP/2 has a field of its own for the name.
    const host = (headers[':authority'] as string | undefined) ?? headers.host;
    const name = host === undefined ? null : nameOf(`http://${host}`);
    const isOurs = host === undefined || (name !== null && (isIP(name) !== 0 || isKnown(name)));
    const isOwnPage =
      origin === undefined || safeMethods.includes(method) || isSameHost(origin, host) || isKnown(nameOf(origin) ?? '');
    return isOurs && isOwnPage ? undefined : sendRefusal(reply, { code: 'HOST_UNKNOWN' });
  });
}

/** What proxies add to the requests that they pass on. */
const forwardingHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

/**
 * Refuses what comes through a proxy. The passwords of a demo are public, so it is for those at the machine, and a tunnel
 * or a proxy in front of it would open it to everybody.
 */
export function refuseForwarded(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ headers }, reply) =>
    forwardingHeaders.some((name) => headers[name] !== undefined)
      ? sendRefusal(reply, { code: 'DEMO_FORWARDED' })
      : undefined,
  );
}

function isSameHost(origin: string, host: string | undefined): boolean {
  return urlOf(origin)?.host === host?.toLowerCase();
}

/** Returns the name in an address, an IPv6 address without its brackets; null when it is none. */
function nameOf(address: string): string | null {
  return urlOf(address)?.hostname.replace(/^\[(.*)\]$/, '$1') ?? null;
}

const urlOf = (address: string): URL | null => (URL.canParse(address) ? new URL(address) : null);
