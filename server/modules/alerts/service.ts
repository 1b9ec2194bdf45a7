/**
 * Alerts about stock levels and expiring lots. They are raised and ended in the transaction that changes the level or
 * the lot.
 */
import { businessDay } from '#domain/business-day.ts';
import { alertChanged, levelAlert, lotAlert } from '#domain/stock/alerts.ts';
import { accept, refuse } from '#domain/result.ts';
import type { Result } from '#domain/result.ts';
import type { StockAlertResource } from '#domain/stock/resources.ts';
import type { Sql } from '#server/db/sql.ts';
import { recordAudit } from '../audit/service.ts';
import type { Actor } from '../audit/service.ts';
import { clinicSettings } from '../clinics/service.ts';
import { loadAlert, loadLevels, loadLots, lockAlert, lockAlertedItems, setAlertStatus, settleAlerts } from './store.ts';
import type { Standing } from './store.ts';

export { alertStats, listAlerts, settleAlerts } from './store.ts';
export type { Standing } from './store.ts';

/**
 * Raises and ends the alerts of these items and of their lots to match the current levels. The ledger does this for the
 * levels that it changes; call this after every other change of an item (threshold, lot tracking, deletion, creation),
 * in the same transaction.
 */
export async function refreshAlerts(
  sql: Sql,
  clinicId: number,
  atMs: number,
  stockIds: readonly number[],
): Promise<void> {
  if (stockIds.length === 0) return;
  await lockAlertedItems(sql, clinicId, stockIds);
  await settleAlerts(sql, clinicId, atMs, await outdated(sql, clinicId, atMs, stockIds));
}

/**
 * Returns the alert that each of these items and lots should have, where the open alert differs. `stockIds` null means
 * all items.
 */
export async function outdated(
  sql: Sql,
  clinicId: number,
  atMs: number,
  stockIds: readonly number[] | null,
): Promise<Standing[]> {
  const { time_zone: timeZone } = await clinicSettings(sql, clinicId);
  const today = businessDay(atMs, timeZone);
  const levels = (await loadLevels(sql, clinicId, stockIds)).map(({ standing, isKept, ...level }) => ({
    standing,
    now: { ...level, lotId: null, call: isKept ? levelAlert(level.quantityMilli, level.thresholdMilli) : null },
  }));
  const lots = (await loadLots(sql, clinicId, stockIds)).map(({ standing, isKept, lot, ...level }) => ({
    standing,
    now: { ...level, lotId: lot.id, call: isKept ? lotAlert(lot, today) : null },
  }));
  return [...levels, ...lots].filter(({ standing, now }) => alertChanged(standing, now.call)).map(({ now }) => now);
}

const steps = {
  acknowledge: { status: 'acknowledged', audit: 'alert.acknowledge' },
  resolve: { status: 'resolved', audit: 'alert.resolve' },
} as const;
export type AlertStep = keyof typeof steps;

/** Acknowledges or resolves an alert. A repetition changes nothing; a resolved alert cannot be acknowledged. */
export async function takeStep(
  sql: Sql,
  actor: Actor & { userId: number },
  { alertId, step, atMs }: { alertId: number; step: AlertStep; atMs: number },
): Promise<Result<StockAlertResource>> {
  const { clinicId, userId } = actor;
  const { status, audit } = steps[step];
  const alert = await lockAlert(sql, clinicId, alertId);
  if (!alert) return refuse('ALERT_NOT_FOUND');
  if (alert.status === 'resolved' && step === 'acknowledge') return refuse('ALERT_RESOLVED');
  if (alert.status !== status) {
    await setAlertStatus(sql, clinicId, alertId, { status, userId, atMs });
    await recordAudit(sql, actor, {
      action: audit,
      subject: String(alertId),
      details: { stock_id: alert.stockId },
      at: atMs,
    });
  }
  return accept((await loadAlert(sql, clinicId, alertId))!);
}
