/**
 * Pokes: "something changed in this clinic, come and pull". They carry no data, may be lost, and cross processes by
 * PostgreSQL's LISTEN/NOTIFY. A burst of writes becomes one poke, because a notifying commit takes a lock that all
 * notifying commits share. The tablets are told one after another, each once for all that changed since its last turn.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';

const channel = 'clinic_changes';
const gatherMs = 50;
/** Between one tablet and the next: two hundred that came to pull at once would wait for each other, and their sales with them. */
const apartMs = 20;
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
  /** Calls back when the clinic has changed, until the returned function is called. */
  subscribe(clinicId: number, listener: () => void): () => void;
  /** Nobody is called back any more from the moment of asking. */
  close(): Promise<void>;
}

/** Whom there is news for, in the order in which it came up. */
class Turns {
  private readonly due = new Set<() => void>();
  private isGoingRound = false;

  /** Whoever waits for a turn keeps it. */
  give(listeners: Iterable<() => void>): void {
    for (const listener of listeners) this.due.add(listener);
    if (!this.isGoingRound) this.next();
  }

  drop(listener: () => void): void {
    this.due.delete(listener);
  }

  dropAll(): void {
    this.due.clear();
  }

  private next(): void {
    const [first] = this.due;
    this.isGoingRound = first !== undefined;
    if (!first) return;
    this.due.delete(first);
    first();
    setTimeout(() => this.next(), apartMs).unref();
  }
}

/** Listens on a connection of its own and opens another when that one is lost. */
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
        // What was said meanwhile was said to nobody.
        for (const clinic of listeners.values()) turns.give(clinic);
        await ended;
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
