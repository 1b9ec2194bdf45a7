/** The printed Z report: rows of text in the user's language. */
import type { NamedHead } from '../fiscal/verify.ts';
import { currencyLabel, formatMinor } from '../money.ts';
import { paymentMethods } from '../order/vocabulary.ts';
import type { PaymentMethod } from '../order/vocabulary.ts';
import { printedDates, unbroken } from '../printed-dates.ts';
import { inPart } from '../printed-row.ts';
import type { PrintedRow } from '../printed-row.ts';
import type { ClinicSettings } from '../settings/settings.ts';
import type { DrawerRow } from './resource.ts';
import { taxTotalRows } from '../order/printed-tax.ts';
import type { TaxLabels } from '../order/printed-tax.ts';
import { taxTotalToWire } from '../tax/wire.ts';
import { sumOf } from './report.ts';
import type { AwaitedDevice, DrawerReport, OtherTakings, ReportedMovement, Sum } from './report.ts';

export interface ReportLabels {
  title: string;
  device: string;
  opened: string;
  openedBy: string;
  closed: string;
  closedBy: string;
  /** Before what may be missing from the report. */
  provisional: string;
  stillOpen: string;
  server: string;
  /** Before the time of the last contact. */
  silentSince: string;
  neverHeard: string;
  float: string;
  sales: string;
  refunds: string;
  discounts: string;
  moneyIn: string;
  moneyOut: string;
  late: string;
  expected: string;
  counted: string;
  difference: string;
  /** Of all methods. */
  total: string;
  invoices: string;
  /** Above the last fiscal record of each device. */
  chains: string;
  notes: string;
  /** Before the code of another currency. */
  apart: string;
  method: string;
  methods: Record<PaymentMethod, string>;
  tax: TaxLabels;
}

export interface ReportContext {
  settings: ClinicSettings;
  language: 'en' | 'sp';
  labels: ReportLabels;
}

const rule: PrintedRow = { style: 'rule' };
const pair = (left: string, right: string): PrintedRow => ({ style: 'pair', left, right });
const small = (left: string): PrintedRow => ({ style: 'small', left });
const heading = (left: string): PrintedRow => ({ style: 'text', left });
const when = (condition: boolean, ...rows: PrintedRow[]): PrintedRow[] => (condition ? rows : []);

/** The digits of a seal on paper: enough that no other record has them. */
const sealDigits = 16;

/**
 * Returns the last fiscal record of each chain, so that nobody can cut off the end of a chain unnoticed afterwards.
 *
 * @param own the head of the device that prints, which the server may not have yet
 */
function headRows(labels: ReportLabels, { devices }: DrawerRow, own: NamedHead | null): PrintedRow[] {
  const heads = new Map(devices.flatMap(({ head }) => (head ? [[head.chain, head]] : [])));
  if (own) heads.set(own.chain, own);
  if (heads.size === 0) return [];
  const inOrder = [...heads.values()].sort((a, b) => (a.chain < b.chain ? -1 : 1));
  return [
    rule,
    heading(labels.chains),
    ...inOrder.map(({ chain, sequence, seal }) => pair(`${chain} · ${sequence}`, seal.slice(0, sealDigits))),
  ];
}

/**
 * Returns the rows of a report. A provisional one says in one line what may be missing, and why.
 *
 * @param own the last fiscal record of the device that prints
 */
