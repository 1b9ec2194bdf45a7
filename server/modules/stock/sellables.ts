/** What the counter sells, as a treatment's decisions need it. */
import type { Sellable } from '../../../domain/order/decisions.ts';
import { rowsOf } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';

export interface Sellables {
  stock: ReadonlyMap<number, Sellable>;
  products: ReadonlyMap<number, Sellable>;
}

/** What these ids sell for now. Deleted and unknown items are left out. */
export async function loadSellables(
  sql: Sql,
  clinicId: number,
  { stockIds, productIds }: { stockIds: readonly number[]; productIds: readonly number[] },
): Promise<Sellables> {
  const rows = await rowsOf<{ row: Sellable }>(
    sql,
    'sellables',
    `select json_build_object('type', type, 'id', id, 'name', name, 'priceMinor', price, 'isAvailable', is_available) as row from (
       select 'stock' as type, id, name, cost_minor as price, is_available from stock_items
         where clinic_id = $1 and id = any($2::int[]) and deleted_at is null
       union all
       select 'product', id, name, price_minor, is_available from products
         where clinic_id = $1 and id = any($3::int[]) and deleted_at is null) sellables`,
    [clinicId, stockIds, productIds],
  );
  const byId = (type: Sellable['type']) =>
    new Map(rows.filter(({ row }) => row.type === type).map(({ row }) => [row.id, row]));
  return { stock: byId('stock'), products: byId('product') };
}
