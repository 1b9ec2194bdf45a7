/**
 * The circuit breaker of uploads or downloads: limits when to try and how many operations to send at once (SYNC-6).
 *
 *     closed ──5 failures in a row──▶ open: after each wait, a probe of one operation
 *        ▲                              │
 *        └────── a reply ───────────────┘   the batch size then doubles with every reply
 *
 * When the server rejects a batch as a whole, the next one is half as large, down to one operation. So the operation that the
 * server can't accept is found, and the others pass.
 */
import { maxBatchOperations } from '#domain/protocol/sync.ts';
import { backoffMs, isDue } from './backoff.ts';
import type { Random } from './ports.ts';

const failuresToOpen = 5;
/** The limit of the server's `Retry-After`. */
const longestAskedWaitMs = 600_000;

export interface CircuitBreaker {
  /** Returns when the next attempt is allowed (milliseconds): now, or later. */
  opensAt(nowMs: number): number;
  /** Returns the maximum batch size. */
  limit(): number;
  /** @returns true if requests had failed before */
  answered(): boolean;
  failed(nowMs: number, retryAfterMs: number | null): void;
  rejected(size: number): void;
  /** Ends the wait because the network may be back. The batch size stays. */
  refresh(): void;
  /** Ends the wait because the server answers other requests. A wait that the server asked for stays. */
  release(): void;
}

export function createCircuitBreaker(random: Random): CircuitBreaker {
  let failures = 0;
  let waitsUntilMs = 0;
  let askedUntilMs = 0;
  let limit = maxBatchOperations;
  return {
    opensAt: (nowMs) => (isDue(waitsUntilMs, nowMs) ? nowMs : waitsUntilMs),
    limit: () => limit,
    answered: () => {
      const recovered = failures > 0;
      failures = 0;
      waitsUntilMs = 0;
      limit = Math.min(maxBatchOperations, limit * 2);
      return recovered;
    },
    failed: (nowMs, retryAfterMs) => {
      failures += 1;
      askedUntilMs = nowMs + Math.min(retryAfterMs ?? 0, longestAskedWaitMs);
      waitsUntilMs = Math.max(nowMs + backoffMs(failures, random), askedUntilMs);
      if (failures >= failuresToOpen) limit = 1;
    },
    rejected: (size) => {
      limit = Math.max(1, Math.ceil(size / 2));
    },
    refresh: () => {
      waitsUntilMs = 0;
    },
    release: () => {
      waitsUntilMs = Math.min(waitsUntilMs, askedUntilMs);
    },
  };
}
