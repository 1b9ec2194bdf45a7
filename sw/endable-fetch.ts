import { anySignal } from '#src/db/any-signal.ts';

/**
 * Requests of the worker that end when a new version takes its place. The browser waits for them before it starts the new
 * version, so a server that never answers would hold the update up. The new version repeats what was ended.
 */
const restMs = 10_000;

let rest = new AbortController();

/** Ends all requests, and those of the next seconds. The worker goes on afterwards if the new version did not start. */
export function endRequests(): void {
  rest.abort();
  setTimeout(() => {
    rest = new AbortController();
  }, restMs);
}

export const endableFetch: typeof fetch = (input, init) =>
  fetch(input, { ...init, signal: anySignal([rest.signal, ...(init?.signal ? [init.signal] : [])]) });
