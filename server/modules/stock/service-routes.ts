import { withinClinic } from '../../db/database.ts';
import { requires } from '../../http/access.ts';
import type { Routes } from '../../ports.ts';
import { serviceListQuery } from './schemas.ts';
import { listServices } from './services-store.ts';

/** Services are read as one list; they are written as the stock items and products that they are. */
export const serviceRoutes: Routes = (ports) => async (api) => {
  api.get(
    '/services',
    { config: requires('catalogue.read'), schema: { querystring: serviceListQuery } },
    async ({ session, query }) => ({
      success: true,
      ...(await listServices(withinClinic(ports.database, session.clinicId), session.clinicId, query)),
    }),
  );
};
