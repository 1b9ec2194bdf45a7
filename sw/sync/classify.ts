/**
 * What an answer means, decided here and nowhere else (SYNC-6). Only codes and shapes count, never the text.
 *
 * | answer                                                     | outcome      | what follows                        |
 * |------------------------------------------------------------|--------------|-------------------------------------|
 * | 2xx in the expected shape                                  | answer       | each operation by its own result    |
 * | nothing, a timeout, 408, 425, 429, 5xx, or not our JSON    | unreachable  | all again, with backoff             |
 * | our 401, 403                                               | unauthorised | everything waits for a sign-in      |
 * | any other 4xx of ours, and every 413                       | rejected     | a batch is halved, down to one; the |
 * |                                                            |              | feed starts over if its cursor is   |
 * |                                                            |              | gone                                |
 */
import type { OperationState } from '../../src/db/database.ts';
import type { NetResponse } from './ports.ts';
import { readError } from './wire.ts';

export type LastError = NonNullable<OperationState['last_error']>;

export type CallOutcome<T> =
  | { type: 'answer'; data: T }
  | { type: 'unreachable'; error: LastError; retryAfterMs: number | null }
  | { type: 'unauthorised' }
  | { type: 'rejected'; error: LastError };

const passing = new Set([408, 425, 429]);

export function classify<T>(answer: NetResponse, read: (json: unknown) => T | null): CallOutcome<T> {
  if (!answer) return unreachable('No answer', null);
  const { status, json, retryAfterMs } = answer;
  if (status >= 200 && status < 300) {
    const data = read(json);
    return data === null ? unreachable(`Not the API: HTTP ${status}`, null) : { type: 'answer', data };
  }
  const error = readError(json);
  if (status === 413) return { type: 'rejected', error: error ?? { code: 'BODY_TOO_LARGE', message: 'HTTP 413' } };
  if (!error || status < 400 || status >= 500 || passing.has(status))
    return unreachable(`HTTP ${status}`, retryAfterMs);
  if (status === 401 || status === 403) return { type: 'unauthorised' };
  return { type: 'rejected', error };
}

function unreachable(message: string, retryAfterMs: number | null): CallOutcome<never> {
  return { type: 'unreachable', error: { code: 'NETWORK', message }, retryAfterMs };
}
