/**
 * Decides whose turn it is. A few requests of each clinic are in work at once; its others wait for them, and clinics
 * that wait are served in turn, as are the people of a clinic. So who floods the server makes nobody wait but themselves.
 *
 * Each request passes two places. At the door its session is read, and it may be turned away for its budget; nothing of its
 * body is read before. Then it waits in its lane: what has come of its body is parsed only in its turn. Sales, pulls and
 * everything else have lanes of their own, so a sale waits neither for two hundred tablets that pull at once nor for a report,
 * and a report not for an import. Everything else has the second place: it begins while no other clinic has a sale or a pull
 * in work. Who waits for somebody outside has no turn.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { beginUrgent } from '../turns.ts';
import { sendRefusal } from './refusals.ts';
import { goOnWith } from './watchdog.ts';

declare module 'fastify' {
  interface FastifyInstance {
    turns: RequestTurns;
  }
  interface FastifyContextConfig {
    /** True for a route whose work is long and can wait, such as an import. */
    canWait?: true;
    /** True for a route that bounds itself what it does at once. */
    boundsItself?: true;
  }
}

/** Declares long work that nobody at the counter waits for. */
export const canWait = { canWait: true } as const;
/** Declares that a route bounds itself what it does at once. */
export const boundsItself = { boundsItself: true } as const;

interface Limits {
  /** What is handled at once, of all clinics, of one, and of one while others are at work too. */
  atOnce: number;
  perClinic: number;
  beside: number;
  /** What waits, of one clinic: what two hundred tablets send at once. */
  waiting: number;
}

/** The share of what waits of a clinic that may be of one person, who may work at several tablets. */
const shareOfOne = 0.4;

/** Thrown when too much of a clinic waits; the request gets a 429. */
export class TooMuchWaits extends Error {
  readonly statusCode = 429;

  constructor() {
    super('Too much of the clinic waits');
  }
}

/** Together they take fewer connections than the pool has, so sign-ins and jobs find one. */
const limits = {
  // Nothing of a body is held here, so a thousand tablets may open their streams at once.
  door: { atOnce: 4, perClinic: 3, beside: 2, waiting: 1000 },
  // One transaction that waits for a lock must not hold its whole clinic.
  sales: { atOnce: 4, perClinic: 3, beside: 3, waiting: 250 },
  pulls: { atOnce: 3, perClinic: 2, beside: 2, waiting: 250 },
  others: { atOnce: 2, perClinic: 2, beside: 1, waiting: 250 },
  long: { atOnce: 1, perClinic: 1, beside: 1, waiting: 20 },
  // Somebody outside may be silent for ten seconds and more, and what comes may be a file of ten megabytes.
  outside: { atOnce: 6, perClinic: 2, beside: 2, waiting: 8 },
  // By address, which all tablets of a clinic may share: a new build is eighty files for each of two hundred.
  everybody: { atOnce: 4, perClinic: 3, beside: 3, waiting: 5000 },
} satisfies Record<string, Limits>;
type Lane = Exclude<keyof typeof limits, 'door' | 'outside' | 'everybody'>;

/** A clinic that has asked for something since then counts as one at work. */
const atWorkMs = 10_000;
/** After this wait a request begins, whatever others do. */
const secondPlaceMs = 250;
/** The same for who has not signed in: longer than three hundred of them wait for each other. */
const lastPlaceMs = 500;

/** More of one address than a tablet asks for at once. */
const crowd = 100;
/** How long each place of a crowd is kept at least, so that a flood of short requests takes a small share of the process. */
const crowdedPlaceMs = 10;

/** Whose turn it is: a clinic, or the address of who has not signed in. */
type Whose = number | string;

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

/** Who asks at the door is not known yet. */
const somebody = 0;

/** What a lane has to know of what is beside it. */
interface Others {
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
   * @returns null when too much of the clinic or of the person waits already
   */
  async enter(clinicId: Whose, who = somebody): Promise<(() => void) | null> {
    const clinic = this.clinics.get(clinicId) ?? { running: 0, waiting: [], round: 0, lastOf: new Map() };
    if (!this.hasRoomFor(clinic, who)) return null;
    this.clinics.set(clinicId, clinic);
    const round = Math.max(clinic.round, (clinic.lastOf.get(who) ?? -1) + 1);
    clinic.lastOf.set(who, round);
    const turn = new Promise<void>((begin) => {
      const later = clinic.waiting.findIndex((one) => one.round > round);
      const place = later < 0 ? clinic.waiting.length : later;
      clinic.waiting.splice(place, 0, { who, round, sinceMs: performance.now(), begin });
    });
    this.next();
    await turn;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.running -= 1;
      clinic.running -= 1;
      if (clinic.running === 0 && clinic.waiting.length === 0) this.clinics.delete(clinicId);
      // What has arrived at the process meanwhile is looked at first.
      setImmediate(() => this.next());
    };
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

/** A batch and every other write is a sale: somebody waits for it. */
function laneOf({ routeOptions: { config }, method }: FastifyRequest): Lane | null {
  const { action, canWait: isLong, boundsItself: isBounded, endless } = config;
  if (!action || isBounded || endless) return null;
  if (isLong) return 'long';
  if (action === 'sync.use') return method === 'GET' ? 'pulls' : 'sales';
  return /\.(read|export)$/.test(action) ? 'others' : 'sales';
}

/** The turns of all requests of a process. */
export class RequestTurns {
  /** When each clinic asked last, if it counts as at work. */
  private readonly askedAt = new Map<number, number>();
  private readonly beside: Others = { areAtWork: () => this.clinicsAtWork() > 1, goFirst: () => false };
  private readonly door = new ClinicTurns(limits.door, this.beside);
  private readonly sales = new ClinicTurns(limits.sales, this.beside);
  private readonly pulls = new ClinicTurns(limits.pulls, this.beside);
  private readonly behind: Others = {
    ...this.beside,
    goFirst: (clinicId) => this.sales.isBusyBeside(clinicId) || this.pulls.isBusyBeside(clinicId),
  };
  private readonly others = new ClinicTurns(limits.others, this.behind);
  private readonly long = new ClinicTurns(limits.long, this.behind);
  private readonly everybody = new ClinicTurns(
    limits.everybody,
    { ...this.beside, goFirst: (ip) => this.everybody.waitingOf(ip) > crowd && this.behind.goFirst(ip) },
    lastPlaceMs,
  );
  private readonly outsiders = new ClinicTurns(limits.outside, this.beside);
  private readonly leaving = new WeakMap<FastifyRequest, () => void>();

