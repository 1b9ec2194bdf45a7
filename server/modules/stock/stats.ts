/** How the shelves stand, in one look. */
import { minorToWire } from '../../../domain/money.ts';
import type { StockStats } from '../../../domain/stock/resources.ts';
import { rowsOf } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { stockStateSql } from './resources.ts';

const topSuppliers = 3;

/** What lies on the shelf is worth, in cents, rounded per item like a line of a bill; what is below zero is worth nothing. */
export const valueSql = 'round(greatest(t.quantity_milli, 0) * t.cost_minor / 1000.0)';

/** A share in percent, to one decimal; of nothing it is 0. */
export const percentOf = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((part / whole) * 1000) / 10;

export async function stockStats(sql: Sql, clinicId: number): Promise<StockStats> {
  const [counts] = await rowsOf<{
    total: number;
    inStock: number;
    lowStock: number;
    outOfStock: number;
    valueMinor: number;
  }>(
    sql,
    'stock stats',
    `select count(*)::int as total,
       count(*) filter (where state = 'in_stock')::int as "inStock",
       count(*) filter (where state = 'low_stock')::int as "lowStock",
       count(*) filter (where state = 'out_of_stock')::int as "outOfStock",
       coalesce(sum(value), 0)::float8 as "valueMinor"
     from (select ${stockStateSql} as state, ${valueSql} as value from stock_items t where t.clinic_id = $1 and t.deleted_at is null) items`,
    [clinicId],
  );
  const suppliers = await rowsOf<{ supplier: string; count: number; valueMinor: number }>(
    sql,
    'top suppliers',
    `select coalesce(nullif(trim(t.supplier), ''), 'Unknown') as supplier, count(*)::int as count, sum(${valueSql})::float8 as "valueMinor"
     from stock_items t where t.clinic_id = $1 and t.deleted_at is null
     group by 1 order by "valueMinor" desc, supplier limit ${topSuppliers}`,
    [clinicId],
  );
  const { valueMinor, ...items } = counts!;
  return {
    ...items,
    totalValue: minorToWire(valueMinor),
    topSuppliers: suppliers.map(({ supplier, count, valueMinor: value }) => ({
      supplier,
      count,
      value: minorToWire(value),
      percent: percentOf(value, valueMinor),
    })),
  };
}
