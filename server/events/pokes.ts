/**
 * Pokes tell tablets to pull because something changed in their clinic. They carry no data, may be lost, and cross
 * processes by PostgreSQL's LISTEN/NOTIFY. A burst of writes becomes one poke, because all notifying commits share one
 * lock. The tablets of a clinic are poked one after another, each once for everything that changed since its last turn.
 */
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';

/** The channel of changed clinics, by id. */
export const changeChannel = 'clinic_changes';
const gatherMs = 50;
/** The pause between two tablets of a clinic. Two hundred that pull at once would wait for each other, and so would their sales. */
const betweenTabletsMs = 20;
/** The tablets poked before other work of the process gets its turn. */
const pokesInOneGo = 20;

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
    for (const id of clinics)
      pool.query('select pg_notify($1, $2)', [changeChannel, String(id)]).catch(() => undefined);
  }, gatherMs).unref();
}

type Poke = () => void;

/**
 * The tablets of this process, by clinic. Each round pokes one tablet of every clinic that changed, so a clinic waits
 * for its own tablets only, however many another has.
 */
export class Pokes {
  private readonly tablets = new Map<number, Set<Poke>>();
  /** The tablets that wait for their turn, in order of arrival. */
  private readonly due = new Map<number, Set<Poke>>();
  private isRunning = false;

  /** Calls the listener after each change of the clinic. Returns a function that ends the subscription. */
  subscribe(clinicId: number, listener: Poke): () => void {
    entryOf(this.tablets, clinicId).add(listener);
    return () => {
      take(this.tablets, clinicId, listener);
      take(this.due, clinicId, listener);
    };
  }

  /** Gives each tablet of the clinic a turn. One that waits already keeps its turn. */
  announce(clinicId: number): void {
    for (const listener of this.tablets.get(clinicId) ?? []) entryOf(this.due, clinicId).add(listener);
    if (this.isRunning || this.due.size === 0) return;
    this.isRunning = true;
    void this.rounds();
  }

  announceAll(): void {
    for (const clinicId of this.tablets.keys()) this.announce(clinicId);
  }

  /** Ends all subscriptions. */
  clear(): void {
    this.tablets.clear();
    this.due.clear();
  }

  private async rounds(): Promise<void> {
    while (this.due.size > 0) {
      await this.round();
      await delay(betweenTabletsMs, undefined, { ref: false });
    }
    this.isRunning = false;
  }

  private async round(): Promise<void> {
    let poked = 0;
    // A clinic that changes meanwhile belongs to the next round.
    const clinics = [...this.due.keys()];
    for (const clinicId of clinics) {
      const [first] = this.due.get(clinicId) ?? [];
      if (!first) continue;
      take(this.due, clinicId, first);
      first();
      poked += 1;
      if (poked % pokesInOneGo === 0) await turn();
    }
  }
}

function entryOf(map: Map<number, Set<Poke>>, clinicId: number): Set<Poke> {
  const known = map.get(clinicId) ?? new Set();
  map.set(clinicId, known);
  return known;
}

/** Removes a listener, and its clinic with the last one. */
function take(map: Map<number, Set<Poke>>, clinicId: number, listener: Poke): void {
  const known = map.get(clinicId);
  known?.delete(listener);
  if (known?.size === 0) map.delete(clinicId);
}
