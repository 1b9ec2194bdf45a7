import { z } from 'zod';
import { may } from '#domain/permissions.ts';
import { changesQuerySchema } from '#domain/protocol/operation-schemas.ts';
import type { PatientsPage } from '#domain/protocol/sync.ts';
import { isoOf } from '#domain/instant.ts';
import { withinClinic } from '#server/db/database.ts';
import { requires } from '#server/http/access.ts';
import { sendRefusal } from '#server/http/refusals.ts';
import type { Routes } from '#server/ports.ts';
import { loadClinic } from '#server/operations/store.ts';
import { patientsAfter } from '../patients/service.ts';
import { readsFully } from './service.ts';

/** Any id of the table, also one that an import has made in its own way. */
const patientsQuery = z.strictObject({ after: z.guid().optional() });
/** A tablet stores a page in one transaction, for which a sale may wait. */
const patientsPerPage = 1000;

/** Takes the pulls of tablets (SYNC-9). */
export const feedRoutes: Routes =
  ({ database, clock, pull }) =>
  async (api) => {
    const options = { config: requires('sync.use'), schema: { querystring: changesQuerySchema } };

    api.get('/sync/changes', options, async ({ session, query }, reply) => {
      const page = await pull(session, query);
      return page ? { success: true, data: page } : sendRefusal(reply, { code: 'CURSOR_GONE' });
    });

    const patientsOptions = { config: requires('sync.use'), schema: { querystring: patientsQuery } };
    api.get('/sync/patients', patientsOptions, async ({ session, query: { after } }) => {
      const { clinicId, role } = session;
      // The epoch first, so that rows from before a restore never carry the epoch after it.
      const { epoch } = await loadClinic(withinClinic(database, clinicId), clinicId);
      const limit = patientsPerPage;
      const { patients, details } = may(role, 'patient.read')
        ? await patientsAfter(withinClinic(database, clinicId), clinicId, { after, limit })
        : { patients: [], details: [] };
      const page: PatientsPage = {
        epoch,
        server_time: isoOf(clock()),
        patients,
        ...(may(role, 'patient.details') && readsFully(session) && { details }),
        more: patients.length === limit,
      };
      return { success: true, data: page };
    });
  };
