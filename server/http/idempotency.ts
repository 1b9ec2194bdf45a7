/** The `Idempotency-Key` header, which every REST write takes (SYNC-3). */
import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { textSchema, uuidSchema } from '../../domain/protocol/schemas.ts';
import { idempotencyHeader, replayedHeader } from '../../domain/protocol/sync.ts';

/** An operation's id, or any other text that a caller finds unique: it then stands for an id made from it (RFC 9562, version 8). */
const keySchema = textSchema(200).min(1).transform((key) => {
  if (uuidSchema.safeParse(key).success) return key.toLowerCase();
  const hex = createHash('sha256').update(key).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
});

export const keyHeaders = z.object({ [idempotencyHeader]: keySchema.optional() });

/** Answers with the outcome of a write under a key, word for word as it was stored. */
export function sendStored(reply: FastifyReply, { httpStatus, reply: text, replayed }: { httpStatus: number; reply: string; replayed: boolean }): FastifyReply {
  if (replayed) reply.header(replayedHeader, 'true');
  return reply.status(httpStatus).type('application/json; charset=utf-8').send(text);
}
