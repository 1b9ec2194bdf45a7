/**
 * Limits on the time that a client may take to send a request or to read its reply, and the reply when Node itself ends the connection.
 * Without limits, a client that sends a byte a minute would hold its connection and memory for ever.
 */
import type { FastifyInstance } from 'fastify';
import type { Socket } from 'node:net';
import type { ErrorCode } from '#domain/protocol/errors.ts';
import { errorCatalogue } from '#domain/protocol/errors.ts';
import { errorBody } from './refusals.ts';
import { endStream, hasOpenStream } from './secure.ts';

export interface Patience {
  headersMs: number;
  /** The limit for the whole request. Ten megabytes over a slow line take minutes. */
  requestMs: number;
  /** The time for a body, besides a second for each `bodyBytesPerSecond` of it. */
  bodyMs: number;
  bodyBytesPerSecond: number;
  /** How much of a body is read and forgotten after its reply, and the time in which its sender is looked at. */
  lingerBytes: number;
  lingerMs: number;
  /** How long a reply may wait for its reader, who takes `replyBytesPerSecond` or all there is in this time. */
  replyMs: number;
  replyBytesPerSecond: number;
  /** The interval at which the limits are checked. */
  lookEveryMs: number;
}

export const defaultTimeouts: Patience = {
  headersMs: 20_000,
  requestMs: 300_000,
  bodyMs: 30_000,
  bodyBytesPerSecond: 8 * 1024,
  lingerBytes: 64 * 1024 * 1024,
  lingerMs: 5000,
  replyMs: 30_000,
  replyBytesPerSecond: 8 * 1024,
  lookEveryMs: 5000,
};

/** Returns the options of Node's server. */
export const timeouts = ({ headersMs, requestMs, lookEveryMs }: Patience) => ({
  headersTimeout: headersMs,
  requestTimeout: requestMs,
  connectionsCheckingInterval: lookEveryMs,
});

/**
 * Ends requests whose body comes drop by drop. Node's own limit must leave time for the largest upload, so without this a
 * client could hold thousands of connections for five minutes each, before anybody has signed in.
 */
export function endSlowBodies(app: FastifyInstance, { bodyMs, bodyBytesPerSecond }: Patience): void {
  app.addHook('onRequest', async (request, reply) => {
    const { raw, headers, routeOptions } = request;
    const isSent =
      headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined || hasOpenStream(request);
    if (!isSent) return;
    const most = routeOptions.bodyLimit ?? 0;
    const length = Math.min(Number(headers['content-length'] ?? most), most);
    const end = () => {
      if (!endStream(request, 'REQUEST_TOO_SLOW'))
        replyToBrokenRequest({ code: 'ERR_HTTP_REQUEST_TIMEOUT' }, raw.socket);
    };
    const timer = setTimeout(end, bodyMs + (1000 * length) / bodyBytesPerSecond).unref();
    const keep = () => clearTimeout(timer);
    raw.once('end', keep).once('close', keep);
    reply.raw.once('finish', keep);
  });
}

/** Sends the usual error reply for bytes that never became a request, and ends the connection. */
export function replyToBrokenRequest(error: Pick<NodeJS.ErrnoException, 'code'>, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const code = codeOf(error);
  const body = JSON.stringify(errorBody({ code }));
  const head = [
    `HTTP/1.1 ${errorCatalogue[code].status} ${code}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    'connection: close',
  ];
  if (socket.writable) socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  socket.destroySoon();
}

function codeOf({ code }: Pick<NodeJS.ErrnoException, 'code'>): ErrorCode {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'REQUEST_TOO_SLOW';
  return code === 'HPE_HEADER_OVERFLOW' ? 'HEADERS_TOO_LARGE' : 'VALIDATION';
}
