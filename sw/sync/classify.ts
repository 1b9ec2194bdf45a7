/**
 * Classifies replies (SYNC-6). Only status codes and the body's shape count, never message texts.
 *
 * | reply                                                      | outcome      | consequence                         |
 * |------------------------------------------------------------|--------------|-------------------------------------|
 * | 2xx in the expected shape                                  | answer       | each operation by its own result    |
 * | none, a timeout, 408, 425, 429, 5xx, or not the API's JSON | unreachable  | retry with backoff                  |
 * | the API's 401 or 403                                       | unauthorised | sync pauses until a sign-in         |
 * | any other 4xx of the API, and any 413                      | rejected     | the batch is halved, down to one    |
 * |                                                            |              | operation; an unknown cursor starts |
 * |                                                            |              | the feed from the beginning         |
 */
import type { OperationState } from '#src/db/database.ts';
import type { NetResponse } from './ports.ts';
import { readError } from './wire.ts';

export type LastError = NonNullable<OperationState['last_error']>;

export type CallOutcome<T> =
  | { type: 'answer'; data: T }
  | { type: 'unreachable'; error: LastError; retryAfterMs: number | null }
  | { type: 'unauthorised' }
  | { type: 'rejected'; error: LastError };

const retryable = new Set([408, 425, 429]);

export function classify<T>(answer: NetResponse, read: (json: unknown) => T | null): CallOutcome<T> {
  if (!answer) return unreachable('No reply', null);
  const { status, json, retryAfterMs } = answer;
  if (status >= 200 && status < 300) {
    const data = read(json);
    return data === null ? unreachable(`Not the API: HTTP ${status}`, null) : { type: 'answer', data };
  }
  const error = readError(json);
  if (status === 413) return { type: 'rejected', error: error ?? { code: 'BODY_TOO_LARGE', message: 'HTTP 413' } };
  if (!error || status < 400 || status >= 500 || retryable.has(status))
    return unreachable(`HTTP ${status}`, retryAfterMs);
  if (status === 401 || status === 403) return { type: 'unauthorised' };
  return { type: 'rejected', error };
}

function unreachable(message: string, retryAfterMs: number | null): CallOutcome<never> {
  return { type: 'unreachable', error: { code: 'NETWORK', message }, retryAfterMs };
}
