import type { Seen } from '#domain/seen.ts';
import { newIdempotencyKey } from '../api/idempotency-key.ts';

/** A request without a reply so far, with its idempotency key. Its retry says what was seen when it was first sent. */
export interface PendingRequest {
  /** All of it but what was seen. */
  request: string;
  key: string;
  seen?: Seen | undefined;
}

/** Returns what was seen by who decides; undefined for a request that is no decision. */
export const seenIn = (input: unknown): Seen | undefined => (input as { seen?: Seen } | null | undefined)?.seen;

/** Returns a request without what was seen. */
function unseen(input: unknown): unknown {
  if (input === null || typeof input !== 'object' || !('seen' in input)) return input;
  const { seen: _seen, ...rest } = input;
  return rest;
}

/**
 * Returns the request to send: the one before, with its key, if it asks for the same. Another one about the same record still
 * says what was seen before the first, whose reply is lost: if that one was done, the server tells it and does nothing twice.
 *
 * @param isSameRecord false where the request before may have been about another record
 */
export function requestOf(input: unknown, before: PendingRequest | undefined, isSameRecord: boolean): PendingRequest {
  const request = JSON.stringify(unseen(input));
  if (before?.request === request) return before;
  const seen = seenIn(input);
  return { request, key: newIdempotencyKey(), seen: seen && isSameRecord && before?.seen ? before.seen : seen };
}
