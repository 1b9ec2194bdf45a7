import { withinClinic } from '#server/db/database.ts';
import type { Routes } from '#server/ports.ts';
import { requires } from '#server/http/access.ts';
import { readNow } from './service.ts';

/** The dashboard's list of what needs a hand. The reports serve its figures. */
export const dashboardRoutes: Routes =
  ({ database, clock }) =>
  async (api) => {
    api.get('/admin/dashboard/now', { config: requires('report.read') }, async ({ session: { clinicId } }) => ({
      success: true,
      data: await readNow(withinClinic(database, clinicId), { clinicId, atMs: clock() }),
    }));
  };
