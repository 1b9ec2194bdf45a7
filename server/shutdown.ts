/**
 * The end of the process: what it took is answered and committed, nothing new is taken, and none of it waits for ever. What
 * is cut off after that was not acknowledged, so its sender sends it again (SYNC-4).
 *
 * not ready (a balancer looks elsewhere) → listener closed, replies end their connections → rounds end → database closed
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    /** An object, so that every encapsulated part of the app sees the same. */
    shutdown: ShutdownState;
  }
}

interface ShutdownState {
  isStopping: boolean;
  /** Requests that are not answered yet. */
  inFlight: number;
}

const requestsMs = 10_000;
const lookEveryMs = 50;
const jobsMs = 5000;

/** Before the routes are registered: says for each reply from then on whether its connection may be used again. */
export function registerShutdown(app: FastifyInstance): void {
  const state: ShutdownState = { isStopping: false, inFlight: 0 };
  app.decorate('shutdown', state);
  app.addHook('onRequest', async (_request, { raw }) => {
    state.inFlight += 1;
    raw.once('close', () => (state.inFlight -= 1));
  });
  // A connection that is kept would be waited for until its caller lets go of it.
  app.addHook('onSend', async (_request, reply) => void (state.isStopping && reply.header('connection', 'close')));
}

export interface Serving {
  app: FastifyInstance;
  /** How long it answers while it says that it is not ready. */
  drainMs: number;
  /** Ends the work beside the requests. */
  stopJobs: () => Promise<unknown>;
  /** Closes the connections to the database. It waits for those that are in use. */
  endDatabase: () => Promise<void>;
}

/** Resolves within the sum of the bounds, whatever hangs. */
export async function stopServing({ app, drainMs, stopJobs, endDatabase }: Serving): Promise<void> {
  app.shutdown.isStopping = true;
  await delay(drainMs);
  const closed = app.close();
  await within(requestsMs, Promise.race([closed, answered(app.shutdown)]));
  // Browsers open connections ahead of their requests; Node counts those as busy and would wait a minute for each.
  app.server.closeAllConnections();
  await within(jobsMs, closed);
  await within(jobsMs, stopJobs().then(endDatabase));
}

async function answered(state: ShutdownState): Promise<void> {
  do await delay(lookEveryMs);
  while (state.inFlight > 0);
}

/** Resolves when the work has ended or its time is over. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  await Promise.race([work, delay(ms, undefined, { ref: false })]);
}
