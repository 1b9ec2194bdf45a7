import type { Routes } from '#server/ports.ts';
import { catalogueRoutes } from './catalogue-routes.ts';
import { csvRoutes } from './csv-routes.ts';
import { inventoryRoutes } from './inventory-routes.ts';
import type { StarterList } from '#domain/stock/resources.ts';
import { withinClinic } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { requires } from '#server/http/access.ts';
import { feedWrites } from '#server/operations/rest-writes.ts';
import { starterBodySchema } from './schemas.ts';
import { catalogueLock } from './service.ts';
import { addStarter, readStarter } from './starter-service.ts';

/** The list that a new clinic begins with. */
const starterRoutes: Routes = (ports) => async (api) => {
  const write = feedWrites(ports, catalogueLock);
  const config = requires('stock.write');

  api.get(
    '/stock/starter',
    { config },
    async ({ session: { clinicId } }): Promise<{ success: true; data: StarterList }> => ({
      success: true,
      data: await inTransaction(
        withinClinic(ports.database, clinicId),
        (sql) => readStarter(sql, clinicId),
        'snapshot',
      ),
    }),
  );

  api.post('/stock/starter', { config, schema: { body: starterBodySchema } }, (request, reply) =>
    write(request, reply, { kind: 'stock.starter', status: 201 }, (context) =>
      addStarter(context, request.body.services),
    ),
  );
};

/** Registers the routes of the catalogue and of what is in stock. */
export const stockRoutes: Routes = (ports) => async (api) => {
  for (const routes of [catalogueRoutes, inventoryRoutes, csvRoutes, starterRoutes]) await api.register(routes(ports));
};
