/**
 * When stock calls for a person. An alert stands from when the level calls for it until the level calls for something else:
 *
 *     in stock ──▶ low ──▶ out          a lot:  fresh ──▶ expiring soon ──▶ expired
 *        ▲──────────┴───────┘                     ▲────────── used up ◀────────┘
 *
 * Each step ends the alert that stands and raises the next. Acknowledging and resolving are what a person does about one:
 * they change what the person sees, and not whether it stands. So what somebody has resolved is not raised again while the
 * level stays where it is, and is raised again when the level comes back to it.
 */
import { daysAfter } from '../business-day.ts';
import { stockState } from './ledger.ts';
import { expiringSoonDays } from './vocabulary.ts';
import type { AlertSeverity, AlertType } from './vocabulary.ts';

export interface AlertCondition {
  type: AlertType;
  severity: AlertSeverity;
}

/** What an item's level calls for. Thousandths. Whether the counter sells the item does not matter: supplies are used unsold. */
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
 * What a lot calls for. A lot is good until the end of the day that it expires on.
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

/** Whether the level left what the standing alert is about, or came to what calls for one. */
export function alertChanged(before: AlertCondition | null, now: AlertCondition | null): boolean {
  return before?.type !== now?.type || before?.severity !== now?.severity;
}
