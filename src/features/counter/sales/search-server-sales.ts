import { orderFromResource } from '#domain/order/resource.ts';
import type { OrderResource } from '#domain/order/resource.ts';
import { api } from '#src/api/client.ts';
import { orderRow } from '#src/db/rows.ts';
import { salesOf } from './sales.ts';
import type { Sale } from './sales.ts';

const orderLimit = 30;

/**
 * Returns the sales on the server whose customer name, treatment number or invoice number begins with the text. Throws
 * when the server does not answer.
 */
export async function searchServerSales(text: string, signal: AbortSignal): Promise<Sale[]> {
  const { data } = await api
    .get('orders', { searchParams: { search: text, per_page: orderLimit }, signal })
    .json<{ data: OrderResource[] }>();
  return salesOf(data.map((resource) => orderRow(orderFromResource(resource), 0)));
}
