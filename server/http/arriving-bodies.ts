/**
 * Bodies on their way. What has come of a body waits in the memory of this process for its end and its turn, so nobody has more
 * than some megabytes of them, besides one body of any length.
 */
import { errorCodes } from 'fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import { BytesOnTheWay } from './on-the-way.ts';
import { readerOf } from './replies.ts';

/** What one person may send at once: batches of 256 KiB from two hundred tablets. Whoever sends something gets 192 MB in all. */
const most = { ofOne: 48_000_000, ofAll: 192_000_000 };
/** The beginning of each body has room of its own, so that long bodies leave room for the short ones, which most are. */
const beginning = 65_536;
const mostBeginnings = { ofOne: 16_000_000, ofAll: 64_000_000 };
/** What a part of a body takes in memory besides its bytes: a body may come in parts of one byte. */
const partBytes = 128;

/** Thrown when somebody sends too much at once; the request gets a 429. */
class TooMuchArrives extends Error {
  readonly statusCode = 429;
}

/** Thrown when the sender is gone before the body has ended. Nobody reads the reply, and it is no fault of the server. */
class BodyLost extends Error {
  readonly statusCode = 400;
}

export class ArrivingBodies {
  private readonly beginnings = new Held(mostBeginnings);
  private readonly rest = new Held(most);

  /** Forgets a body when its reply ends. */
  forget(request: FastifyRequest, reply: FastifyReply): void {
    reply.raw.once('close', () => {
      this.beginnings.forget(request);
      this.rest.forget(request);
    });
  }

  /** Reads a body to its end. What is left of one that is refused stays in its stream. */
  read(request: FastifyRequest, payload: Readable): Promise<string> {
    const limit = request.routeOptions.bodyLimit ?? 0;
    if (Number(request.headers['content-length'] ?? 0) > limit)
      return Promise.reject(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
    // Who has gone before is heard no more.
    if (payload.destroyed) return Promise.reject(new BodyLost('The body has no end'));
    return new Promise((resolve, reject) => {
      const parts: Buffer[] = [];
      let bytes = 0;
      let held = 0;
      const stop = () => payload.off('data', take).off('end', end).off('error', lose).off('close', lose);
      const refuse = (fault: Error) => {
        stop();
        reject(fault);
      };
      const lose = () => refuse(new BodyLost('The body has no end'));
      const end = () => {
        stop();
        resolve(Buffer.concat(parts).toString());
      };
      const take = (part: Buffer) => {
        bytes += part.length;
        held += part.length + partBytes;
        if (bytes > limit) refuse(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
        else if (!this.hasRoom(request, held)) refuse(new TooMuchArrives('Too much arrives at once'));
        else parts.push(part);
      };
      payload.on('data', take).on('end', end).on('error', lose).on('close', lose);
    });
  }

  private hasRoom(request: FastifyRequest, bytes: number): boolean {
    if (request.raw.destroyed) return false;
    return this.beginnings.take(request, Math.min(bytes, beginning)) && this.rest.take(request, bytes - beginning);
  }
}

/** Bytes of bodies, by request. */
class Held {
  private readonly onTheWay: BytesOnTheWay;
  private readonly counted = new WeakMap<FastifyRequest, number>();

  constructor(limits: typeof most) {
    this.onTheWay = new BytesOnTheWay(limits);
  }

  /** Counts what a request has sent by now. @returns false if there is no room for it */
  take(request: FastifyRequest, bytes: number): boolean {
    const counted = this.counted.get(request) ?? 0;
    if (bytes <= counted) return true;
    const who = readerOf(request);
    if (!this.onTheWay.hasRoomFor(who, bytes - counted, counted)) return false;
    this.onTheWay.add(who, bytes - counted);
    this.counted.set(request, bytes);
    return true;
  }

  forget(request: FastifyRequest): void {
    const bytes = this.counted.get(request);
    this.counted.delete(request);
    if (bytes) this.onTheWay.add(readerOf(request), -bytes);
  }
}
