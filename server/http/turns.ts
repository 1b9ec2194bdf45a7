/**
 * Decides whose turn it is. A few requests of each clinic are in work at once; its others wait for them, and clinics
 * that wait are served in turn, as are the people of a clinic. So who floods the server makes nobody wait but themselves.
 *
 * Each request passes two places. At the door its session is read, and it may be turned away for its budget; nothing of its
 * body is read before. Then it waits in its lane: what has come of its body is parsed only in its turn. Sales, pulls and
 * everything else have lanes of their own, so a sale waits neither for two hundred tablets that pull at once nor for a report,
 * and a report not for an import. Everything else has the second place: it begins while no other clinic has a sale or a pull
 * in work. Who waits for somebody outside has no turn, and who is gone waits for none.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { beginUrgent } from '../turns.ts';
import { askerOf } from './askers.ts';
import { ClinicTurns, TooMuchWaits } from './clinic-turns.ts';
import type { Limits, Others } from './clinic-turns.ts';
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
} satisfies Record<string, Limits>;
type Lane = Exclude<keyof typeof limits, 'door' | 'outside'>;

/** A clinic that has asked for something since then counts as one at work. */
const atWorkMs = 10_000;

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
  /** What a lane has to know that begins after the sales and pulls of others. */
  readonly behind: Others = {
    ...this.beside,
    goFirst: (clinicId) => this.sales.isBusyBeside(clinicId) || this.pulls.isBusyBeside(clinicId),
  };
  private readonly others = new ClinicTurns(limits.others, this.behind);
  private readonly long = new ClinicTurns(limits.long, this.behind);
  private readonly lanesBehind = [this.others, this.long];
  private readonly outsiders = new ClinicTurns(limits.outside, this.beside);
  private readonly leaving = new WeakMap<FastifyRequest, () => void>();

  /** Makes another lane look for what it may begin whenever a sale or a pull has ended. */
  follow(lane: ClinicTurns): void {
    this.lanesBehind.push(lane);
  }

  /** Resolves in a clinic's turn to look at who asks, like `ClinicTurns.enter`. */
  enterDoor(clinicId: number, request: FastifyRequest): Promise<(() => void) | null> {
    this.askedAt.set(clinicId, performance.now());
    return this.door.enter(clinicId, { asker: askerOf(request) });
  }

  /**
   * Resolves when the request is in work, at once if it is so already.
   *
   * @returns false when too much of its clinic waits, or when nobody waits for it any more
   */
  async begin(request: FastifyRequest): Promise<boolean> {
    const lane = laneOf(request);
    if (!lane || this.leaving.has(request)) return true;
    const leave = await enterAs(request, this[lane]);
    if (!leave) return false;
    const endUrgent = lane === 'sales' ? beginUrgent() : undefined;
    this.leaving.set(request, () => {
      leave();
      endUrgent?.();
      if (lane === 'sales' || lane === 'pulls') setImmediate(() => this.lanesBehind.forEach((each) => each.next()));
    });
    return true;
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
      const leave = await enterAs(request, this.outsiders);
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

  private clinicsAtWork(): number {
    const nowMs = performance.now();
    for (const [clinicId, atMs] of this.askedAt) if (nowMs - atMs > atWorkMs) this.askedAt.delete(clinicId);
    return this.askedAt.size;
  }
}

const enterAs = (request: FastifyRequest, lane: ClinicTurns): Promise<(() => void) | null> =>
  lane.enter(request.session.clinicId, { who: request.session.userId, asker: askerOf(request) });

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
