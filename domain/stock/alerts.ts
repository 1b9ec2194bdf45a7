/**
 * Stock alerts. An alert is raised when the level reaches its condition, and ends when the condition changes:
 *
 *     in stock ──▶ low ──▶ out          a lot:  fresh ──▶ expiring soon ──▶ expired
 *        ▲──────────┴───────┘                     ▲────────── used up ◀────────┘
 *
 * Each step ends the current alert and raises the next. A user can acknowledge or resolve an alert, which changes only how it
 * is shown. A resolved alert is not raised again while the condition lasts; it is raised again when the condition returns.
 */
import { daysAfter } from '../business-day.ts';
import { stockState } from './ledger.ts';
import { expiringSoonDays } from './vocabulary.ts';
import type { AlertSeverity, AlertType } from './vocabulary.ts';

export interface AlertCondition {
  type: AlertType;
  severity: AlertSeverity;
}

/** Returns the alert condition of a stock level (thousandths). Items that the counter does not sell count too. */
export function levelAlert(quantityMilli: number, thresholdMilli: number): AlertCondition | null {
  switch (stockState(quantityMilli, thresholdMilli)) {
    case 'out_of_stock':
      return { type: 'out_of_stock', severity: 'high' };
    case 'low_stock':
      return { type: 'low_stock', severity: 'medium' };
    case 'in_stock':
      return null;
  }
}

/**
 * Returns the alert condition of a lot. A lot can be used until the end of its expiry day.
 *
 * @param today the business day, YYYY-MM-DD like `expiresOn`
 */
export function lotAlert(
  { remainingMilli, expiresOn }: { remainingMilli: number; expiresOn: string | null },
  today: string,
): AlertCondition | null {
  if (remainingMilli <= 0 || expiresOn === null || expiresOn > daysAfter(today, expiringSoonDays)) return null;
  return { type: 'expiring_soon', severity: expiresOn < today ? 'high' : 'medium' };
}

/** True when a change of the level ends the current alert or raises a new one. */
export function alertChanged(before: AlertCondition | null, now: AlertCondition | null): boolean {
  return before?.type !== now?.type || before?.severity !== now?.severity;
}
