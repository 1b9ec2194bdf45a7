/**
 * Replies on their way. What a reader has not taken waits in the memory of this process, so a reader must go on reading, and
 * nobody has more than some megabytes on the way.
 */
import { Readable } from 'node:stream';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { languageOf } from './language.ts';
import { networkOf } from './networks.ts';
import { BytesOnTheWay } from './on-the-way.ts';
import { errorBody, inLanguage, sendWait } from './refusals.ts';
import { endStream, streamOf } from './secure.ts';
import type { Patience } from './slow-clients.ts';
import { streamed } from './streamed.ts';

type ReaderPatience = Pick<Patience, 'replyMs' | 'replyBytesPerSecond' | 'lookEveryMs'>;

/** What one person, or one address without a session, may have on the way: several pages of the longest lists. */
const mostOfOne = 24_000_000;
/** Beyond this, whoever has something on the way gets no more of it. */
const mostOfAll = 128_000_000;
/** Shorter replies are not looked at: the network takes them at once. Longer ones are handed to it in parts of this size. */
const partBytes = 65_536;
const retryAfterSeconds = 5;

/** The way of a reply to its reader. */
interface Way {
  /** Whether something waits for the reader. Otherwise the process itself has nothing to send yet. */
  waits: () => boolean;
  /** Returns how many bytes the network has taken. */
  taken: () => number;
  end: () => void;
}

/** A reply of which the reader has not taken all. */
interface Unread {
  way: Way;
  /** What the network had taken at a time. */
  taken: number;
  sinceMs: number;
}

/** Looks at intervals whether readers go on. */
class Readers {
  private readonly unread = new Map<ServerResponse, Unread>();

  constructor(private readonly patience: ReaderPatience) {}

  watch(raw: ServerResponse, way: Way): void {
    this.unread.set(raw, { way, taken: way.taken(), sinceMs: performance.now() });
    raw.once('close', () => this.unread.delete(raw));
  }

  look(): void {
    const { replyMs, replyBytesPerSecond } = this.patience;
    const nowMs = performance.now();
    for (const one of this.unread.values()) {
      const taken = one.way.taken();
      const waitedMs = nowMs - one.sinceMs;
      if (one.way.waits() && waitedMs < replyMs) continue;
      if (one.way.waits() && taken - one.taken < (replyBytesPerSecond * waitedMs) / 1000) one.way.end();
      else Object.assign(one, { taken, sinceMs: nowMs });
    }
  }
}

/** Returns the way of a reply; undefined for an injected request, which has none. */
function wayOf(request: FastifyRequest): Way | undefined {
  const stream = streamOf(request);
  if (stream) {
    let parts = 0;
    stream.on('drain', () => (parts += 1));
    return {
      waits: () => stream.writableLength > 0,
      taken: () => parts * partBytes,
      end: () => void endStream(request, 'REQUEST_TOO_SLOW'),
    };
  }
  const { socket } = request.raw as { socket?: Socket };
  return (
    socket && {
      waits: () => socket.writableLength > 0,
      taken: () => socket.bytesWritten - socket.writableLength,
      end: () => void socket.destroy(),
    }
  );
}

/** Bounds what replies hold in memory, for all routes of the server. */
export function boundReplies(app: FastifyInstance, patience: ReaderPatience): void {
  const onTheWay = new BytesOnTheWay({ ofOne: mostOfOne, ofAll: mostOfAll });
  const readers = new Readers(patience);
  const timer = setInterval(() => readers.look(), patience.lookEveryMs).unref();
  app.addHook('onClose', async () => clearInterval(timer));
  // Before anything is read for a reply that there is no room for.
  app.addHook('preHandler', async (request, reply) =>
    onTheWay.hasRoomFor(readerOf(request), 1) ? undefined : sendWait(reply, retryAfterSeconds),
  );
  app.addHook('onSend', async (request, reply, payload) => {
    const watch = () => {
      const way = wayOf(request);
      if (way) readers.watch(reply.raw, way);
    };
    if (payload instanceof Readable) {
      watch();
      return payload;
    }
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload;
    const bytes = Buffer.byteLength(payload);
    if (bytes <= partBytes) return payload;
    const who = readerOf(request);
    // What a write has done is told, or it would be asked for again.
    if (isRead(request) && !onTheWay.hasRoomFor(who, bytes)) return refusal(reply);
    onTheWay.add(who, bytes);
    reply.raw.once('close', () => onTheWay.add(who, -bytes));
    watch();
    reply.header('content-length', bytes);
    return inParts(typeof payload === 'string' ? Buffer.from(payload) : payload);
  });
}

/** Returns who reads a reply, and has sent the body before it. */
export const readerOf = ({ session, ip }: FastifyRequest): string =>
  (session as typeof session | undefined) ? `${session.clinicId} ${session.userId}` : networkOf(ip);

const isRead = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD';

/** Takes the place of a reply. The headers of the route are those of what it would have sent. */
function refusal(reply: FastifyReply): string {
  const code = 'TOO_MANY_REQUESTS';
  for (const name of ['content-disposition', 'content-length', 'etag']) reply.removeHeader(name);
  void reply.status(429).type('application/json; charset=utf-8').header('retry-after', retryAfterSeconds);
  void reply.header('cache-control', 'no-store');
  return JSON.stringify(inLanguage(errorBody({ code }), languageOf(reply.request.headers)));
}

/** A reader takes the next part when the network has taken the last one. */
function inParts(bytes: Buffer): Readable {
  const parts = function* (): Generator<Buffer> {
    for (let at = 0; at < bytes.length; at += partBytes) yield bytes.subarray(at, at + partBytes);
  };
  return streamed(parts());
}
