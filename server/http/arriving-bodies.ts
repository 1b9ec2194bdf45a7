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
/** The beginning of each body, which is not counted: most bodies have no more. */
const freeBytes = 65_536;

/** Thrown when somebody sends too much at once; the request gets a 429. */
class TooMuchArrives extends Error {
  readonly statusCode = 429;
}

/** Thrown when the sender is gone before the body has ended. Nobody reads the reply, and it is no fault of the server. */
class BodyLost extends Error {
  readonly statusCode = 400;
}

export class ArrivingBodies {
  private readonly onTheWay = new BytesOnTheWay(most);
  private readonly counted = new WeakMap<FastifyRequest, number>();

  /** Forgets a body when its reply ends. */
  forget(request: FastifyRequest, reply: FastifyReply): void {
    reply.raw.once('close', () => {
      const bytes = this.counted.get(request);
      this.counted.delete(request);
      if (bytes) this.onTheWay.add(readerOf(request), -bytes);
    });
  }

  /** Reads a body to its end. What is left of one that is refused stays in its stream. */
  read(request: FastifyRequest, payload: Readable): Promise<string> {
    const limit = request.routeOptions.bodyLimit ?? 0;
    if (Number(request.headers['content-length'] ?? 0) > limit)
      return Promise.reject(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
    return new Promise((resolve, reject) => {
      const parts: Buffer[] = [];
      let bytes = 0;
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
        if (bytes > limit) refuse(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
        else if (!this.hasRoom(request, bytes - freeBytes)) refuse(new TooMuchArrives('Too much arrives at once'));
        else parts.push(part);
      };
      payload.on('data', take).on('end', end).on('error', lose).on('close', lose);
    });
  }

  private hasRoom(request: FastifyRequest, bytes: number): boolean {
    if (bytes <= 0) return true;
    const counted = this.counted.get(request) ?? 0;
    const who = readerOf(request);
    if (request.raw.destroyed || !this.onTheWay.hasRoomFor(who, bytes - counted, counted)) return false;
    this.onTheWay.add(who, bytes - counted);
    this.counted.set(request, bytes);
    return true;
  }
}
