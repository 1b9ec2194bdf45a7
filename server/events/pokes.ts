/**
 * Pokes tell tablets to pull because something changed in their clinic. They carry no data, may be lost, and cross
 * processes by PostgreSQL's LISTEN/NOTIFY. A burst of writes becomes one poke, because all notifying commits share one
 * lock. Tablets are poked one after another, each once for everything that changed since its last turn.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';

const channel = 'clinic_changes';
const gatherMs = 50;
/** The pause between two tablets. Two hundred that pull at once would wait for each other, and so would their sales. */
const betweenTabletsMs = 20;
const reconnectMs = 1000;

const gathering = new WeakMap<Pool, Set<number>>();

/** Notifies every process that a clinic's rows changed. Returns at once; a failure only loses the poke. */
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
  /** Calls the listener after each change of the clinic. Returns a function that ends the subscription. */
  subscribe(clinicId: number, listener: () => void): () => void;
  /** Ends all subscriptions at once, then the connection. */
  close(): Promise<void>;
}

/** The listeners that wait for their turn, in order of arrival. */
class Turns {
  private readonly due = new Set<() => void>();
  private isRunning = false;

  /** A listener that waits already keeps its turn. */
  give(listeners: Iterable<() => void>): void {
    for (const listener of listeners) this.due.add(listener);
    if (!this.isRunning) this.next();
  }

  drop(listener: () => void): void {
    this.due.delete(listener);
  }

  dropAll(): void {
    this.due.clear();
  }

  private next(): void {
    const [first] = this.due;
    this.isRunning = first !== undefined;
    if (!first) return;
    this.due.delete(first);
    first();
    setTimeout(() => this.next(), betweenTabletsMs).unref();
  }
}

/** Listens on a connection of its own, and opens another when that one is lost. */
export function listenForPokes(pool: Pool): Pokes {
  const listeners = new Map<number, Set<() => void>>();
  const turns = new Turns();
  const stop = new AbortController();
  let client: PoolClient | null = null;

  async function listen(): Promise<void> {
    while (!stop.signal.aborted) {
      try {
        client = await pool.connect();
        const ended = notifications(client);
        await client.query(`listen ${channel}`);
        // Notifications before the connection are lost, so every listener gets one now.
        for (const clinic of listeners.values()) turns.give(clinic);
        await ended;
      } catch {
        // The database is not available. Tablets poll meanwhile.
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
      connection.on('notification', ({ payload }) => turns.give(listeners.get(Number(payload)) ?? []));
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
      return () => {
        known.delete(listener);
        turns.drop(listener);
      };
    },
    async close() {
      stop.abort();
      listeners.clear();
      turns.dropAll();
      await listening;
    },
  };
}
