import { createHash, timingSafeEqual } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { acrossClinics, isReachable } from '#server/db/database.ts';
import { isAtHome } from '#server/db/home-cluster.ts';
import { appliedMigrations, knownMigrations } from '#server/db/migrate.ts';
import type { Routes } from '#server/ports.ts';
import { isPublic } from '#server/http/access.ts';
import { gauge } from '#server/http/prometheus.ts';
import { sendRefusal } from '#server/http/refusals.ts';
import { version } from '#server/version.ts';
import { databaseGauges, processGauges, watchEventLoop } from './gauges.ts';

/** A probe must get its answer in time even when the database is silent. */
const patienceMs = 5000;
const inTime = <T>(answer: Promise<T>): Promise<T | null> =>
  Promise.race([answer, delay(patienceMs, null, { ref: false })]);

export const healthRoutes: Routes =
  ({ database }) =>
  async (api) => {
    const known = knownMigrations();

    /** Healthy: the process can serve. Without its database the server answers 503. */
    api.get('/health', { config: isPublic }, async (_request, reply) => {
      if (!(await inTime(isReachable(acrossClinics(database))))) return sendRefusal(reply, { code: 'UNAVAILABLE' });
      return { success: true, data: { status: 'ok', version } };
    });

    /** Ready: the process should get new requests. A process that is about to stop is still healthy, but not ready. */
    api.get('/ready', { config: isPublic }, async (_request, reply) => {
      // A database migrated further by a newer version still counts as current, so that both versions can run during an
      // upgrade.
      const isCurrent = ((await inTime(appliedMigrations(acrossClinics(database)))) ?? 0) >= known;
      // Data that were put in place of others under a running server would reach tablets with holes. The next start settles them in.
      const isHome = isCurrent && (await inTime(isAtHome(acrossClinics(database))));
      if (api.shutdown.isStopping || !isHome) return sendRefusal(reply, { code: 'UNAVAILABLE' });
      return { success: true, data: { status: 'ready', version } };
    });
  };

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
