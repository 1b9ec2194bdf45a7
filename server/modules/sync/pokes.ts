/**
 * Pokes: "something changed in this clinic, come and pull". They carry no data, may be lost, and cross processes by
 * PostgreSQL's LISTEN/NOTIFY. A burst of writes becomes one poke, because a notifying commit takes a lock that all
 * notifying commits share.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';

const channel = 'clinic_changes';
const gatherMs = 50;
const reconnectMs = 1000;

const gathering = new WeakMap<Pool, Set<number>>();

/** Tells every process that a clinic's rows changed. Returns at once; a failure only costs the poke. */
export function publishChange(pool: Pool, clinicId: number): void {
  const waiting = gathering.get(pool);
  if (waiting) {
    waiting.add(clinicId);
    return;
  }
  const clinics = new Set([clinicId]);
  gathering.set(pool, clinics);
  setTimeout(() => {
    gathering.delete(pool);
    for (const id of clinics) pool.query('select pg_notify($1, $2)', [channel, String(id)]).catch(() => undefined);
  }, gatherMs).unref();
}

export interface Pokes {
  /** Calls back whenever the clinic changes, until the returned function is called. */
  subscribe(clinicId: number, listener: () => void): () => void;
  close(): Promise<void>;
}

/** Listens on a connection of its own and opens another when that one is lost. */
export function listenForPokes(pool: Pool): Pokes {
  const listeners = new Map<number, Set<() => void>>();
  const stop = new AbortController();
  let client: PoolClient | null = null;

  async function listen(): Promise<void> {
    while (!stop.signal.aborted) {
      try {
        client = await pool.connect();
        await client.query(`listen ${channel}`);
        await notifications(client);
      } catch {
        // The database is away; the tablets poll meanwhile.
      } finally {
        client?.release(true);
        client = null;
      }
      await delay(reconnectMs, undefined, { signal: stop.signal, ref: false }).catch(() => undefined);
    }
  }

  /** Resolves when the connection ends. */
  function notifications(connection: PoolClient): Promise<void> {
    return new Promise((resolve) => {
      connection.on('notification', ({ payload }) => listeners.get(Number(payload))?.forEach((listener) => listener()));
      connection.on('error', () => resolve());
      connection.on('end', () => resolve());
      stop.signal.addEventListener('abort', () => resolve());
    });
  }

  const listening = listen();
  return {
    subscribe(clinicId, listener) {
      const known = listeners.get(clinicId) ?? new Set();
      listeners.set(clinicId, known.add(listener));
      return () => known.delete(listener);
    },
    async close() {
      stop.abort();
      await listening;
    },
  };
}
