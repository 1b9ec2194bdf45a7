/** The summary of a business day for the page and for the emails. */
import type { Pool } from 'pg';
import { businessDay, daysAfter, startOfDay } from '../../../domain/business-day.ts';
import { dayDrawer, dayEnd, dayAlerts } from '../../../domain/notification/day-end.ts';
import type { DayEnd, DayAlert } from '../../../domain/notification/day-end.ts';
import { sumDays } from '../../../domain/report/totals.ts';
import type { AttentionResource } from '../../../domain/protocol/sync.ts';
import type { ClinicSettings } from '../../../domain/settings/settings.ts';
import { inTransaction } from '../../db/transaction.ts';
import { listAlerts } from '../alerts/service.ts';
import { openAttention } from '../attention/service.ts';
import { readDrawerDay } from '../drawers/service.ts';
import type { DrawerDay } from '../drawers/service.ts';
import { readDayFigures } from '../reports/service.ts';

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

function readDrawers(pool: Pool, { clinicId, clinic, day }: ClinicDay): Promise<DrawerDay> {
  const [fromMs, untilMs] = [startOfDay(day, clinic.time_zone), startOfDay(daysAfter(day, 1), clinic.time_zone)];
  return inTransaction(pool, (sql) => readDrawerDay(sql, clinicId, { day, fromMs, untilMs }), 'snapshot');
}

export async function readDayEnd(pool: Pool, asked: ClinicDay): Promise<DayEnd> {
  const { clinicId, clinic, day, atMs } = asked;
  const days = await readDayFigures(pool, { clinicId, atMs }, { start: daysAfter(day, -1), end: day });
  const figuresOf = (wanted: string) =>
    days.find((figures) => figures.day === wanted) ?? { day: wanted, ...sumDays([]) };
  const { drawers, count, cash } = await readDrawers(pool, asked);
  return dayEnd({
    day,
    today: businessDay(atMs, clinic.time_zone),
    figures: figuresOf(day),
    before: figuresOf(daysAfter(day, -1)),
    drawers: drawers.map((drawer) => dayDrawer(drawer, cash)),
    drawerCount: count,
    cash,
    shelf: await readAlerts(pool, asked),
  });
}
