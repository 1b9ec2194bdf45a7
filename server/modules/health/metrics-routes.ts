import { createHash, timingSafeEqual } from 'node:crypto';
import { acrossClinics } from '#server/db/database.ts';
import type { Routes } from '#server/ports.ts';
import { isPublic } from '#server/http/access.ts';
import { gauge } from '#server/http/prometheus.ts';
import { sendRefusal } from '#server/http/refusals.ts';
import { databaseGauges, processGauges, watchEventLoop } from './gauges.ts';
import { version } from '#server/version.ts';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The endpoint for Prometheus, which has no session but a token of its own. Without the token it answers 404. */
export const metricsRoutes: Routes =
  ({ database, config: { metricsToken } }) =>
  async (api) => {
    if (metricsToken === null) return;
    const expected = digest(`Bearer ${metricsToken}`);
    const delays = watchEventLoop();
    api.addHook('onClose', async () => delays.disable());

    api.get('/metrics', { config: isPublic, schema: { hide: true } }, async (request, reply) => {
      if (!timingSafeEqual(digest(request.headers.authorization ?? ''), expected))
        return sendRefusal(reply, { code: 'NOT_FOUND' });
      const lines = [
        ...gauge('dental_counter_build_info', 'The version that runs.', [[{ version }, 1]]),
        ...gauge('dental_counter_event_streams', 'Tablets that listen for news.', api.metrics.eventStreams),
        ...processGauges(delays),
        ...(await databaseGauges(acrossClinics(database))),
        ...api.metrics.lines(),
      ];
      return reply.type('text/plain; version=0.0.4; charset=utf-8').send(`${lines.join('\n')}\n`);
    });
  };
