import { setTimeout as delay } from 'node:timers/promises';
import { acrossClinics, isReachable } from '#server/db/database.ts';
import { appliedMigrations, knownMigrations } from '#server/db/migrate.ts';
import type { Routes } from '#server/ports.ts';
import { isPublic } from '#server/http/access.ts';
import { sendRefusal } from '#server/http/refusals.ts';
import { version } from '#server/version.ts';

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
      if (api.shutdown.isStopping || !isCurrent) return sendRefusal(reply, { code: 'UNAVAILABLE' });
      return { success: true, data: { status: 'ready', version } };
    });
  };
