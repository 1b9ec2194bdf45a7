/**
 * The `Idempotency-Key` header, which every REST write takes (SYNC-3): the hook reads it on every route that writes, and
 * `writes.ts` gives it its effect.
 */
import { createHash, createHmac } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { textSchema, uuidSchema } from '../../domain/protocol/schemas.ts';
import { idempotencyHeader, replayedHeader } from '../../domain/protocol/sync.ts';

/** An operation's id, or any other text that a caller finds unique: it then stands for an id made from it (RFC 9562, version 8). */
const keySchema = textSchema(200)
  .min(1)
  .transform((key) => {
    if (uuidSchema.safeParse(key).success) return key.toLowerCase();
    const hex = createHash('sha256').update(key).digest('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  });

const keyHeaders = z.object({ [idempotencyHeader]: keySchema.optional() });

declare module 'fastify' {
  interface FastifyContextConfig {
    unkeyed?: true;
  }
}

/** The declaration of a route whose method writes, and which does no harm when it is repeated: `{ config: { ...isPublic, ...unkeyed } }`. */
export const unkeyed = { unkeyed: true } as const;

/** Lets the writing routes that are registered on `api` afterwards take the header. */
export function takeKeys(api: FastifyInstance): void {
  api.addHook('onRoute', (route) => {
    const methods = [route.method].flat();
    if (route.config?.unkeyed || methods.every((method) => ['GET', 'HEAD', 'OPTIONS'].includes(method))) return;
    route.schema = { headers: keyHeaders, ...route.schema };
  });
}

/** The key of a request that writes; undefined where none was sent. */
export const keyOf = (request: FastifyRequest): string | undefined =>
  request.headers[idempotencyHeader] as string | undefined;

/** Stands in a stored request for what must not be stored, such as a password: the same for the same, and worth nothing without the server's secret. */
export const sealed = (secret: Uint8Array, text: string): string =>
  createHmac('sha256', secret).update(`sealed\n${text}`).digest('base64url');

/** Answers with the outcome of a write of this kind, word for word as it was stored, once it is committed. */
export function sendStored(
  reply: FastifyReply,
  kind: string,
  { httpStatus, reply: text, replayed }: { httpStatus: number; reply: string; replayed: boolean },
): FastifyReply {
  reply.server.metrics.countOperation(kind, replayed ? 'replayed' : httpStatus < 300 ? 'applied' : 'refused');
  if (replayed) reply.header(replayedHeader, 'true');
  return reply.status(httpStatus).type('application/json; charset=utf-8').send(text);
}
