import type { TestServer } from './server.ts';

/** Gives the service that `line()` sells the price that it sells it at, so that no sale is odd for its price. */
export const setListPrice = async ({ database, clinicId }: TestServer): Promise<void> => {
  await database.$client.query('update stock_items set cost_minor = 6000 where clinic_id = $1 and id = 1', [clinicId]);
};
