/** The summary of a business day for the page and for the emails. */
import type { Pool } from 'pg';
import { businessDay, daysAfter, startOfDay } from '#domain/business-day.ts';
import { dayDrawer, dayEnd, dayAlerts } from '#domain/notification/day-end.ts';
import type { DayEnd, DayAlert } from '#domain/notification/day-end.ts';
import { sumDays } from '#domain/report/totals.ts';
import type { AttentionResource } from '#domain/protocol/sync.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import type { TaxTotalPayload } from '#domain/tax/wire.ts';
import type { Sql } from '#server/db/sql.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { listAlerts } from '../alerts/service.ts';
import { openAttention } from '../attention/service.ts';
import { readDrawerDay } from '../drawers/service.ts';
import type { DrawerDay } from '../drawers/service.ts';
import { readDayFigures, taxesOfDay } from '../reports/service.ts';

/** A clinic and one of its business days; `atMs` is now, in milliseconds since 1970. */
export interface ClinicDay {
  clinicId: number;
  clinic: ClinicSettings;
  day: string;
  atMs: number;
}

/** An email shows at most this many rows; the app shows all. */
const mostAlerts = 100;
const mostItems = 100;

/** An attention item as an email shows it, without the patient. */
export interface AttentionRow {
  kind: AttentionResource['kind'];
  /** The number of the treatment; empty when the item concerns none. */
  number: string;
  /** The code of the device that raised the item; empty without one. */
  device: string;
  raisedAt: string;
  isNew: boolean;
}

/** Returns the open alerts, those raised on the day marked as new. */
export async function readAlerts(pool: Pool, { clinicId, clinic, day }: ClinicDay): Promise<DayAlert[]> {
  const { rows } = await inTransaction(
    pool,
    (sql) => listAlerts(sql, clinicId, 'open', { limit: mostAlerts, offset: 0 }),
    'snapshot',
  );
  return dayAlerts(rows, (raisedAt) => businessDay(Date.parse(raisedAt), clinic.time_zone) === day);
}

/** Returns the open attention items, those raised on the day marked as new. */
export async function readAttention(pool: Pool, { clinicId, clinic, day }: ClinicDay): Promise<AttentionRow[]> {
  const items = await inTransaction(pool, (sql) => openAttention(sql, clinicId, mostItems), 'snapshot');
  return items.map(({ kind, details, created_at }) => ({
    kind,
    number: String(details['number'] ?? ''),
    device: String(details['device'] ?? ''),
    raisedAt: created_at,
    isNew: businessDay(Date.parse(created_at), clinic.time_zone) === day,
  }));
}

/** Returns the drawers of the day, and the amounts by tax of its documents; none without a tax profile. */
function readMoney(
  pool: Pool,
  { clinicId, clinic, day }: ClinicDay,
): Promise<{ drawerDay: DrawerDay; taxes: TaxTotalPayload[] }> {
  const { time_zone: zone, tax_profile: profile, currency } = clinic;
  const span = { day, currency, fromMs: startOfDay(day, zone), untilMs: startOfDay(daysAfter(day, 1), zone) };
  const read = async (sql: Sql) => ({
    drawerDay: await readDrawerDay(sql, clinicId, span),
    taxes: profile === 'none' ? [] : await taxesOfDay(sql, clinicId, span),
  });
  return inTransaction(pool, read, 'snapshot');
}

export async function readDayEnd(pool: Pool, asked: ClinicDay): Promise<DayEnd> {
  const { clinicId, clinic, day, atMs } = asked;
  const days = await readDayFigures(pool, { clinicId, atMs }, { start: daysAfter(day, -1), end: day });
  const figuresOf = (wanted: string) =>
    days.find((figures) => figures.day === wanted) ?? { day: wanted, ...sumDays([]) };
  const { drawerDay, taxes } = await readMoney(pool, asked);
  const { drawers, count, cash } = drawerDay;
  return dayEnd({
    day,
    today: businessDay(atMs, clinic.time_zone),
    figures: figuresOf(day),
    before: figuresOf(daysAfter(day, -1)),
    drawers: drawers.map((drawer) => dayDrawer(drawer, cash)),
    drawerCount: count,
    cash,
    taxes,
    shelf: await readAlerts(pool, asked),
  });
}
