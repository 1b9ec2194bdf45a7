/** `GET /stock/inventory/report`: four ways to look at the shelves. Shapes stand in `domain/stock/resources.ts`. */
import { businessDay } from '../../../domain/business-day.ts';
import type {
  LowStockReport,
  StockMovementsReport,
  StockReport,
  StockSummaryReport,
  StockValuationReport,
} from '../../../domain/stock/resources.ts';
import { isoOf, rowsOf } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { amountOf, quantityOf } from '../../db/wire.ts';
import { clinicSettings } from '../clinics/service.ts';
import { documentJson, stockStateSql } from './resources.ts';
import { percentOf, stockStats, valueSql } from './stats.ts';

const usualDays = 30;
const dayMs = 86_400_000;

export interface ReportQuery {
  type: StockReport['type'];
  /** Business days, YYYY-MM-DD, both inclusive; only movements have a span. */
  from?: string | undefined;
  to?: string | undefined;
  nowMs: number;
}

export function stockReport(sql: Sql, clinicId: number, query: ReportQuery): Promise<StockReport> {
  switch (query.type) {
    case 'summary':
      return summary(sql, clinicId, query);
    case 'valuation':
      return valuation(sql, clinicId, query);
    case 'movements':
      return movements(sql, clinicId, query);
    case 'low_stock':
      return lowStock(sql, clinicId, query);
  }
}

const ofClinic = 'where t.clinic_id = $1 and t.deleted_at is null';
const withCategory = `stock_items t left join categories c on c.clinic_id = t.clinic_id and c.id = t.category_id`;

async function summary(sql: Sql, clinicId: number, { nowMs }: ReportQuery): Promise<StockSummaryReport> {
  const categories = await rowsOf<StockSummaryReport['categories'][number]>(
    sql,
    'report summary',
    `select c.id as category_id, c.name as category, count(*)::int as items,
       count(*) filter (where ${stockStateSql} = 'low_stock')::int as "lowStock",
       count(*) filter (where ${stockStateSql} = 'out_of_stock')::int as "outOfStock", ${amountOf(`sum(${valueSql})`)} as value
     from ${withCategory} ${ofClinic} group by c.id, c.name order by c.name, c.id`,
    [clinicId],
  );
  return { type: 'summary', generated_at: isoOf(nowMs), stats: await stockStats(sql, clinicId), categories };
}

async function valuation(sql: Sql, clinicId: number, { nowMs }: ReportQuery): Promise<StockValuationReport> {
  const items = await rowsOf<Omit<StockValuationReport['items'][number], 'percent'>>(
    sql,
    'report valuation',
    `select t.id, t.name, t.unit, c.name as category, t.supplier, ${quantityOf('t.quantity_milli')} as quantity,
       ${amountOf('t.cost_minor')} as cost_per_unit, ${amountOf(valueSql)} as value
     from ${withCategory} ${ofClinic} order by ${valueSql} desc, t.search_key, t.id`,
    [clinicId],
  );
  const { totalValue } = await stockStats(sql, clinicId);
  return {
    type: 'valuation',
    generated_at: isoOf(nowMs),
    totalValue,
    items: items.map((item) => ({ ...item, percent: percentOf(item.value, totalValue) })),
  };
}

async function movements(sql: Sql, clinicId: number, { nowMs, from, to }: ReportQuery): Promise<StockMovementsReport> {
  const { time_zone: timeZone } = await clinicSettings(sql, clinicId);
  const lastDay = to ?? businessDay(nowMs, timeZone);
  const firstDay = from ?? businessDay(Date.parse(`${lastDay}T12:00:00Z`) - (usualDays - 1) * dayMs, 'UTC');
  const items = await rowsOf<StockMovementsReport['items'][number]>(
    sql,
    'report movements',
    `select t.id, t.name, t.unit, count(*)::int as movements,
       ${quantityOf(`coalesce(sum(m.effect_milli) filter (where m.type <> 'usage' and not m.is_count and m.effect_milli > 0), 0)`)} as received,
       ${quantityOf(`coalesce(-sum(m.effect_milli) filter (where m.type = 'usage'), 0)`)} as used,
       ${quantityOf(`coalesce(-sum(m.effect_milli) filter (where m.type <> 'usage' and not m.is_count and m.effect_milli < 0), 0)`)} as withdrawn,
       ${quantityOf(`coalesce(sum(m.effect_milli) filter (where m.is_count), 0)`)} as corrected,
       ${quantityOf('sum(m.effect_milli)')} as net,
       ${amountOf(`coalesce(sum(m.cost_minor) filter (where m.type = 'usage'), 0)`)} as "usageCost"
     from stock_transactions m join stock_items t on t.clinic_id = m.clinic_id and t.id = m.stock_id
     where m.clinic_id = $1 and m.effective_at >= $2::date::timestamp at time zone $4
       and m.effective_at < ($3::date + 1)::timestamp at time zone $4
     group by t.clinic_id, t.id order by "usageCost" desc, t.search_key, t.id`,
    [clinicId, firstDay, lastDay, timeZone],
  );
  return { type: 'movements', generated_at: isoOf(nowMs), from: firstDay, to: lastDay, items };
}

async function lowStock(sql: Sql, clinicId: number, { nowMs }: ReportQuery): Promise<LowStockReport> {
  const reserved = '(t.reserved_milli + t.held_milli)';
  const rows = await rowsOf<{ item: LowStockReport['items'][number] }>(
    sql,
    'report low stock',
    `select ${documentJson.stock}::jsonb - array['category_id', 'image_url', 'barcode', 'is_available', 'created_at', 'updated_at', 'cost_per_unit', 'tracks_lots']
         || jsonb_build_object('state', ${stockStateSql},
              'shortfall', ${quantityOf(`greatest(t.low_stock_threshold_milli + ${reserved} - t.quantity_milli, 0)`)}) as item
     from stock_items t ${ofClinic} and ${stockStateSql} <> 'in_stock' order by t.quantity_milli - t.low_stock_threshold_milli, t.search_key, t.id`,
    [clinicId],
  );
  return { type: 'low_stock', generated_at: isoOf(nowMs), items: rows.map(({ item }) => item) };
}
