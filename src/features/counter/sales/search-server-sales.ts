import { orderFromResource } from '#domain/order/resource.ts';
import type { OrderResource } from '#domain/order/resource.ts';
import { readPage } from '#src/api/read-page.ts';
import { orderRow } from '#src/db/rows.ts';
import type { Page } from '#src/server-data/list-query.ts';
import { salesOf } from './sales.ts';
import type { Sale } from './sales.ts';

const orderLimit = 30;

/**
 * Returns the sales on the server whose customer name, treatment number or invoice number begins with the text. Throws
 * when the server does not answer.
 */
export async function searchServerSales(text: string, signal: AbortSignal): Promise<Sale[]> {
  const searchParams = { search: text, per_page: orderLimit };
  const { data } = await readPage<Page<OrderResource>>('orders', { searchParams, signal });
  return salesOf(data.map((resource) => orderRow(orderFromResource(resource), 0)));
}
