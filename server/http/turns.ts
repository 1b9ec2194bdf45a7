/**
 * Shares the process and its database connections among clinics. A few requests of each clinic are handled at once; its
 * others wait for them in order, and clinics that wait are served in turn. So a clinic that floods the server makes nobody
 * wait but itself. Sales, pulls and everything else have places of their own: a sale waits neither for two hundred tablets that
 * pull at once nor for a report.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Action } from '../../domain/permissions.ts';
import { sendRefusal } from './refusals.ts';

declare module 'fastify' {
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
  /** What is handled at once, of all clinics and of one. */
  atOnce: number;
  perClinic: number;
  /** What waits, of one clinic: what two hundred tablets send at once. */
  waiting: number;
}

/** Together they take fewer connections than the pool has, so sign-ins and jobs find one. */
const laneLimits = {
  sales: { atOnce: 4, perClinic: 3, waiting: 250 },
  pulls: { atOnce: 3, perClinic: 2, waiting: 250 },
  others: { atOnce: 3, perClinic: 2, waiting: 250 },
} satisfies Record<string, Limits>;

export class ClinicTurns {
  private running = 0;
  private readonly clinics = new Map<number, { running: number; waiting: (() => void)[] }>();

  constructor(private readonly limits: Limits) {}

  /**
   * Resolves in the clinic's turn to a function that gives it back; once is enough.
   *
   * @returns null when too much of the clinic waits already
   */
  async enter(clinicId: number): Promise<(() => void) | null> {
    const clinic = this.clinics.get(clinicId) ?? { running: 0, waiting: [] };
    if (clinic.waiting.length >= this.limits.waiting) return null;
    this.clinics.set(clinicId, clinic);
    const turn = new Promise<void>((begin) => clinic.waiting.push(begin));
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

  /** Begins what there is room for, one of each clinic after the other. */
  private next(): void {
    for (const [clinicId, clinic] of this.clinics) {
      if (this.running >= this.limits.atOnce) return;
      if (clinic.running >= this.limits.perClinic) continue;
      const begin = clinic.waiting.shift();
      if (!begin) continue;
      this.running += 1;
      clinic.running += 1;
      // Its next one comes after the other clinics.
      this.clinics.delete(clinicId);
      this.clinics.set(clinicId, clinic);
      begin();
    }
  }
}

/** A batch and every other write is a sale: somebody waits for it. */
function laneOf(action: Action, method: unknown, isLong: boolean): keyof typeof laneLimits {
  if (isLong) return 'others';
  if (action === 'sync.use') return method === 'GET' ? 'pulls' : 'sales';
  return /\.(read|export)$/.test(action) ? 'others' : 'sales';
}

/** Makes the handlers of the routes that are registered on `api` afterwards wait for the turn of their session's clinic. */
export function takeTurns(api: FastifyInstance): void {
  const lanes = {
    sales: new ClinicTurns(laneLimits.sales),
    pulls: new ClinicTurns(laneLimits.pulls),
    others: new ClinicTurns(laneLimits.others),
  };
  const leaving = new WeakMap<FastifyRequest, () => void>();
  api.addHook('onRoute', (route) => {
    const { action, canWait: isLong, boundsItself: isBounded, endless } = route.config ?? {};
    if (!action || isBounded || endless) return;
    const turns = lanes[laneOf(action, route.method, isLong === true)];
    const { handler } = route;
    route.handler = async function inTurn(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
      const leave = await turns.enter(request.session.clinicId);
      if (!leave) return sendRefusal(reply, { code: 'TOO_MANY_REQUESTS' });
      leaving.set(request, leave);
      try {
        return await handler.call(this, request, reply);
      } finally {
        leave();
      }
    };
  });
  // A handler that sends a stream ends when the client has read it, which may take as long as the client likes.
  api.addHook('onSend', async (request) => leaving.get(request)?.());
}
