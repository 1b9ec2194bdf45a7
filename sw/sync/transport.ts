/** One HTTP exchange with the API, reduced to what can be judged. Judging is `classify.ts`. */
import type { Net } from './ports.ts';
import { isRecord } from './wire.ts';

/** A black-holed network never answers by itself (SYNC-13). */
export const timeoutMs = 30_000;

/** @param origin where the API is; empty for the app's own origin */
export function createNet(fetch: typeof globalThis.fetch, origin = ''): Net {
  return async ({ method, path, token, body }) => {
    try {
      const response = await fetch(`${origin}/api${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        body: body ?? null,
        cache: 'no-store',
        credentials: 'omit',
        // A portal's redirect is no answer, and the token must not follow it.
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await response.text();
      return { status: response.status, json: parsed(text), retryAfterMs: retryAfter(response) };
    } catch {
      return null;
    }
  };
}

function parsed(text: string): unknown {
  try {
    const json: unknown = JSON.parse(text);
    return isRecord(json) ? json : undefined;
  } catch {
    return undefined;
  }
}

/** The header in seconds; its date form is not worth trusting the clocks for. */
function retryAfter(response: Response): number | null {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : null;
}
