/**
 * Graceful shutdown: requests in flight are answered and committed, new ones are not accepted, and every step has a
 * time limit. A request that is cut off was not acknowledged, so its sender sends it again (SYNC-4).
 *
 * not ready (the load balancer looks elsewhere) → listener closed, replies close their connections → jobs stopped →
 * database closed
 */
import type { FastifyInstance } from 'fastify';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { leaveSessions } from './http/secure.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** An object, so that every encapsulated plugin shares it. */
    shutdown: ShutdownState;
  }
}

interface ShutdownState {
  isStopping: boolean;
  /** The number of requests without a reply. */
  inFlight: number;
  connections: Set<Socket>;
}

const requestsMs = 10_000;
const lookEveryMs = 50;
const jobsMs = 5000;

/**
 * Registers the hooks that count requests in flight and close connections during shutdown. Call it before the routes
 * are registered.
 */
export function registerShutdown(app: FastifyInstance): void {
  const state: ShutdownState = { isStopping: false, inFlight: 0, connections: new Set() };
  app.decorate('shutdown', state);
  app.addHook('onRequest', async (_request, { raw }) => {
    state.inFlight += 1;
    raw.once('close', () => (state.inFlight -= 1));
  });
  // The server would otherwise wait until the client closes a kept connection.
  app.addHook('onSend', async (_request, reply) => void (state.isStopping && reply.header('connection', 'close')));
  leaveSessions(app);
  app.server.on('connection', (socket: Socket) => {
    state.connections.add(socket);
    socket.once('close', () => state.connections.delete(socket));
  });
}

export interface Serving {
  app: FastifyInstance;
  /** The time that the process answers while it reports that it is not ready. */
  drainMs: number;
  /** Stops the background jobs. */
  stopJobs: () => Promise<unknown>;
  /** Closes the database connections after those in use are released. */
  endDatabase: () => Promise<void>;
}

/** Shuts down. Resolves within the sum of the time limits. */
export async function stopServing({ app, drainMs, stopJobs, endDatabase }: Serving): Promise<void> {
  app.shutdown.isStopping = true;
  await delay(drainMs);
  const closed = app.close();
  await within(requestsMs, Promise.race([closed, answered(app.shutdown)]));
  // Browsers open connections ahead of their requests; Node waits a minute for each.
  for (const socket of app.shutdown.connections) socket.destroy();
  await within(jobsMs, closed);
  await within(jobsMs, stopJobs().then(endDatabase));
}

async function answered(state: ShutdownState): Promise<void> {
  do await delay(lookEveryMs);
  while (state.inFlight > 0);
}

/** Resolves when the work ends or the time is over. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  await Promise.race([work, delay(ms, undefined, { ref: false })]);
}