export function reportRows(
  { settings, language, labels }: ReportContext,
  drawer: DrawerRow,
  report: DrawerReport,
  own: NamedHead | null = null,
): PrintedRow[] {
  const { times } = printedDates(language, settings.time_zone);
  const moment = (atMs: number) => times.format(atMs);
  const money = (minor: number) => formatMinor(minor, currencyLabel(drawer.currency));
  const name = (id: number) => drawer.people[id] ?? `#${id}`;
  const counted = (label: string, { count, amountMinor }: Sum) =>
    when(count > 0, pair(`${label} (${count})`, money(amountMinor)));
  const { close } = drawer;
  const awaited = ({ deviceId, name: device, code, sinceMs }: AwaitedDevice): string => {
    const who = deviceId === null ? labels.server : [device, code].filter(Boolean).join(' · ');
    return `${who} (${sinceMs === null ? labels.neverHeard : `${labels.silentSince} ${unbroken(moment(sinceMs))}`})`;
  };
  const missing = report.awaits.length > 0 ? report.awaits.map(awaited).join(', ') : labels.stillOpen;
  const moved = ({ amountMinor, reason, actorId, atMs, isLate }: ReportedMovement): PrintedRow[] => [
    pair(amountMinor < 0 ? labels.moneyOut : labels.moneyIn, money(amountMinor)),
    small(`${reason} · ${name(actorId)}, ${moment(atMs)}${isLate ? ` · ${labels.late}` : ''}`),
  ];
  return [
    { style: 'title', left: settings.practice_name, part: 'practice' },
    { style: 'title', left: labels.title, part: 'title' },
    ...inPart('facts', [
      pair(labels.device, drawer.deviceCode),
      pair(labels.opened, moment(drawer.openedAtMs)),
      pair(labels.openedBy, name(drawer.openedBy)),
      ...(close ? [pair(labels.closed, moment(close.atMs)), pair(labels.closedBy, name(close.actorId))] : []),
    ]),
    ...when(!report.isFinal, rule, heading(`${labels.provisional} ${missing}`)),
    rule,
    pair(`${labels.sales} (${report.sales.count})`, money(report.sales.amountMinor)),
    ...counted(labels.refunds, report.refunds),
    ...counted(labels.discounts, { ...report.discounts, amountMinor: -report.discounts.amountMinor }),
    ...report.invoices.map(({ first, last, count }) =>
      pair(`${labels.invoices} (${count})`, first === last ? first : `${first} – ${last}`),
    ),
    ...(report.others ?? []).flatMap((other) => otherRows(labels, other)),
    ...taxTotalRows(labels.tax, { minor: money, pair }, (report.taxes ?? []).map(taxTotalToWire)),
    rule,
    pair(labels.float, money(drawer.floatMinor)),
    ...report.movements.flatMap(moved),
    ...inPart('table', [
      {
        style: 'head',
        cells: [labels.method, labels.expected, ...(report.counted ? [labels.counted, labels.difference] : [])],
      },
      ...paymentMethods.flatMap((method) => methodRows(labels, report, method, money)),
      rule,
      ...sumRows(labels, report, money),
    ]),
    ...headRows(labels, drawer, own),
    ...when(Boolean(close?.notes), rule, ...inPart('notes', [small(`${labels.notes}: ${close?.notes ?? ''}`)])),
  ];
}

/** What was taken in another currency: it is in the drawer, but in none of the sums. */
function otherRows(labels: ReportLabels, { currency, sales, refunds, taken }: OtherTakings): PrintedRow[] {
  const money = (minor: number) => formatMinor(minor, currencyLabel(currency));
  return [
    rule,
    heading(`${labels.apart} ${currencyLabel(currency)}`),
    pair(`${labels.sales} (${sales.count})`, money(sales.amountMinor)),
    ...when(refunds.count > 0, pair(`${labels.refunds} (${refunds.count})`, money(refunds.amountMinor))),
    ...paymentMethods.flatMap((method) =>
      when(taken[method] !== 0, pair(labels.methods[method], money(taken[method]))),
    ),
  ];
}

/** A method that nothing was taken by, and nothing counted of, is worth one line on a strip; cash always has its own. */
function methodRows(
  labels: ReportLabels,
  { expected, counted, difference }: DrawerReport,
  method: PaymentMethod,
  money: (minor: number) => string,
): PrintedRow[] {
  const name = labels.methods[method];
  const ofCount = counted && difference ? [money(counted[method]), money(difference[method])] : [];
  const cells = [name, money(expected[method]), ...ofCount];
  const isIdle = method !== 'cash' && expected[method] === 0 && (counted?.[method] ?? 0) === 0;
  if (isIdle) return [rule, { ...pair(name, money(0)), cells }];
  return [
    rule,
    { ...heading(name), cells },
    pair(labels.expected, money(expected[method])),
    ...(counted && difference
      ? [pair(labels.counted, money(counted[method])), pair(labels.difference, money(difference[method]))]
      : []),
  ];
}

/** Returns what all methods come to: on a sheet the last row of their table. */
function sumRows(
  labels: ReportLabels,
  { expected, counted, difference }: DrawerReport,
  money: (minor: number) => string,
): PrintedRow[] {
  const sums = [expected, ...(counted && difference ? [counted, difference] : [])].map((each) => money(sumOf(each)));
  const names = [labels.expected, labels.counted, labels.difference];
  return sums.map((sum, at) =>
    at < sums.length - 1
      ? pair(names[at]!, sum)
      : { style: 'total', left: names[at]!, right: sum, cells: [labels.total, ...sums] },
  );
}
