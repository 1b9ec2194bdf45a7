/**
 * A queue of requests in which clinics are served in turn, as are the people of a clinic, each in their order. Of each clinic a few
 * are in work at once. Who is gone waits no longer.
 */
import type { Asker } from './askers.ts';

export interface Limits {
  /** What is handled at once, of all clinics, of one, and of one while others are at work too. */
  atOnce: number;
  perClinic: number;
  beside: number;
  /** What waits, of one clinic: what two hundred tablets send at once. */
  waiting: number;
}

/** The share of what waits of a clinic that may be of one person, who may work at several tablets. */
const shareOfOne = 0.4;

/** After this wait a request begins, whatever others do. */
const secondPlaceMs = 250;

/** Whose turn it is: a clinic, or the address of who has not signed in. */
export type Whose = number | string;

interface Waiting {
  who: number;
  /** Rounds begin one after the other; everybody has one request in each. */
  round: number;
  sinceMs: number;
  begin: () => void;
}

interface OfClinic {
  running: number;
  /** By round, and in each in the order of arrival. */
  waiting: Waiting[];
  /** The round of what began last. */
  round: number;
  /** The last round of each person. */
  lastOf: Map<number, number>;
}

/** Somebody of a clinic of whom nothing else is known, such as at the door. */
const somebody = 0;

export interface Asking {
  who?: number | undefined;
  /** Whose place is empty as soon as they are gone. */
  asker?: Asker | undefined;
}

/** Thrown when too much of a clinic waits, or when whoever waited is gone; the request gets a 429. */
export class TooMuchWaits extends Error {
  readonly statusCode = 429;

  constructor() {
    super('Too much of the clinic waits');
  }
}

/** What a lane has to know of what is beside it. */
export interface Others {
  /** Whether several clinics are at work. */
  areAtWork: () => boolean;
  /** Whether others than this clinic go first. */
  goFirst: (clinicId: Whose) => boolean;
}

const nobodyElse: Others = { areAtWork: () => false, goFirst: () => false };

export class ClinicTurns {
  private running = 0;
  private alarm: NodeJS.Timeout | undefined;
  private readonly clinics = new Map<Whose, OfClinic>();

  constructor(
    private readonly most: Limits,
    private readonly others: Others = nobodyElse,
    private readonly patienceMs = secondPlaceMs,
  ) {}

  /**
   * Resolves in the turn of the clinic and of a person in it to a function that gives it back; once is enough.
   *
   * @returns null when too much of the clinic or of the person waits already, or when the asker is gone before their turn
   */
  async enter(clinicId: Whose, { who = somebody, asker }: Asking = {}): Promise<(() => void) | null> {
    const clinic = this.clinics.get(clinicId) ?? { running: 0, waiting: [], round: 0, lastOf: new Map() };
    if (asker?.isGone() || !this.hasRoomFor(clinic, who)) return null;
    this.clinics.set(clinicId, clinic);
    const round = Math.max(clinic.round, (clinic.lastOf.get(who) ?? -1) + 1);
    clinic.lastOf.set(who, round);
    const begins = new Promise<boolean>((answer) => {
      const begin = () => {
        stay?.();
        answer(true);
      };
      const one = { who, round, sinceMs: performance.now(), begin };
      const stay = asker?.onGone(() => {
        this.forget(clinicId, one);
        answer(false);
      });
      const later = clinic.waiting.findIndex((each) => each.round > round);
      clinic.waiting.splice(later < 0 ? clinic.waiting.length : later, 0, one);
    });
    this.next();
    if (!(await begins)) return null;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.running -= 1;
      clinic.running -= 1;
      this.deleteIdle(clinicId, clinic);
      // What has arrived at the process meanwhile is looked at first.
      setImmediate(() => this.next());
    };
  }

  /** Forgets what waits for nobody. The next request of the person comes no later for it. */
  private forget(clinicId: Whose, gone: Waiting): void {
    const clinic = this.clinics.get(clinicId)!;
    clinic.waiting.splice(clinic.waiting.indexOf(gone), 1);
    const last = clinic.waiting.findLast(({ who }) => who === gone.who);
    clinic.lastOf.set(gone.who, last?.round ?? clinic.round);
    this.deleteIdle(clinicId, clinic);
  }

  private deleteIdle(clinicId: Whose, { running, waiting }: OfClinic): void {
    if (running === 0 && waiting.length === 0) this.clinics.delete(clinicId);
  }

  private hasRoomFor({ waiting }: OfClinic, who: number): boolean {
    const { waiting: most } = this.most;
    if (waiting.length >= most) return false;
    const mostOfOne = most * shareOfOne;
    // Seldom does so much wait that anybody is looked for.
    if (who === somebody || waiting.length < mostOfOne) return true;
    return waiting.filter((one) => one.who === who).length < mostOfOne;
  }

  /** Returns how much waits of a clinic. */
  waitingOf(clinicId: Whose): number {
    return this.clinics.get(clinicId)?.waiting.length ?? 0;
  }

  /** Returns whether another clinic than this has something in work or waiting. */
  isBusyBeside(clinicId: Whose): boolean {
    return this.clinics.size > (this.clinics.has(clinicId) ? 1 : 0);
  }

  /** Begins as much as there is room for, one request of each clinic after the other. */
  next(): void {
    const nowMs = performance.now();
    const perClinic = this.others.areAtWork() ? this.most.beside : this.most.perClinic;
    for (const [clinicId, clinic] of this.clinics) {
      if (this.running >= this.most.atOnce) return;
      const [first] = clinic.waiting;
      if (!first || clinic.running >= perClinic) continue;
      const restMs = first.sinceMs + this.patienceMs - nowMs;
      if (restMs > 0 && this.others.goFirst(clinicId)) {
        this.nextIn(restMs);
        continue;
      }
      clinic.waiting.shift();
      clinic.round = first.round;
      this.running += 1;
      clinic.running += 1;
      // Its next one comes after the other clinics.
      this.clinics.delete(clinicId);
      this.clinics.set(clinicId, clinic);
      first.begin();
    }
  }

  /** Looks again after the wait of the second place: until then perhaps nothing ends that would do so. */
  private nextIn(ms: number): void {
    this.alarm ??= setTimeout(() => {
      this.alarm = undefined;
      this.next();
    }, ms).unref();
  }
}
