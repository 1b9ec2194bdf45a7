/** What a day came to, read for the page and for the letters. */
import type { Pool } from 'pg';
import { businessDay, daysAfter, startOfDay } from '../../../domain/business-day.ts';
import { dayDrawer, dayEnd, dayAlerts } from '../../../domain/notification/day-end.ts';
import type { DayDrawer, DayEnd, DayAlert } from '../../../domain/notification/day-end.ts';
import { sumDays } from '../../../domain/report/totals.ts';
import type { AttentionResource } from '../../../domain/protocol/sync.ts';
import type { ClinicSettings } from '../../../domain/settings/settings.ts';
import { inTransaction } from '../../db/transaction.ts';
import { listAlerts } from '../alerts/service.ts';
import { openAttention } from '../attention/service.ts';
import { drawersOpenIn, reportDrawers } from '../drawers/service.ts';
import { readDayFigures } from '../reports/service.ts';

/** A clinic and one of its business days; `atMs` is now, in milliseconds since 1970. */
export interface ClinicDay {
  clinicId: number;
  clinic: ClinicSettings;
  day: string;
  atMs: number;
}

/** More are not read in a mail; their own pages have all. */
const longestShelf = 100;
const longestTray = 100;

/** What somebody must look at, as a letter may tell it: who was treated stays out. */
export interface TrayItem {
  kind: AttentionResource['kind'];
  /** Of the treatment; empty where it is about none. */
  number: string;
  /** The code of the device that it came from; empty where it came from none. */
  device: string;
  raisedAt: string;
  isNew: boolean;
}

/** The alerts that are open now, those of the day told apart from older ones. */
export async function readShelf(pool: Pool, { clinicId, clinic, day }: ClinicDay): Promise<DayAlert[]> {
  const { rows } = await inTransaction(
    pool,
    (sql) => listAlerts(sql, clinicId, 'open', { limit: longestShelf, offset: 0 }),
    'snapshot',
  );
  return dayAlerts(rows, (raisedAt) => businessDay(Date.parse(raisedAt), clinic.time_zone) === day);
}

/** What stands in the tray now, with whether the day brought it. */
export async function readTray(pool: Pool, { clinicId, clinic, day }: ClinicDay): Promise<TrayItem[]> {
  const items = await inTransaction(pool, (sql) => openAttention(sql, clinicId, longestTray), 'snapshot');
  return items.map(({ kind, details, created_at }) => ({
    kind,
    number: String(details['number'] ?? ''),
    device: String(details['device'] ?? ''),
    raisedAt: created_at,
    isNew: businessDay(Date.parse(created_at), clinic.time_zone) === day,
  }));
}

async function readDrawers(pool: Pool, { clinicId, clinic, day }: ClinicDay): Promise<DayDrawer[]> {
  const [fromMs, untilMs] = [startOfDay(day, clinic.time_zone), startOfDay(daysAfter(day, 1), clinic.time_zone)];
  const drawers = await inTransaction(
    pool,
    async (sql) => reportDrawers(sql, clinicId, await drawersOpenIn(sql, clinicId, { fromMs, untilMs })),
    'snapshot',
  );
  return drawers.map(dayDrawer);
}

export async function readDayEnd(pool: Pool, asked: ClinicDay): Promise<DayEnd> {
  const { clinicId, clinic, day, atMs } = asked;
  const days = await readDayFigures(pool, { clinicId, atMs }, { start: daysAfter(day, -1), end: day });
  const figuresOf = (wanted: string) =>
    days.find((figures) => figures.day === wanted) ?? { day: wanted, ...sumDays([]) };
  return dayEnd({
    day,
    today: businessDay(atMs, clinic.time_zone),
    figures: figuresOf(day),
    before: figuresOf(daysAfter(day, -1)),
    drawers: await readDrawers(pool, asked),
    shelf: await readShelf(pool, asked),
  });
}
