/** The server's metrics. Labels are kinds, routes and status classes, never typed text. */
import type { FastifyInstance } from 'fastify';
import { Counter, Histogram } from './prometheus.ts';

/** The result of an operation; `replayed` repeats an earlier result. */
export type OperationResult = 'applied' | 'refused' | 'waiting' | 'replayed';

declare module 'fastify' {
  interface FastifyInstance {
    metrics: Metrics;
  }
  interface FastifyContextConfig {
    endless?: true;
  }
}

/** Declares that a reply lasts as long as the caller wants, so its duration is not measured. */
export const endless = { endless: true } as const;

const secondsBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

class Metrics {
  private readonly operations = new Counter(
    'dental_counter_operations_total',
    'Operations of devices and writes of the desk, by how they ended.',
  );
  private readonly requests = new Histogram(
    'dental_counter_request_seconds',
    'Time to the end of the reply.',
    secondsBounds,
  );
  private readonly holds = new Counter(
    'dental_counter_event_loop_holds_total',
    'How often a request held the event loop for more than a tenth of a second.',
  );
  /** The number of open event streams. */
  eventStreams = 0;

  countOperation(kind: string, result: OperationResult): void {
    this.operations.add({ kind, result });
  }

  /** @param route as declared, or a common name for many routes; never the called address */
  observeRequest(request: { method: string; route: string; status: number }, elapsedMs: number): void {
    const { method, route, status } = request;
    this.requests.observe({ method, route, status: `${Math.floor(status / 100)}xx` }, elapsedMs / 1000);
  }

  countHold(request: { method: string; route: string }): void {
    this.holds.add(request);
  }

  lines(): string[] {
    return [...this.operations.lines(), ...this.requests.lines(), ...this.holds.lines()];
  }
}

/** Counts the requests to all routes that are registered on `app` afterwards. */
export function registerMetrics(app: FastifyInstance): void {
  const metrics = new Metrics();
  app.decorate('metrics', metrics);
  app.addHook('onResponse', async (request, reply) => {
    const { config, url = 'none' } = request.routeOptions;
    if (config.endless) return;
    // Files and screens of the app share one name, because each file is a route of its own.
    const route = /^\/(api|uploads)\b/.test(url) ? url : 'app';
    metrics.observeRequest(
      { method: request.is404 ? 'any' : request.method, route, status: reply.statusCode },
      reply.elapsedTime,
    );
  });
}
