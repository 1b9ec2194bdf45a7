/**
 * Asks the server for a sign of life while it is unreachable and somebody looks at the page, so that the outbox leaves
 * within seconds of its return (SYNC-13). The engine's own retries are too far apart for that.
 */
import type { ClinicDatabase } from '../db/database.ts';
import { anySignal } from '../db/any-signal.ts';
import { syncRow } from '../db/singletons.ts';
import { calmQuery } from '../local-data/live.ts';
import { pause } from './pause.ts';

const probeMs = 2000;
/** A server that answers the probe and nothing else is asked less and less often. */
const longestPauseMs = 60_000;
const timeoutMs = 5000;

interface Probe {
  db: ClinicDatabase;
  /** Called when the server has answered. */
  onReached: () => void;
  /** Called when the engine has reached the server after an outage. */
  onOnline: () => void;
  /** Stops probing. */
  signal: AbortSignal;
}

export function probeWhileOffline({ db, onReached, onOnline, signal }: Probe): void {
  let probing: AbortController | null = null;
  let wasOffline = false;
  const stop = () => {
    probing?.abort();
    probing = null;
  };
  const unwatch = calmQuery(
    [db.sync],
    async () => (await syncRow(db)).link,
  )((link) => {
    if (link === 'online' && wasOffline) onOnline();
    wasOffline = link === 'offline';
    if (link !== 'offline') return stop();
    if (probing) return;
    probing = new AbortController();
    void probe(onReached, probing.signal);
  });
  signal.addEventListener('abort', () => {
    unwatch();
    stop();
  });
}

async function probe(onReached: () => void, signal: AbortSignal): Promise<void> {
  for (let pauseMs = probeMs; !signal.aborted;) {
    await pause([pauseMs / 2, pauseMs], signal);
    if (signal.aborted || document.visibilityState !== 'visible' || !(await isAlive(signal))) continue;
    onReached();
    pauseMs = Math.min(longestPauseMs, pauseMs * 2);
  }
}

async function isAlive(signal: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch('/api/health', {
      cache: 'no-store',
      credentials: 'omit',
      // A captive portal's redirect is not a reply.
      redirect: 'error',
      signal: anySignal([signal, AbortSignal.timeout(timeoutMs)]),
    });
    const reply = (await response.json()) as { success?: unknown };
    return response.ok && reply.success === true;
  } catch {
    return false;
  }
}
