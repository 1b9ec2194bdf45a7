import type { Routes } from '#server/ports.ts';
import { catalogueRoutes } from './catalogue-routes.ts';
import { csvRoutes } from './csv-routes.ts';
import { inventoryRoutes } from './inventory-routes.ts';
import { starterRoutes } from './starter-routes.ts';

/** Registers the routes of the catalogue and of what is in stock. */
export const stockRoutes: Routes = (ports) => async (api) => {
  for (const routes of [catalogueRoutes, inventoryRoutes, csvRoutes, starterRoutes]) await api.register(routes(ports));
};
