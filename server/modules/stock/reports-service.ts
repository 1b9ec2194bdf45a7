/** `GET /stock/stats` and `GET /stock/inventory/report`: four reports on the stock. Their shapes are in `domain/stock/reports.ts`. */
import { dayMs } from '#domain/durations.ts';
import { businessDay } from '#domain/business-day.ts';
import { minorFromWire, minorToWire, shareOf } from '#domain/money.ts';
import type { StockMovementsReport, StockReport } from '#domain/stock/reports.ts';
import type { StockStats } from '#domain/stock/resources.ts';
import { isoOf } from '#domain/instant.ts';
import type { Sql } from '#server/db/sql.ts';
import { clinicSettings } from '../clinics/service.ts';
import {
  countStock,
  lowStockItems,
  stockByCategory,
  stockMovements,
  stockValues,
  topSuppliers,
} from './reports-store.ts';

const usualDays = 30;
const suppliersShown = 3;
export interface ReportQuery {
  type: StockReport['type'];
  /** Business days, YYYY-MM-DD, both inclusive; only movements have a span. */
  from?: string | undefined;
  to?: string | undefined;
  nowMs: number;
}

export async function stockStats(sql: Sql, clinicId: number): Promise<StockStats> {
  const { valueMinor, ...items } = await countStock(sql, clinicId);
  const suppliers = await topSuppliers(sql, clinicId, suppliersShown);
  return {
    ...items,
    totalValue: minorToWire(valueMinor),
    topSuppliers: suppliers.map(({ supplier, count, valueMinor: value }) => ({
      supplier,
      count,
      value: minorToWire(value),
      percent: shareOf(value, valueMinor, 1),
    })),
  };
}

export async function stockReport(sql: Sql, clinicId: number, query: ReportQuery): Promise<StockReport> {
  const generated_at = isoOf(query.nowMs);
  switch (query.type) {
    case 'summary':
      return {
        type: 'summary',
        generated_at,
        stats: await stockStats(sql, clinicId),
        categories: await stockByCategory(sql, clinicId),
      };
    case 'valuation': {
      const items = await stockValues(sql, clinicId);
      const { totalValue } = await stockStats(sql, clinicId);
      const wholeMinor = minorFromWire(totalValue);
      const percentages = items.map((item) => ({
        ...item,
        percent: shareOf(minorFromWire(item.value), wholeMinor, 1),
      }));
      return { type: 'valuation', generated_at, totalValue, items: percentages };
    }
    case 'movements':
      return movementsReport(sql, clinicId, query);
    case 'low_stock':
      return { type: 'low_stock', generated_at, items: await lowStockItems(sql, clinicId) };
  }
}

async function movementsReport(
  sql: Sql,
  clinicId: number,
  { nowMs, from, to }: ReportQuery,
): Promise<StockMovementsReport> {
  const { time_zone: timeZone } = await clinicSettings(sql, clinicId);
  const lastDay = to ?? businessDay(nowMs, timeZone);
  const firstDay = from ?? businessDay(Date.parse(`${lastDay}T12:00:00Z`) - (usualDays - 1) * dayMs, 'UTC');
  const items = await stockMovements(sql, clinicId, { firstDay, lastDay, timeZone });
  return { type: 'movements', generated_at: isoOf(nowMs), from: firstDay, to: lastDay, items };
}