  /** Resolves in a clinic's turn to look at who asks, like `ClinicTurns.enter`. */
  enterDoor(clinicId: number): Promise<(() => void) | null> {
    this.askedAt.set(clinicId, performance.now());
    return this.door.enter(clinicId);
  }

  /**
   * Resolves when the request is in work, at once if it is so already.
   *
   * @returns false when too much of its clinic waits
   */
  async begin(request: FastifyRequest): Promise<boolean> {
    const lane = laneOf(request);
    if (!lane || this.leaving.has(request)) return true;
    const leave = await this[lane].enter(request.session.clinicId, request.session.userId);
    if (!leave) return false;
    const endUrgent = lane === 'sales' ? beginUrgent() : undefined;
    this.leaving.set(request, () => {
      leave();
      endUrgent?.();
      if (lane === 'sales' || lane === 'pulls') setImmediate(() => this.beginBehind());
    });
    return true;
  }

  /**
   * Resolves in the turn of an address of which nobody has signed in. What a crowd asks begins while nobody has a sale or a pull
   * in work, and after half a second all the same.
   *
   * @returns false when too much of the address waits
   */
  async beginForEverybody(request: FastifyRequest): Promise<boolean> {
    const { ip } = request;
    const leave = await this.everybody.enter(ip);
    if (leave)
      this.leaving.set(request, () => {
        if (this.everybody.waitingOf(ip) > crowd) setTimeout(leave, crowdedPlaceMs).unref();
        else leave();
      });
    goOnWith(request);
    return leave !== null;
  }

  /** Ends the turn of a request; once is enough. */
  end(request: FastifyRequest): void {
    this.leaving.get(request)?.();
    if (this.leaving.has(request)) this.leaving.set(request, () => undefined);
  }

  /**
   * Waits for somebody outside, such as a mail server, of whom nobody knows when they answer. The request gives its turn back
   * meanwhile, and takes another when there is an answer. Few requests wait for the outside at once, in a queue of their own.
   *
   * @throws TooMuchWaits
   */
  outside<T>(request: FastifyRequest, answer: () => Promise<T>): Promise<T> {
    return this.without(request, async () => {
      const leave = await this.outsiders.enter(request.session.clinicId, request.session.userId);
      if (!leave) throw new TooMuchWaits();
      return answer().finally(leave);
    });
  }

  /**
   * Waits while the request holds no turn.
   *
   * @throws TooMuchWaits
   */
  async without<T>(request: FastifyRequest, wait: () => Promise<T>): Promise<T> {
    this.end(request);
    this.leaving.delete(request);
    const value = await wait();
    if (!(await this.begin(request))) throw new TooMuchWaits();
    goOnWith(request);
    return value;
  }

  private beginBehind(): void {
    this.others.next();
    this.long.next();
    this.everybody.next();
  }

  private clinicsAtWork(): number {
    const nowMs = performance.now();
    for (const [clinicId, atMs] of this.askedAt) if (nowMs - atMs > atWorkMs) this.askedAt.delete(clinicId);
    return this.askedAt.size;
  }
}

/**
 * Makes whatever is read without a session wait for the turn of its address, on all routes: files and screens of the app, probes,
 * pictures. A sign-in has bounds of its own.
 */
export function shareAmongEverybody(app: FastifyInstance, turns: RequestTurns): void {
  app.addHook('onRequest', async (request, reply) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead || request.routeOptions.config.action) return undefined;
    return (await turns.beginForEverybody(request)) ? undefined : sendRefusal(reply, { code: 'TOO_MANY_REQUESTS' });
  });
  app.addHook('onSend', async (request) => turns.end(request));
}

/** Makes the handlers of the routes that are registered on `api` afterwards wait for the turn of their session's clinic. */
export function takeTurns(api: FastifyInstance, turns: RequestTurns): void {
  api.decorate('turns', turns);
  api.addHook('onRoute', (route) => {
    const { handler } = route;
    if (!route.config?.action) return;
    route.handler = async function inTurn(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
      if (!(await turns.begin(request))) return sendRefusal(reply, { code: 'TOO_MANY_REQUESTS' });
      goOnWith(request);
      try {
        return await handler.call(this, request, reply);
      } finally {
        turns.end(request);
      }
    };
  });
  // A handler that sends a stream ends when the client has read it, which may take as long as the client likes.
  api.addHook('onSend', async (request) => turns.end(request));
}
