import { z } from 'zod';
import { may } from '../../../domain/permissions.ts';
import { feedParts } from '../../../domain/protocol/sync.ts';
import { textSchema } from '../../../domain/protocol/schemas.ts';
import { publishChange } from '../../events/pokes.ts';
import { requires } from '../../http/access.ts';
import { sendRefusal } from '../../http/refusals.ts';
import type { Routes } from '../../ports.ts';
import { recordReport } from '../devices/service.ts';
import { readChanges } from './service.ts';

/** Not strict: a tablet of a newer app may say more than this server knows, and must still read. */
const changesQuery = z.object({
  cursor: textSchema(4000).optional(),
  lacks: textSchema(40)
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(feedParts)))
    .optional(),
  waiting: z.coerce.number().int().min(0).max(1_000_000).optional(),
});

/** Takes the pulls of tablets (SYNC-9). With each pull a tablet reports how many of its operations wait. */
export const feedRoutes: Routes =
  ({ database, clock }) =>
  async (api) => {
    const pool = database.$client;
    const options = { config: requires('sync.use'), schema: { querystring: changesQuery } };

    api.get('/sync/changes', options, async ({ session, query }, reply) => {
      const { clinicId, deviceId, role, scope } = session;
      const { waiting } = query;
      const completes =
        waiting !== undefined &&
        deviceId !== null &&
        (await recordReport(pool, { clinicId, deviceId, waiting, atMs: clock() }));
      if (completes) publishChange(pool, clinicId);
      const reader = {
        clinicId,
        deviceId,
        // A token that lies on a locked tablet reads only what the counter shows.
        seesAttention: scope === 'full' && may(role, 'attention.read'),
        seesPatients: may(role, 'patient.read'),
        nowMs: clock(),
      };
      const page = await readChanges(pool, reader, query.cursor, query.lacks);
      return page ? { success: true, data: page } : sendRefusal(reply, { code: 'CURSOR_GONE' });
    });
  };
