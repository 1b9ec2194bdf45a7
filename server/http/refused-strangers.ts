/**
 * Paces what is refused without a session: unknown addresses, expired tokens, broken sign-ins. Such a reply costs next to nothing,
 * and so does asking for it a hundred thousand times. Beyond a rate that many tablets behind one address do not reach, each reply
 * waits for its turn, and who does not care to wait loses the connection.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { setTimeout as delay } from 'node:timers/promises';
import { filled } from './budget-level.ts';
import type { Level } from './budget-level.ts';
import { networkOf } from './networks.ts';
import { endAfterReply } from './secure.ts';

/** Fifty tablets whose sessions have expired ask a few times a second each. */
const refusals = { most: 300, perSecond: 300 };
const longestMs = 2000;
/** Networks that are full again are forgotten when there are this many. */
const mostKept = 10_000;

export function paceRefusals(app: FastifyInstance, pace: Pick<Pace, 'take'> = new Pace()): void {
  app.addHook('onSend', async (request, reply) => {
    if (reply.statusCode < 400 || hasSession(request)) return;
    const ms = pace.take(networkOf(request.ip));
    if (ms === 0) return;
    if (ms > longestMs) endAfterReply(request, reply);
    await delay(Math.min(ms, longestMs), undefined, { ref: false });
  });
}

const hasSession = ({ session }: FastifyRequest): boolean => (session as typeof session | undefined) !== undefined;

export class Pace {
  private readonly levels = new Map<string, Level>();

  constructor(private readonly clock: () => number = () => performance.now()) {}

  /** Takes one refusal of a network. Returns the milliseconds until its turn; one that would come too late takes none. */
  take(network: string): number {
    const level = this.levelOf(network);
    const ms = Math.ceil((Math.max(0, 1 - level.left) * 1000) / level.perSecond);
    if (ms <= longestMs) level.left -= 1;
    return ms;
  }

  private levelOf(network: string): Level {
    const atMs = this.clock();
    const known = this.levels.get(network);
    if (known) return filled(known, atMs);
    if (this.levels.size >= mostKept)
      for (const [name, level] of this.levels) if (filled(level, atMs).left >= level.most) this.levels.delete(name);
    const level = { ...refusals, left: refusals.most, atMs };
    this.levels.set(network, level);
    return level;
  }
}
