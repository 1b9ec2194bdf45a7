/** Stock reports in SQL. */
import type {
  LowStockReport,
  StockMovementsReport,
  StockSummaryReport,
  StockValuationReport,
} from '#domain/stock/reports.ts';
import { amountOf, quantityOf, rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';
import { documentJson, stockStateSql } from './catalogue-store.ts';

/** The value of an item in minor units, rounded per item; a negative quantity has no value. */
const valueSql = 'round(greatest(t.quantity_milli, 0)::numeric * t.cost_minor / 1000)';

const ofClinic = 'where t.clinic_id = $1 and t.deleted_at is null and t.is_stocked';
const withCategory = `stock_items t left join categories c on c.clinic_id = t.clinic_id and c.id = t.category_id`;

export interface StockCounts {
  total: number;
  inStock: number;
  lowStock: number;
  outOfStock: number;
  valueMinor: number;
}

export async function countStock(sql: Sql, clinicId: number): Promise<StockCounts> {
  const [counts] = await rowsOf<StockCounts>(
    sql,
    'stock stats',
    `select count(*)::int as total,
       count(*) filter (where state = 'in_stock')::int as "inStock",
       count(*) filter (where state = 'low_stock')::int as "lowStock",
       count(*) filter (where state = 'out_of_stock')::int as "outOfStock",
       coalesce(sum(value), 0)::float8 as "valueMinor"
     from (select ${stockStateSql} as state, ${valueSql} as value from stock_items t ${ofClinic}) items`,
    [clinicId],
  );
  return counts!;
}

/** Returns the suppliers with the highest stock value. */
export async function topSuppliers(
  sql: Sql,
  clinicId: number,
  limit: number,
): Promise<{ supplier: string; count: number; valueMinor: number }[]> {
  return rowsOf(
    sql,
    'top suppliers',
    `select coalesce(nullif(trim(t.supplier), ''), 'Unknown') as supplier, count(*)::int as count, sum(${valueSql})::float8 as "valueMinor"
     from stock_items t ${ofClinic}
     group by 1 order by "valueMinor" desc, supplier limit $2`,
    [clinicId, limit],
  );
}

export async function stockByCategory(sql: Sql, clinicId: number): Promise<StockSummaryReport['categories']> {
  return rowsOf(
    sql,
    'report summary',
    `select c.id as category_id, c.name as category, count(*)::int as items,
       count(*) filter (where ${stockStateSql} = 'low_stock')::int as "lowStock",
       count(*) filter (where ${stockStateSql} = 'out_of_stock')::int as "outOfStock", ${amountOf(`sum(${valueSql})`)} as value
     from ${withCategory} ${ofClinic} group by c.id, c.name order by c.name, c.id`,
    [clinicId],
  );
}

export async function stockValues(
  sql: Sql,
  clinicId: number,
): Promise<Omit<StockValuationReport['items'][number], 'percent'>[]> {
  return rowsOf(
    sql,
    'report valuation',
    `select t.id, t.name, t.unit, c.name as category, t.supplier, ${quantityOf('t.quantity_milli')} as quantity,
       ${amountOf('t.cost_minor')} as cost_per_unit, ${amountOf(valueSql)} as value
     from ${withCategory} ${ofClinic} order by ${valueSql} desc, t.search_key, t.id`,
    [clinicId],
  );
}

export async function stockMovements(
  sql: Sql,
  clinicId: number,
  { firstDay, lastDay, timeZone }: { firstDay: string; lastDay: string; timeZone: string },
): Promise<StockMovementsReport['items']> {
  return rowsOf(
    sql,
    'report movements',
    `select t.id, t.name, m.unit, count(*)::int as movements,
       ${quantityOf(`coalesce(sum(m.effect_milli) filter (where m.type <> 'usage' and not m.is_count and m.effect_milli > 0), 0)`)} as received,
       ${quantityOf(`coalesce(-sum(m.effect_milli) filter (where m.type = 'usage'), 0)`)} as used,
       ${quantityOf(`coalesce(-sum(m.effect_milli) filter (where m.type <> 'usage' and not m.is_count and m.effect_milli < 0), 0)`)} as withdrawn,
       ${quantityOf(`coalesce(sum(m.effect_milli) filter (where m.is_count), 0)`)} as corrected,
       ${quantityOf('sum(m.effect_milli)')} as net,
       ${amountOf(`coalesce(sum(m.cost_minor) filter (where m.type = 'usage'), 0)`)} as "usageCost"
     from stock_transactions m join stock_items t on t.clinic_id = m.clinic_id and t.id = m.stock_id
     where m.clinic_id = $1 and m.effective_at >= $2::date::timestamp at time zone $4
       and m.effective_at < ($3::date + 1)::timestamp at time zone $4
     group by t.clinic_id, t.id, m.unit order by "usageCost" desc, t.search_key, t.id, m.unit`,
    [clinicId, firstDay, lastDay, timeZone],
  );
}

export async function lowStockItems(sql: Sql, clinicId: number): Promise<LowStockReport['items']> {
  const reserved = '(t.reserved_milli + t.held_milli)';
  const rows = await rowsOf<{ item: LowStockReport['items'][number] }>(
    sql,
    'report low stock',
    `select ${documentJson.stock}::jsonb - array['category_id', 'image_url', 'barcode', 'is_available', 'created_at', 'updated_at', 'cost_per_unit', 'tracks_lots',
           'is_stocked', 'needs_preparation', 'is_favourite', 'tax']
         || jsonb_build_object('state', ${stockStateSql},
              'shortfall', ${quantityOf(`greatest(t.low_stock_threshold_milli + ${reserved} - t.quantity_milli, 0)`)}) as item
     from stock_items t ${ofClinic} and ${stockStateSql} <> 'in_stock' order by t.quantity_milli - t.low_stock_threshold_milli, t.search_key, t.id`,
    [clinicId],
  );
  return rows.map(({ item }) => item);
}
