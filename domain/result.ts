import type { RefusalCode } from './protocol/errors.ts';

/** An expected refusal: a code of the closed set, with the values of its message, or of what it found. */
export interface Refusal {
  code: RefusalCode;
  details?: Readonly<Record<string, unknown>>;
}

/** The result of a decision: a value or a refusal. Decisions never throw. */
export type Result<T> = { ok: true; value: T } | { ok: false; refusal: Refusal };

export const accept = <T>(value: T): Result<T> => ({ ok: true, value });

export function refuse(code: RefusalCode, details?: Refusal['details']): { ok: false; refusal: Refusal } {
  return { ok: false, refusal: details ? { code, details } : { code } };
}
