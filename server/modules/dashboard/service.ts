/** What needs a hand now: the state of drawers, stock, attention items and devices, and the day so far. */
import type { Pool } from 'pg';
import { businessDay, daysAfter, startOfDay } from '#domain/business-day.ts';
import { minorToWire } from '#domain/money.ts';
import { averageMinor } from '#domain/report/now.ts';
import type { DashboardNow, SameHour } from '#domain/report/now.ts';
import { localTime } from '#domain/time-zone.ts';
import { isoOf } from '#domain/instant.ts';
import type { Sql } from '#server/db/sql.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { alertStats, listAlerts } from '../alerts/service.ts';
import { countOpenAttention } from '../attention/service.ts';
import { clinicSettings } from '../clinics/service.ts';
import { silentDevices } from '../devices/service.ts';
import { listOpenDrawers, readCashShares } from '../drawers/service.ts';
import { revenueUpToNow } from '../reports/service.ts';

/** The clinic, and now in milliseconds since 1970. */
export interface Asked {
  clinicId: number;
  atMs: number;
}

const listed = 3;

export async function readNow(pool: Pool, { clinicId, atMs }: Asked): Promise<DashboardNow> {
  const { time_zone: timeZone, currency } = await clinicSettings(pool, clinicId);
  const today = businessDay(atMs, timeZone);
  return inTransaction(
    pool,
    async (sql) => ({
      asOf: isoOf(atMs),
      drawers: await readDrawers(sql, clinicId, { today, timeZone, currency }),
      stock: await readStock(sql, clinicId),
      attention: await readAttention(sql, clinicId),
      devices: await silentDevices(sql, clinicId, atMs),
      sameHour: await readSameHour(sql, { clinicId, today, timeZone, currency }, atMs),
    }),
    'snapshot',
  );
}

async function readDrawers(
  sql: Sql,
  clinicId: number,
  { today, timeZone, currency }: { today: string; timeZone: string; currency: string },
): Promise<DashboardNow['drawers']> {
  const [fromMs, untilMs] = [startOfDay(today, timeZone), startOfDay(daysAfter(today, 1), timeZone)];
  const { outside } = await readCashShares(sql, clinicId, { day: today, fromMs, untilMs, currency });
  return {
    ...(await listOpenDrawers(sql, clinicId, listed)),
    outside: { count: outside.count, amount: minorToWire(outside.amountMinor) },
  };
}

async function readStock(sql: Sql, clinicId: number): Promise<DashboardNow['stock']> {
  const { total, high } = await alertStats(sql, clinicId);
  const { rows } = await listAlerts(sql, clinicId, 'open', { limit: listed, offset: 0 });
  return { count: total, high, names: [...new Set(rows.map(({ Stock }) => Stock.name))] };
}

async function readAttention(sql: Sql, clinicId: number): Promise<DashboardNow['attention']> {
  const { count, kinds } = await countOpenAttention(sql, clinicId);
  return { count, kinds: kinds.slice(0, listed) };
}

async function readSameHour(
  sql: Sql,
  calendar: { clinicId: number; today: string; timeZone: string; currency: string },
  atMs: number,
): Promise<SameHour> {
  const { todayMinor, days } = await revenueUpToNow(sql, calendar, atMs);
  const usualMinor = averageMinor(days.map(({ revenueMinor }) => revenueMinor));
  return {
    time: localTime(atMs, calendar.timeZone).slice(11, 16),
    today: minorToWire(todayMinor),
    usual: usualMinor === null ? null : minorToWire(usualMinor),
    days: days.map(({ day, revenueMinor }) => ({ day, revenue: minorToWire(revenueMinor) })),
  };
}
