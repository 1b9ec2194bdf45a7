import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isReachable } from '../../db/database.ts';
import { appliedMigrations, knownMigrations } from '../../db/migrate.ts';
import type { Routes } from '../../ports.ts';
import { isPublic } from '../../http/access.ts';
import { sendRefusal } from '../../http/refusals.ts';
import { projectRoot } from '../../project-root.ts';

export const { version } = JSON.parse(readFileSync(path.join(projectRoot, 'package.json'), 'utf8')) as {
  version: string;
};

/** A database that is silent is away, and whoever asks has to hear of it in time. */
const patienceMs = 5000;
const inTime = <T>(answer: Promise<T>): Promise<T | null> =>
  Promise.race([answer, delay(patienceMs, null, { ref: false })]);

export const healthRoutes: Routes =
  ({ database }) =>
  async (api) => {
    const known = knownMigrations();

    /** Healthy means able to serve: without its database the server answers 503. */
    api.get('/health', { config: isPublic }, async (_request, reply) => {
      if (!(await inTime(isReachable(database.$client)))) return sendRefusal(reply, { code: 'UNAVAILABLE' });
      return { success: true, data: { status: 'ok', version } };
    });

    /** Ready means to be given new work. A process that is about to stop is healthy to its end, but ready no more. */
    api.get('/ready', { config: isPublic }, async (_request, reply) => {
      // A database that a newer version has migrated further is served until this process is replaced, so that the two can take turns.
      const isCurrent = ((await inTime(appliedMigrations(database.$client))) ?? 0) >= known;
      if (api.shutdown.isStopping || !isCurrent) return sendRefusal(reply, { code: 'UNAVAILABLE' });
      return { success: true, data: { status: 'ready', version } };
    });
  };
