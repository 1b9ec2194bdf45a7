/** The day-end summary: a business day's totals, drawers and stock alerts, for the page and the email. */
import { daysAfter } from '../business-day.ts';
import { minorToWire } from '../money.ts';
import type { ByMethod } from '../drawer/drawer.ts';
import { reportFromResource } from '../drawer/resource.ts';
import type { DrawerReportResource, DrawerRowResource } from '../drawer/resource.ts';
import { sumOf } from '../drawer/report.ts';
import type { CashShares } from '../drawer/report.ts';
import type { PaymentMethod } from '../order/vocabulary.ts';
import { milliToWire } from '../quantity.ts';
import type { TaxTotalPayload } from '../tax/wire.ts';
import { otherRevenue } from '../report/reports.ts';
import type { OtherRevenue } from '../report/resources.ts';
import { averageOrder, changeOf, netOf, revenueOf } from '../report/totals.ts';
import type { DailyTotals } from '../report/totals.ts';
import { topProductCount } from '../report/vocabulary.ts';
import type { StockAlertResource } from '../stock/resources.ts';
import type { AlertSeverity, AlertType } from '../stock/vocabulary.ts';

/** A stock alert in the summary. */
export interface DayAlert {
  name: string;
  type: AlertType;
  severity: AlertSeverity;
  quantity: number;
  unit: string;
  threshold: number;
  supplier: string;
  /** Set for a lot that expires. */
  expires_on: string | null;
  /** True when the alert was raised on that day. */
  isNew: boolean;
}

/** A drawer that was open on the day. The amounts of an open drawer are hidden, so that the count stays blind. */
export interface DayDrawer {
  id: string;
  /** The code of the device that opened it. */
  device: string;
  /** Of `expected`, `counted` and `difference`. */
  currency: string;
  opened_at: string;
  closed_at: string | null;
  closedBy: string;
  /** Sums over all methods; null until the drawer is closed. */
  expected: number | null;
  counted: number | null;
  difference: number | null;
  /** The cash payments of this day in it, less refunds, in the clinic's currency; null until the drawer is closed. */
  cash: number | null;
  /** True when no device is awaited any more. */
  isFinal: boolean;
}

/**
 * The day's payments in cash less its refunds in cash. The drawers and what is outside add up to the day's cash under
 * `byMethod`.
 */
export interface DayCash {
  inDrawers: number;
  /** Taken and given back while no drawer was open. */
  outside: number;
  /** The number of payments and refunds outside. */
  outsideCount: number;
}

/** `GET /reports/day-end?day=`. Amounts are wire decimals, defined in `report/totals.ts`. */
export interface DayEnd {
  day: string;
  /** True when the day has ended. */
  isOver: boolean;
  orders: number;
  completed: number;
  cancelled: number;
  gross: number;
  refunds: number;
  revenue: number;
  discounts: number;
  serviceCharge: number;
  net: number;
  averageOrder: number;
  /** The day before, and the change in percent with one decimal; null from 0. */
  before: { day: string; revenue: number; change: number | null };
  /** The largest amount first. */
  byMethod: { method: PaymentMethod; count: number; amount: number }[];
  topServices: { name: string; quantity: number; revenue: number }[];
  drawers: DayDrawer[];
  /** Greater than the length of `drawers` when there are too many to list: then it has the last opened ones. */
  drawerCount: number;
  cash: DayCash;
  /** The amounts by tax of the day's documents; empty without a tax profile. */
  taxes: TaxTotalPayload[];
  /** What the figures above leave out, by currency. */
  others: OtherRevenue[];
  /** The open alerts, new ones first, then by severity. */
  shelf: DayAlert[];
}

export interface DayEndInput {
  day: string;
  /** The clinic's business day now. */
  today: string;
  figures: DailyTotals;
  before: DailyTotals;
  drawers: DayDrawer[];
  drawerCount: number;
  cash: CashShares;
  taxes: TaxTotalPayload[];
  shelf: DayAlert[];
}

export function dayEnd({ day, today, figures, before, drawers, drawerCount, cash, taxes, shelf }: DayEndInput): DayEnd {
  const [revenueMinor, beforeMinor] = [revenueOf(figures), revenueOf(before)];
  return {
    day,
    isOver: day < today,
    orders: figures.orders,
    completed: figures.completed,
    cancelled: figures.cancelled,
    gross: minorToWire(figures.grossMinor),
    refunds: minorToWire(figures.refundsMinor),
    revenue: minorToWire(revenueMinor),
    discounts: minorToWire(figures.discountMinor),
    serviceCharge: minorToWire(figures.chargeMinor),
    net: minorToWire(netOf(figures)),
    averageOrder: minorToWire(averageOrder(figures)),
    before: { day: daysAfter(day, -1), revenue: minorToWire(beforeMinor), change: changeOf(revenueMinor, beforeMinor) },
    byMethod: figures.byMethod
      .toSorted((a, b) => b.revenueMinor - a.revenueMinor)
      .map(({ method, count, revenueMinor: amount }) => ({ method, count, amount: minorToWire(amount) })),
    topServices: figures.products
      .toSorted((a, b) => b.revenueMinor - a.revenueMinor || (a.name < b.name ? -1 : 1))
      .slice(0, topProductCount)
      .map(({ name, quantityMilli, revenueMinor: amount }) => ({
        name,
        quantity: milliToWire(quantityMilli),
        revenue: minorToWire(amount),
      })),
    drawers,
    drawerCount,
    cash: {
      inDrawers: minorToWire([...cash.byDrawer.values()].reduce((sum, { amountMinor }) => sum + amountMinor, 0)),
      outside: minorToWire(cash.outside.amountMinor),
      outsideCount: cash.outside.count,
    },
    taxes,
    others: otherRevenue(figures),
    shelf,
  };
}

export function dayDrawer(
  {
    id,
    device_code,
    currency,
    opened_at,
    closed_at,
    closed_by,
    people,
    report,
  }: DrawerRowResource & { report: DrawerReportResource },
  { byDrawer }: CashShares,
): DayDrawer {
  const { expected, counted, difference, isFinal } = reportFromResource(report);
  const whole = (amounts: ByMethod | null) => (closed_at && amounts ? minorToWire(sumOf(amounts)) : null);
  return {
    id,
    device: device_code,
    currency,
    opened_at,
    closed_at,
    closedBy: people[closed_by ?? ''] ?? '',
    expected: whole(expected),
    counted: whole(counted),
    difference: whole(difference),
    cash: closed_at ? minorToWire(byDrawer.get(id)?.amountMinor ?? 0) : null,
    isFinal,
  };
}

/**
 * Returns the alerts of the summary: new ones first, then by severity and name.
 *
 * @param began returns true if this instant (ISO 8601), when an alert was raised, is on that day
 */
export function dayAlerts(alerts: readonly StockAlertResource[], began: (raisedAt: string) => boolean): DayAlert[] {
  const calls = alerts.map(
    ({ Stock, alert_type, severity, current_quantity, threshold_quantity, unit, lot, created_at }): DayAlert => ({
      name: Stock.name,
      type: alert_type,
      severity,
      quantity: lot ? lot.remaining : current_quantity,
      unit,
      threshold: threshold_quantity,
      supplier: Stock.supplier,
      expires_on: lot?.expires_on ?? null,
      isNew: began(created_at),
    }),
  );
  const place = ({ isNew, severity }: DayAlert) => (isNew ? 0 : 2) + (severity === 'high' ? 0 : 1);
  return calls.sort((a, b) => place(a) - place(b) || (a.name < b.name ? -1 : 1));
}
