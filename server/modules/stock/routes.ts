import type { Routes } from '../../ports.ts';
import { categoryRoutes } from './category-routes.ts';
import { csvRoutes } from './csv-routes.ts';
import { itemRoutes } from './item-routes.ts';
import { adjustmentRoutes } from './adjustment-routes.ts';
import { productRoutes } from './product-routes.ts';
import { serviceRoutes } from './service-routes.ts';
import { starterRoutes } from './starter-routes.ts';

/** Registers the routes of the catalogue. */
export const stockRoutes: Routes = (ports) => async (api) => {
  for (const routes of [
    itemRoutes,
    adjustmentRoutes,
    categoryRoutes,
    productRoutes,
    serviceRoutes,
    csvRoutes,
    starterRoutes,
  ])
    await api.register(routes(ports));
};
