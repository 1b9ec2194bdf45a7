/**
 * TLS of the server itself: HTTP/2 with HTTP/1.1 for clients that know no other. Over HTTP/1.1 a browser opens six connections to a
 * server, and each event stream holds one; over HTTP/2 they share a connection.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { constants } from 'node:http2';
import type { ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import type { ServerOptions } from 'node:https';
import { errorCatalogue } from '#domain/protocol/errors.ts';
import type { ErrorCode } from '#domain/protocol/errors.ts';
import { errorBody } from './refusals.ts';

/** More than a browser with many tabs needs at once. */
const settings = { maxConcurrentStreams: 128 };
/** Megabytes that wait to be sent on one connection, above which it takes no further request. */
const maxSessionMemory = 50;

/** Fastify's own for HTTP/1.1, which it does not pass on to such a server. */
const keepAliveTimeout = 72_000;

/**
 * Returns the options of a server with TLS. Requests and replies of HTTP/2 have the interface of HTTP/1.1, so the rest of the program
 * has its types.
 */
export const secureOptions = (tls: Pick<ServerOptions, 'cert' | 'key'>) =>
  ({ http2: true, https: { ...tls, allowHTTP1: true, settings, maxSessionMemory } }) as unknown as { http: object };

/** Sets the limits for connections over HTTP/1.1 where the constructor of the server takes none. */
export const limitOldConnections = ({ server }: FastifyInstance, limits: object): void =>
  void Object.assign(server, limits, { keepAliveTimeout });

/** Returns the stream of a request over HTTP/2; undefined for one over HTTP/1.1, which has its connection to itself. */
export const streamOf = ({ raw }: FastifyRequest): ServerHttp2Stream | undefined =>
  (raw as unknown as { stream?: ServerHttp2Stream }).stream;

/** Returns true for a request over HTTP/2 whose body, if it has one, is still to come. No header has to announce it there. */
export const hasOpenStream = (request: FastifyRequest): boolean => streamOf(request)?.endAfterHeaders === false;

/**
 * Ends a request whose stream shares its connection with others: with a reply, unless one has begun.
 *
 * @returns false for a request over HTTP/1.1
 */
export function endStream(request: FastifyRequest, code: ErrorCode): boolean {
  const stream = streamOf(request);
  if (!stream) return false;
  if (stream.destroyed) return true;
  if (stream.headersSent) {
    stream.close(constants.NGHTTP2_CANCEL);
    return true;
  }
  const { status } = errorCatalogue[code];
  stream.respond({
    ':status': status,
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
  });
  // The sender is told that the rest is not wanted.
  stream.end(JSON.stringify(errorBody({ code })), () => stream.close(constants.NGHTTP2_NO_ERROR));
  return true;
}

/** Takes the header of HTTP/1.1 out of replies over HTTP/2, where it is an error. */
export function dropConnectionHeader(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply) => void (streamOf(request) && reply.removeHeader('connection')));
}

/** Tells clients over HTTP/2, when the listener closes, to ask no more on their connections. Replies under way are finished. */
export function leaveSessions(app: FastifyInstance): void {
  const sessions = new Set<ServerHttp2Session>();
  app.server.on('session', (session: ServerHttp2Session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
  });
  app.addHook('preClose', async () => {
    for (const session of sessions) session.close();
  });
}
