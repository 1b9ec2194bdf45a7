/**
 * Reports on the wire. Amounts are decimals with two places, days are `YYYY-MM-DD` in the clinic's time zone, instants
 * are ISO 8601. `totals.ts` defines the totals. Requests with a comparison take `language` (`en` or `sp`; default: the
 * clinic's language) for the comparison's text.
 */
import type { DaySpan } from '../expense/periods.ts';
import type { OrderType, PaymentMethod } from '../order/vocabulary.ts';
import type { Pagination } from '../pagination.ts';
import type { Comparison, ReportPeriod, ReportStatus } from './vocabulary.ts';

/** What was sold in another currency than the report's, which its figures leave out. */
export interface OtherRevenue {
  currency: string;
  /** Treatments that are not cancelled. */
  orders: number;
  revenue: number;
}

/** One day of a chart, with the day that it is compared with, if that has begun. */
export interface DayFigures {
  day: string;
  orders: number;
  revenue: number;
  compared: { day: string; revenue: number } | null;
}

/** What the clinic wants to earn in the month of today (setting `month_target`), and a working day's part of it. */
export interface RevenueTarget {
  month: number;
  day: number;
  /** The revenue of the month so far. */
  reached: number;
}

/** `GET /admin/dashboard/stats`. */
export interface DashboardStats {
  asOf: string;
  /** The last day before today on which the clinic worked; yesterday when it worked on none of the last seven. */
  comparedDay: string;
  todaysOrders: { count: number; previous: number; comparisonText: string };
  todaysRevenue: {
    amount: number;
    previous: number;
    comparisonText: string;
    /** Against the whole compared day, with one decimal; null from 0. */
    percentageChange: number | null;
  };
  /** Treatments of any day that are not fully paid. */
  activeOrders: number;
  /** The last seven days, the oldest first, compared with the seven before. */
  week: DayFigures[];
  /** Null without a target. */
  target: RevenueTarget | null;
  /** In these days. */
  others: OtherRevenue[];
}

/** One row of the income report's table. */
export interface IncomeRow {
  /** An hour (`14:00`) of today's report, else a day. */
  period: string;
  orders: number;
  gross: number;
  /** Positive. */
  refunds: number;
  service_charge: number;
  net: number;
}

/** `GET /admin/dashboard/income-report?period=`. */
export interface IncomeReport {
  period: ReportPeriod;
  dateRange: DaySpan;
  summary: {
    totalOrders: number;
    grossIncome: number;
    /** Positive. */
    refunds: number;
    discounts: number;
    serviceCharge: number;
    netIncome: number;
  };
  /** Newest first, without empty hours and days. */
  breakdown: IncomeRow[];
  others: OtherRevenue[];
}

/** `GET /reports/analytics?period=&compare=`. */
export interface Analytics {
  period: ReportPeriod;
  dateRange: DaySpan;
  comparison: Comparison;
  comparedRange: DaySpan;
  totalRevenue: { amount: number; previous: number; comparisonText: string };
  /** Positive. */
  totalRefunds: { amount: number; count: number };
  totalDiscounts: { amount: number; count: number };
  /** Approved ones only. */
  totalExpenses: { amount: number };
  /** `amount` is negative for a loss; `margin` is a percentage with two decimals. */
  netProfit: { amount: number; isPositive: boolean; margin: number };
  /** `percentage` is null from 0. */
  growthRate: { percentage: number | null; formattedPercentage: string };
  completedOrders: number;
  cancelledOrders: number;
  averageOrder: { amount: number };
  /** The largest revenue first; `share` is a percentage with one decimal. */
  byType: { type: OrderType; count: number; revenue: number; share: number }[];
  /** `count` counts payments and refunds alike. */
  byMethod: { method: PaymentMethod; count: number; amount: number }[];
  /** Hours of the clinic's clock, 0 to 23, in which money moved, the earliest first. */
  byHour: { hour: number; amount: number }[];
  /** Every day of the period, the oldest first. */
  byDay: DayFigures[];
  /** Null without a target. */
  target: RevenueTarget | null;
  /** The largest revenue first, at most five. */
  topProducts: { name: string; quantity: number; revenue: number }[];
  others: OtherRevenue[];
  /** The newest treatments of the period, at most fifty, including cancelled ones. */
  data: ReportOrder[];
}

export interface ReportItem {
  name: string;
  quantity: number;
  /** The agreed unit price. */
  unit_cost: number;
  /** The line's total. */
  price: number;
  notes: string;
}

/** One treatment in a report. */
export interface ReportOrder {
  id: string;
  number: string;
  order_type: OrderType;
  status: ReportStatus;
  customer_name: string;
  created_at: string;
  business_day: string;
  currency: string;
  items_count: number;
  /** What was agreed, after discount and service charge; a refund does not change it. */
  total: number;
  /** The sum of all payments, without subtracting refunds. */
  paid: number;
  /** Positive. */
  refunded: number;
  discount: number;
  invoice_numbers: string[];
  items: ReportItem[];
}

/** A number of treatments, and the sums of their `total`, `paid` and `refunded`. */
export interface ReportSums {
  count: number;
  total: number;
  paid: number;
  refunded: number;
}

/** The sums of the treatments in one currency. */
export interface CurrencySums {
  currency: string;
  /** Without the cancelled treatments. */
  sums: ReportSums;
  /** Of the cancelled treatments alone. */
  cancelled: ReportSums;
}

/** `GET /reports/orders` (filters, page, size): newest first. */
export interface ReportOrderList {
  data: ReportOrder[];
  pagination: Pagination;
}

/** `GET /reports/sales/preview` (filters, page, size): one page, with the count and sums of all matches, in the clinic's currency. */
export interface SalesPreview extends CurrencySums {
  data: ReportOrder[];
  /** The number of all matches, whatever their status and currency. */
  total: number;
  /** The sums in other currencies, which never add up with these. */
  others: CurrencySums[];
}
