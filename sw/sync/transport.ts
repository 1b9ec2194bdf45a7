/** The network port: one HTTP request to the API. `classify.ts` interprets the response. */
import type { Net } from './ports.ts';
import { isRecord } from './wire.ts';

/** A network that drops packets silently would otherwise never end a request (SYNC-13). */
export const timeoutMs = 30_000;

/** @param origin the API's origin; empty for the app's own */
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
        // A captive portal's redirect is not a reply, and must not receive the token.
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

/** Reads the header in seconds. The date form is ignored, because it depends on both clocks. */
function retryAfter(response: Response): number | null {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : null;
}
