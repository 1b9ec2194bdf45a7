/** Tells a reply that the API may give from one that shows a fault: a 5xx, something of the inside, another form. */
import { errorCatalogue } from '#domain/protocol/errors.ts';
import type { ErrorCode } from '#domain/protocol/errors.ts';
import { projectRoot } from '#server/project-root.ts';

const ofTheInside = [/\n\s+at /, /node_modules/, new RegExp(projectRoot), /\bnode:/];
const ofTheDatabase = [
  /\bselect\b.+\bfrom\b/i,
  /\binsert into\b/i,
  /violates|relation "|column "|operator does not exist|invalid input syntax/,
  /\bpg_/,
];

/** Returns what is wrong with a reply, whatever the request was, or null. */
export function faultIn({ status, type, body }: { status: number; type: string; body: string }): string | null {
  if (status >= 500) return 'a 5xx';
  // Where a single call would fail, a batch keeps the operation waiting.
  if (body.includes('TRY_AGAIN')) return 'a fault within a batch';
  if (ofTheInside.some((sign) => sign.test(body))) return 'something of the inside';
  if (status < 400) return type.startsWith('application/json') && !isJson(body) ? 'no JSON' : null;
  if (ofTheDatabase.some((sign) => sign.test(body))) return 'something of the database';
  if (!isJson(body)) return 'an error that is no JSON';
  const { success, code, message, details, ...rest } = JSON.parse(body) as {
    success: boolean;
    code: ErrorCode;
    message: string;
    details?: object;
  };
  const isOurs =
    !success &&
    code in errorCatalogue &&
    // An invalid request repeats what is wrong with it.
    (errorCatalogue[code].message === message || (code === 'VALIDATION' && message !== '')) &&
    Object.keys(rest).length === 0 &&
    (details === undefined || typeof details === 'object');
  return isOurs && errorCatalogue[code].status === status ? null : 'another body than an error has';
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
