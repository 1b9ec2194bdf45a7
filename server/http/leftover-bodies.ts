/**
 * What is left of a body when its reply is ready: one that is too long, or whose sender may not send it. A connection that ends
 * while somebody sends loses the reply, so the rest is read and forgotten, up to a bound.
 */
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { endStream } from './secure.ts';
import type { Patience } from './slow-clients.ts';

type Lingering = Pick<Patience, 'lingerMs' | 'lingerBytes' | 'bodyBytesPerSecond'>;

/** Reads the rest of bodies on all routes of the server. */
export function readLeftovers(app: FastifyInstance, patience: Lingering): void {
  app.addHook('onSend', async ({ raw }, reply) => {
    if (!isLeft(raw) || isStream(raw)) return;
    // The framework ends a connection of which it has not read everything; here the rest is read after the reply.
    if (isKept(raw)) reply.removeHeader('connection');
    else await rest(raw, patience);
  });
  app.addHook('onResponse', async (request) => {
    const { raw } = request;
    if (!isLeft(raw)) return;
    if (!isStream(raw)) void rest(raw, patience).then(() => raw.complete || raw.socket.destroy());
    else endLater(raw, patience, () => endStream(request, 'REQUEST_TOO_SLOW'));
  });
}

/** A request that never came over a socket has no such mark. */
const isLeft = (raw: IncomingMessage): boolean => (raw as { complete?: boolean }).complete === false;

/** A stream of HTTP/2 ends without its connection, and takes no reply with it. */
const isStream = ({ httpVersionMajor }: IncomingMessage): boolean => httpVersionMajor === 2;

function endLater(raw: IncomingMessage, { lingerMs }: Lingering, end: () => void): void {
  const timer = setTimeout(end, lingerMs).unref();
  const keep = () => clearTimeout(timer);
  raw.once('end', keep).once('close', keep);
}

/** Returns whether the connection stays open after the reply. One that does not ends with it, so the rest is read before. */
const isKept = ({ headers, httpVersion }: IncomingMessage): boolean =>
  httpVersion !== '1.0' && !/\bclose\b/i.test(headers.connection ?? '');

const looksInAll = 10;

/** Resolves when the body has ended, or when its sender stops, is slow, or sends too much. */
async function rest(raw: IncomingMessage, { lingerMs, lingerBytes, bodyBytesPerSecond }: Lingering): Promise<void> {
  const { socket } = raw;
  const most = socket.bytesRead + lingerBytes;
  // Who has stated that there is more is not waited for.
  if (Number(raw.headers['content-length'] ?? 0) > lingerBytes) return;
  raw.resume();
  for (let looks = 1, last = socket.bytesRead; ; looks += 1) {
    await new Promise((resolve) => setTimeout(resolve, lingerMs / looksInAll).unref());
    if (raw.complete || socket.destroyed || socket.bytesRead > most) return;
    if (looks % looksInAll !== 0) continue;
    if (socket.bytesRead - last < (bodyBytesPerSecond * lingerMs) / 1000) return;
    last = socket.bytesRead;
  }
}
