import { orderFromResource } from '../../../../domain/order/resource.ts';
import type { OrderResource } from '../../../../domain/order/resource.ts';
import { api } from '../../../api/client.ts';
import { orderRow } from '../../../db/order-row.ts';
import { salesOf } from './sales.ts';
import type { Sale } from './sales.ts';

const mostOrders = 30;

/** What the server knows by the beginning of the name, the number or an invoice's number. @throws when it does not answer */
export async function searchServerSales(text: string, signal: AbortSignal): Promise<Sale[]> {
  const { data } = await api
    .get('orders', { searchParams: { search: text, per_page: mostOrders }, signal })
    .json<{ data: OrderResource[] }>();
  return salesOf(data.map((document) => orderRow(orderFromResource(document), 0)));
}
