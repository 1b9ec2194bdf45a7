/**
 * TLS of the server itself: HTTP/2 with HTTP/1.1 for clients that know no other. Over HTTP/1.1 a browser opens six connections to a
 * server, and each event stream holds one; over HTTP/2 they share a connection.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { constants, createSecureServer } from 'node:http2';
import type { Http2Session, ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import type { ServerOptions } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { errorCatalogue } from '#domain/protocol/errors.ts';
import type { ErrorCode } from '#domain/protocol/errors.ts';
import { beginInTurn } from './few-at-once.ts';
import { errorBody } from './refusals.ts';
import { Resets } from './resets.ts';

/** More than a browser with many tabs needs at once. */
const settings = { maxConcurrentStreams: 128 };
/** Megabytes that wait to be sent on one connection, above which it takes no further request. */
const maxSessionMemory = 50;

/** The framework's own, for both kinds of connections on which nothing happens. */
const keepAliveTimeout = 72_000;
/** How long somebody who is asked to leave has for it. */
const goodbyeMs = 1000;

type Handle = (request: IncomingMessage, reply: ServerResponse) => void;

/** The connections of HTTP/2. */
const sockets = new WeakMap<Http2Session, TLSSocket>();

function sendAway(session: Http2Session): void {
  session.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM);
  session.close();
  // A peer that does not go keeps the connection otherwise, whatever is done to the session.
  setTimeout(() => sockets.get(session)?.destroy(), goodbyeMs).unref();
}

/** Ends the connection of a request when its reply has been sent. */
export function endAfterReply(request: FastifyRequest, reply: FastifyReply): void {
  const session = streamOf(request)?.session;
  if (!session) void reply.header('connection', 'close');
  else if (!session.closed) reply.raw.once('close', () => session.destroyed || sendAway(session));
}

/** Makes requests to a server without TLS, which has HTTP/1.1 alone, begin in the turn of their connection. */
export function takeInTurn(server: Server): void {
  const handlers = server.listeners('request') as Handle[];
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, reply: ServerResponse) =>
    beginInTurn(request.socket, () => handlers.forEach((handle) => handle(request, reply))),
  );
}

/**
 * Returns the options of a server with TLS. Requests and replies of HTTP/2 have the interface of HTTP/1.1, so the rest of the program
 * has its types. A request that was taken back when it is looked at does not reach the program.
 *
 * @param limits for connections over HTTP/1.1
 */
export const secureOptions = (tls: Pick<ServerOptions, 'cert' | 'key'>, limits: object) => ({
  serverFactory(handle: Handle): Server {
    const resets = new Resets(sendAway);
    let newest: TLSSocket | undefined;
    const server = createSecureServer(
      { ...tls, allowHTTP1: true, settings, maxSessionMemory },
      (request: unknown, reply: unknown) => {
        const { stream } = request as { stream?: ServerHttp2Stream };
        const begin = () => handle(request as IncomingMessage, reply as ServerResponse);
        if (!stream) return beginInTurn((request as IncomingMessage).socket, begin);
        resets.watch(stream);
        const { session } = stream;
        const connection = session && sockets.get(session);
        const unlessTakenBack = () => stream.destroyed || stream.aborted || begin();
        // What has arrived behind it may take it back.
        setImmediate(() => (connection ? beginInTurn(connection, unlessTakenBack) : unlessTakenBack()));
      },
    );
    server.prependListener('secureConnection', (socket) => (newest = socket));
    server.on('session', (session) => {
      if (newest) sockets.set(session, newest);
      session.setTimeout(keepAliveTimeout, () => session.close());
    });
    return Object.assign(server, limits, { keepAliveTimeout }) as unknown as Server;
  },
});

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
