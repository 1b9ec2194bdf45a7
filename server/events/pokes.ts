/**
 * Pokes tell tablets to pull because something changed in their clinic. They carry no data, may be lost, and cross
 * processes by PostgreSQL's LISTEN/NOTIFY. A burst of writes becomes one poke, because all notifying commits share one
 * lock. The tablets of a clinic are poked one after another, each once for everything that changed since its last turn.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { Pool } from 'pg';

/** The channel of changed clinics, by id. */
export const changeChannel = 'clinic_changes';
const gatherMs = 50;
/** The pause between two tablets of a clinic. Two hundred that pull at once would wait for each other, and so would their sales. */
const betweenTabletsMs = 20;
/** The tablets poked before other work of the process gets its turn. */
const pokesInOneGo = 20;

/** The changed clinics, each with the one device that needs no poke. */
const gathering = new WeakMap<Pool, Map<number, number | null>>();

/**
 * Notifies every process that a clinic's rows changed. Returns at once; a failure only loses the poke.
 *
 * @param informed the device that already has the change; null for none
 */
export function publishChange(pool: Pool, clinicId: number, informed: number | null = null): void {
  const waiting = gathering.get(pool);
  if (waiting) {
    // A device knows its own changes only.
    waiting.set(clinicId, !waiting.has(clinicId) || waiting.get(clinicId) === informed ? informed : null);
    return;
  }
  const clinics = new Map([[clinicId, informed]]);
  gathering.set(pool, clinics);
  setTimeout(() => {
    gathering.delete(pool);
    for (const [id, device] of clinics)
      pool.query('select pg_notify($1, $2)', [changeChannel, changeText(id, device)]).catch(() => undefined);
  }, gatherMs).unref();
}

const changeText = (clinicId: number, informed: number | null): string =>
  informed === null ? `${clinicId}` : `${clinicId} ${informed}`;

/** Reads the payload of a notification. */
export function readChange(payload: string): { clinicId: number; informed: number | null } {
  const [clinicId, informed = null] = payload.split(' ').map(Number);
  return { clinicId: clinicId!, informed };
}

interface Tablet {
  /** Null before the device has enrolled. */
  deviceId: number | null;
  poke: () => void;
}

/**
 * The tablets of this process, by clinic. Each round pokes one tablet of every clinic that changed and has rested, so a
 * clinic waits for its own tablets only, however many another has.
 */
export class Pokes {
  private readonly tablets = new Map<number, Set<Tablet>>();
  /** The tablets that wait for their turn, in order of arrival. */
  private readonly due = new Map<number, Set<Tablet>>();
  /** When a tablet of a clinic was poked last, by the monotonic clock, while that clinic rests. */
  private readonly pokedAt = new Map<number, number>();
  private isRunning = false;
  private nextRound: NodeJS.Timeout | undefined;

  /** Calls `poke` after each change of the clinic. Returns a function that ends the subscription. */
  subscribe(clinicId: number, poke: () => void, deviceId: number | null = null): () => void {
    const tablet = { deviceId, poke };
    entryOf(this.tablets, clinicId).add(tablet);
    return () => {
      take(this.tablets, clinicId, tablet);
      take(this.due, clinicId, tablet);
    };
  }

  /** Gives each tablet of the clinic a turn, except an informed one. One that waits already keeps its turn. */
  announce({ clinicId, informed = null }: { clinicId: number; informed?: number | null }): void {
    for (const tablet of this.tablets.get(clinicId) ?? [])
      if (informed === null || tablet.deviceId !== informed) entryOf(this.due, clinicId).add(tablet);
    this.runRound();
  }

  announceAll(): void {
    for (const clinicId of this.tablets.keys()) this.announce({ clinicId });
  }

  /** Ends all subscriptions. */
  clear(): void {
    this.tablets.clear();
    this.due.clear();
  }

  private runRound(): void {
    if (this.isRunning || this.due.size === 0) return;
    this.isRunning = true;
    clearTimeout(this.nextRound);
    void this.round().then(() => {
      this.isRunning = false;
      this.nextRound = setTimeout(() => this.runRound(), this.restMs()).unref();
    });
  }

  /** Pokes one tablet of each clinic that has rested. */
  private async round(): Promise<void> {
    let poked = 0;
    // A clinic that changes meanwhile belongs to the next round.
    const clinics = [...this.due.keys()];
    for (const clinicId of clinics) {
      const [first] = this.due.get(clinicId) ?? [];
      if (!first || this.restOf(clinicId) > 0) continue;
      take(this.due, clinicId, first);
      this.pokedAt.set(clinicId, performance.now());
      first.poke();
      poked += 1;
      if (poked % pokesInOneGo === 0) await turn();
    }
  }

  /** Returns how long a clinic rests before its next tablet is poked, in milliseconds. */
  private restOf(clinicId: number): number {
    return (this.pokedAt.get(clinicId) ?? -betweenTabletsMs) + betweenTabletsMs - performance.now();
  }

  /** Returns the time until the first clinic with tablets to poke has rested; forgets those that have rested. */
  private restMs(): number {
    for (const clinicId of this.pokedAt.keys()) if (this.restOf(clinicId) <= 0) this.pokedAt.delete(clinicId);
    return Math.max(0, Math.min(betweenTabletsMs, ...[...this.due.keys()].map((clinicId) => this.restOf(clinicId))));
  }
}

function entryOf(map: Map<number, Set<Tablet>>, clinicId: number): Set<Tablet> {
  const known = map.get(clinicId) ?? new Set();
  map.set(clinicId, known);
  return known;
}

/** Removes a listener, and its clinic with the last one. */
function take(map: Map<number, Set<Tablet>>, clinicId: number, tablet: Tablet): void {
  const known = map.get(clinicId);
  known?.delete(tablet);
  if (known?.size === 0) map.delete(clinicId);
}
