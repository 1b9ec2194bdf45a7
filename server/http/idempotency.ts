/**
 * The `Idempotency-Key` header, which every REST write accepts (SYNC-3). A hook adds it to every writing route;
 * `operations/rest-writes.ts` implements it.
 */
import { createHash, createHmac } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { textSchema, uuidSchema } from '#domain/wire/schemas.ts';
import { idempotencyHeader, replayedHeader } from '#domain/protocol/sync.ts';
import { languageOf } from './language.ts';
import { inLanguage } from './refusals.ts';
import type { ErrorBody } from './refusals.ts';

/** A UUID, or any other text that is unique for the caller, from which a UUID is derived. */
const keySchema = textSchema(200)
  .min(1)
  .transform((key) => (uuidSchema.safeParse(key).success ? key.toLowerCase() : uuidOf(key)));

/** Returns a UUID that is derived from a text (RFC 9562, version 8). */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const keyHeaders = z.object({ [idempotencyHeader]: keySchema.optional() });

declare module 'fastify' {
  interface FastifyContextConfig {
    unkeyed?: true;
  }
  interface FastifyRequest {
    /** Set when the write was refused, by whatever status, and its receipt is new. */
    leavesRefusal?: true;
  }
}

/**
 * Declares that a writing route takes no key, because a repetition does no harm: `{ config: { ...isPublic, ...unkeyed }
 * }`.
 */
export const unkeyed = { unkeyed: true } as const;

/** Adds the header to the writing routes that are registered on `api` afterwards. */
export function acceptKeys(api: FastifyInstance): void {
  api.addHook('onRoute', (route) => {
    const methods = [route.method].flat();
    if (route.config?.unkeyed || methods.every((method) => ['GET', 'HEAD', 'OPTIONS'].includes(method))) return;
    route.schema = { headers: keyHeaders, ...route.schema };
  });
}

/** Returns the idempotency key of a writing request; undefined when none was sent. */
const keyOf = (request: FastifyRequest): string | undefined => request.headers[idempotencyHeader] as string | undefined;

/**
 * Returns the id under which the receipt of a writing request is stored; undefined without a key. Keys of each person and each
 * route are a space of their own, so no key takes the id of an operation that has not arrived.
 */
export function receiptIdOf(request: FastifyRequest): string | undefined {
  const key = keyOf(request);
  const { method, routeOptions, session } = request;
  return key && uuidOf(`${session.clinicId} ${session.userId} ${method} ${routeOptions.url} ${key}`);
}

/**
 * Returns a keyed hash to store in place of a secret, such as a password: equal for equal texts, and useless without
 * the server's secret.
 */
export const keyedHash = (secret: Uint8Array, text: string): string =>
  createHmac('sha256', secret).update(`sealed\n${text}`).digest('base64url');

/** Sends the reply of a write exactly as it was stored, a refusal in the reader's language. Call it after the commit. */
export function sendStored(
  reply: FastifyReply,
  kind: string,
  {
    httpStatus,
    reply: text,
    replayed,
    leavesReceipt = true,
  }: { httpStatus: number; reply: string; replayed: boolean; leavesReceipt?: boolean },
): FastifyReply {
  reply.server.metrics.countOperation(kind, replayed ? 'replayed' : httpStatus < 300 ? 'applied' : 'refused');
  if (replayed) reply.header(replayedHeader, 'true');
  else if (httpStatus >= 400 && leavesReceipt && keyOf(reply.request)) reply.request.leavesRefusal = true;
  const language = languageOf(reply.request.headers);
  const inWords =
    httpStatus >= 400 && language !== 'en' ? JSON.stringify(inLanguage(JSON.parse(text) as ErrorBody, language)) : text;
  return reply.status(httpStatus).type('application/json; charset=utf-8').send(inWords);
}
