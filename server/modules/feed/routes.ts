import { z } from 'zod';
import { may } from '../../../domain/permissions.ts';
import { changesQuerySchema } from '../../../domain/protocol/operation-schemas.ts';
import type { PatientsPage } from '../../../domain/protocol/sync.ts';
import { isoOf } from '../../db/sql.ts';
import { requires } from '../../http/access.ts';
import { sendRefusal } from '../../http/refusals.ts';
import type { Routes } from '../../ports.ts';
import { loadClinic } from '../../operations/store.ts';
import { ClinicTurns } from '../../operations/turns.ts';
import { patientsAfter } from '../patients/service.ts';

/** Any id of the table, also one that an import has made in its own way. */
const patientsQuery = z.strictObject({ after: z.guid().optional() });
/** A tablet stores a page in one transaction, for which a sale may wait. */
const patientsPerPage = 1000;

/**
 * Pulls of one clinic: fewer than half of the database's connections, because sales go first, and what two hundred tablets
 * ask at once.
 */
const limits = { atOnce: 4, waiting: 250 };

/** Takes the pulls of tablets (SYNC-9). */
export const feedRoutes: Routes =
  ({ database, clock, pull }) =>
  async (api) => {
    const options = { config: requires('sync.use'), schema: { querystring: changesQuerySchema } };
    const turns = new ClinicTurns(limits);

    api.get('/sync/changes', options, async ({ session, query }, reply) => {
      const turn = await turns.run(session.clinicId, async () => ({ page: await pull(session, query) }));
      if (!turn) return sendRefusal(reply, { code: 'TOO_MANY_REQUESTS' });
      return turn.page ? { success: true, data: turn.page } : sendRefusal(reply, { code: 'CURSOR_GONE' });
    });

    const patientsOptions = { config: requires('sync.use'), schema: { querystring: patientsQuery } };
    api.get('/sync/patients', patientsOptions, async ({ session: { clinicId, role }, query: { after } }) => {
      const pool = database.$client;
      // The epoch first, so that rows from before a restore never carry the epoch after it.
      const { epoch } = await loadClinic(pool, clinicId);
      const limit = patientsPerPage;
      const patients = may(role, 'patient.read') ? await patientsAfter(pool, clinicId, { after, limit }) : [];
      const page: PatientsPage = { epoch, server_time: isoOf(clock()), patients, more: patients.length === limit };
      return { success: true, data: page };
    });
  };
