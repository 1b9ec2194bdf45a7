/**
 * One way over the network, up or down: whether it may be tried now, and how much may be asked of it at once (SYNC-6).
 *
 *     closed ──5 failures in a row──▶ open: after each wait a probe of one operation
 *        ▲                              │
 *        └────── an answer ─────────────┘   the batch then doubles with every answer
 *
 * A batch that the server rejects as a whole halves the next one, down to a single operation, so that the one it cannot
 * take is found and the others pass.
 */
import { maxBatchOperations } from '../../domain/protocol/sync.ts';
import { backoffMs, hasCome } from './backoff.ts';
import type { Random } from './ports.ts';

const failuresToOpen = 5;
/** A server may ask for patience, but not for the day. */
const longestAskedWaitMs = 600_000;

export interface CircuitBreaker {
  /** When it may be tried (milliseconds): now, or later. */
  opensAt(nowMs: number): number;
  /** How many operations may go at once. */
  limit(): number;
  /** @returns whether the link had failed before */
  answered(): boolean;
  failed(nowMs: number, retryAfterMs: number | null): void;
  rejected(size: number): void;
  /** There is news that the network may be back: no wait, but what was learned about the batch stays. */
  refresh(): void;
}

export function createCircuitBreaker(random: Random): CircuitBreaker {
  let failures = 0;
  let waitsUntilMs = 0;
  let limit = maxBatchOperations;
  return {
    opensAt: (nowMs) => (hasCome(waitsUntilMs, nowMs) ? nowMs : waitsUntilMs),
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
      waitsUntilMs = nowMs + Math.max(backoffMs(failures, random), Math.min(retryAfterMs ?? 0, longestAskedWaitMs));
      if (failures >= failuresToOpen) limit = 1;
    },
    rejected: (size) => {
      limit = Math.max(1, Math.ceil(size / 2));
    },
    refresh: () => {
      waitsUntilMs = 0;
    },
  };
}
