/** What the server counts of its own work, for whoever watches over it: kinds, routes and codes, and nothing that somebody typed. */
import type { FastifyInstance } from 'fastify';
import { Counter, Histogram } from './prometheus.ts';

/** How an operation ended; `replayed` had ended before. */
export type OperationResult = 'applied' | 'refused' | 'waiting' | 'replayed';

declare module 'fastify' {
  interface FastifyInstance {
    metrics: Metrics;
  }
  interface FastifyContextConfig {
    endless?: true;
  }
}

/** The declaration of a route whose reply lasts as long as the caller wants: its time says nothing of the server. */
export const endless = { endless: true } as const;

const secondsBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

export class Metrics {
  private readonly operations = new Counter(
    'dental_counter_operations_total',
    'Operations of devices and writes of the desk, by how they ended.',
  );
  private readonly requests = new Histogram(
    'dental_counter_request_seconds',
    'Time to the end of the reply.',
    secondsBounds,
  );
  /** How many tablets listen for news. */
  eventStreams = 0;

  countOperation(kind: string, result: OperationResult): void {
    this.operations.add({ kind, result });
  }

  /** @param route as declared, or what stands for many: never an address as it was called */
  observeRequest(request: { method: string; route: string; status: number }, elapsedMs: number): void {
    const { method, route, status } = request;
    this.requests.observe({ method, route, status: `${Math.floor(status / 100)}xx` }, elapsedMs / 1000);
  }

  lines(): string[] {
    return [...this.operations.lines(), ...this.requests.lines()];
  }
}

/** Counts the requests of everything that is registered on `app` afterwards. */
export function registerMetrics(app: FastifyInstance): void {
  const metrics = new Metrics();
  app.decorate('metrics', metrics);
  app.addHook('onResponse', async (request, reply) => {
    const { config, url = 'none' } = request.routeOptions;
    if (config.endless) return;
    // Each file of the app is a route of its own, and every other address a screen of it.
    const route = /^\/(api|uploads)\b/.test(url) ? url : 'app';
    metrics.observeRequest(
      { method: request.is404 ? 'any' : request.method, route, status: reply.statusCode },
      reply.elapsedTime,
    );
  });
}
