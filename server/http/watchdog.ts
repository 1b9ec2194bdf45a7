/** Logs and counts which requests hold the event loop, because all others wait meanwhile. What they are about is not logged. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { workFor } from '../loop-watch.ts';
import type { Work } from '../loop-watch.ts';

declare module 'fastify' {
  interface FastifyRequest {
    work?: Work;
  }
}

/** Watches the requests to all routes that are registered on `app` afterwards. */
export function registerWatchdog(app: FastifyInstance): void {
  app.decorateRequest('work');
  app.addHook('onRequest', async (request) => {
    request.work = { held: (ms) => tellOf(request, ms) };
    workFor(request.work);
  });
  // The body has come.
  app.addHook('preValidation', async (request) => goOnWith(request));
}

/** Says that what follows is work for a request, where it has waited for anything but the database. */
export function goOnWith({ work }: FastifyRequest): void {
  if (work) workFor(work);
}

function tellOf({ method: sent, is404, routeOptions, session, log, server }: FastifyRequest, ms: number): void {
  const method = is404 ? 'any' : sent;
  const route = routeOptions.url ?? 'none';
  // Nobody has signed in to a public route.
  const { clinicId: clinic, userId: person } = (session as typeof session | undefined) ?? {};
  log.warn({ method, route, clinic, person, ms: Math.round(ms) }, 'held the event loop');
  server.metrics.countHold({ method, route });
}
