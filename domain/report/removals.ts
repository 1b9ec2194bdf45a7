/**
 * What was taken off treatments after it had been agreed, or given away: by whom, how often and for how much. A manager looks
 * here for a pattern, so nothing that has another trace is left out.
 */
import type { ReportFilters } from './filters.ts';

/**
 * `removed`: a service of a treatment, or a part of its quantity. `cancelled`: a whole treatment. `refunded`: money. `discounted`:
 * a treatment that was not cancelled. `given_up`: work that the server had refused, by a void.
 */
export const removalKinds = ['removed', 'cancelled', 'refunded', 'discounted', 'given_up'] as const;
export type RemovalKind = (typeof removalKinds)[number];

/** The business days of a report, both ends included, and whose removals it has; everybody's without a person. */
export type RemovalFilters = Pick<ReportFilters, 'startDate' | 'endDate'> & { person?: number | undefined };

/** One event. */
export interface Removal {
  /** Unique within the report. */
  id: string;
  kind: RemovalKind;
  /** ISO 8601. */
  at: string;
  person_id: number;
  person: string;
  /** Who approved it for the person; null for nobody. */
  approver: string | null;
  /** The treatment's number; for work that was given up, the number of its document, or empty. */
  number: string;
  order_id: string | null;
  /** The service, or the number of the credit note; empty for others. */
  what: string;
  reason: string;
  /** A wire decimal, positive; 0 where the amount is unknown. */
  amount: number;
  currency: string;
}

export interface RemovalSum {
  count: number;
  amount: number;
}

/** What one person removed in one currency. */
export interface PersonRemovals extends RemovalSum {
  person_id: number;
  person: string;
  currency: string;
  /** Kinds without an event are absent. */
  kinds: Partial<Record<RemovalKind, RemovalSum>>;
}

/** `GET /api/reports/removals?startDate=&endDate=&person=&page=&size=`. The largest amounts first; events newest first. */
export interface RemovalsReport {
  people: PersonRemovals[];
  events: Removal[];
  /** The number of events of all pages. */
  total: number;
}

/** A row of sums in SQL order: one per person, currency and kind. */
export interface RemovalGroup extends RemovalSum {
  person_id: number;
  person: string;
  currency: string;
  kind: RemovalKind;
}

/** Adds up groups by person and currency. */
export function removalsByPerson(groups: readonly RemovalGroup[]): PersonRemovals[] {
  const people = new Map<string, PersonRemovals>();
  for (const { person_id, person, currency, kind, count, amount } of groups) {
    const key = `${person_id} ${currency}`;
    const sums = people.get(key) ?? { person_id, person, currency, kinds: {}, count: 0, amount: 0 };
    sums.kinds[kind] = { count, amount };
    sums.count += count;
    // Wire decimals: cents are whole again after each sum.
    sums.amount = Math.round((sums.amount + amount) * 100) / 100;
    people.set(key, sums);
  }
  return [...people.values()].toSorted((a, b) => b.amount - a.amount || b.count - a.count || a.person_id - b.person_id);
}
