import { useTranslation } from 'react-i18next';
import type { DayDrawer, DayEnd, DayAlert } from '#domain/notification/day-end.ts';
import { currencyLabel, formatMinor, minorFromWire } from '#domain/money.ts';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { useGrowth } from '#src/formats/use-growth.ts';
import { unbroken, useMoney } from '#src/formats/money.tsx';
import { useTaxRows } from '#src/formats/use-tax-rows.ts';
import { useUnitName } from '#src/formats/use-unit-name.ts';
import type { SummaryRow } from '#src/ui/summary-rows.tsx';

export interface SummarySection {
  title: string;
  rows: SummaryRow[];
  /** Shown when there are no rows. */
  emptyText: string;
}

export interface DayEndSummary {
  title: string;
  /** Tells whether the day is over or the figures can still change. */
  status: string;
  sections: SummarySection[];
}

/** Returns a function that writes the summary in the user's language. Screen and printer show the same summary. */
export function useDayEndSummary(): (end: DayEnd) => DayEndSummary {
  const { t } = useTranslation();
  const { longDay, quantity } = useClinicFormats();
  const { growth } = useGrowth();
  const money = useMoney();
  const drawerRow = useDrawerRow();
  const alertRow = useAlertRow();
  const cashSection = useCashSection();
  const othersSection = useOthersSection();
  const taxRows = useTaxRows();
  const row = (name: string, value: string, more: Partial<SummaryRow> = {}): SummaryRow => ({
    key: name,
    name,
    value,
    ...more,
  });
  const amount = (name: 'gross' | 'discounts' | 'serviceCharge' | 'average', wire: number) =>
    row(t(`dayEnd.${name}`), money(wire));
  return (end) => ({
    title: t('dayEnd.title', { day: longDay(end.day) }),
    status: t(end.isOver ? 'dayEnd.over' : 'dayEnd.running'),
    sections: [
      {
        title: t('dayEnd.money'),
        emptyText: '',
        rows: [
          amount('gross', end.gross),
          row(t('dayEnd.refunds'), money(end.refunds === 0 ? 0 : -end.refunds)),
          row(t('dayEnd.revenue'), money(end.revenue), {
            isSum: true,
            note: t('dayEnd.before', {
              amount: unbroken(money(end.before.revenue)),
              change: growth(end.before.change),
            }),
          }),
          amount('discounts', end.discounts),
          amount('serviceCharge', end.serviceCharge),
        ],
      },
      ...othersSection(end),
      {
        title: t('dayEnd.methods'),
        emptyText: t('dayEnd.nothing.methods'),
        rows: end.byMethod.map(({ method, count, amount: taken }) =>
          row(t(`counter.methods.${method}`), money(taken), { note: t('reports.methods.payments', { count }) }),
        ),
      },
      {
        title: t('dayEnd.treatments'),
        emptyText: '',
        rows: [
          row(t('dayEnd.orders'), quantity(end.orders)),
          row(t('dayEnd.completed'), quantity(end.completed)),
          row(t('dayEnd.cancelled'), quantity(end.cancelled)),
          amount('average', end.averageOrder),
        ],
      },
      {
        title: t('dayEnd.services'),
        emptyText: t('dayEnd.nothing.services'),
        rows: end.topServices.map(({ name, quantity: sold, revenue }) =>
          row(name, money(revenue), { note: t('reports.top.sold', { quantity: quantity(sold) }) }),
        ),
      },
      ...cashSection(end),
      ...(end.taxes.length > 0 ? [{ title: t('tax.report.title'), emptyText: '', rows: taxRows(end.taxes) }] : []),
      {
        title: t('dayEnd.drawers'),
        emptyText: t('dayEnd.nothing.drawers'),
        rows: [
          ...(end.drawerCount > end.drawers.length
            ? [row(t('dayEnd.moreDrawers'), quantity(end.drawerCount - end.drawers.length))]
            : []),
          ...end.drawers.map(drawerRow),
        ],
      },
      { title: t('dayEnd.shelf'), emptyText: t('dayEnd.nothing.shelf'), rows: end.shelf.map(alertRow) },
    ],
  });
}

/** Returns a function that states what is in other currencies. */
function useOthersSection(): (end: DayEnd) => SummarySection[] {
  const { t } = useTranslation();
  const { quantity } = useClinicFormats();
  return ({ others }) => {
    if (others.length === 0) return [];
    const rows = others.map(({ currency, orders, revenue }) => ({
      key: currency,
      name: currencyLabel(currency),
      value: moneyIn(currency)(revenue),
      note: t('dayEnd.othersNote', { orders: quantity(orders) }),
    }));
    return [{ title: t('dayEnd.others'), emptyText: '', rows }];
  };
}

const moneyIn =
  (currency: string) =>
  (wire: number): string =>
    formatMinor(minorFromWire(wire), currencyLabel(currency));

/** Returns a function that adds up the day's cash; of a day without cash, to nothing. */
function useCashSection(): (end: DayEnd) => SummarySection[] {
  const { t } = useTranslation();
  const money = useMoney();
  return ({ cash: { inDrawers, outside, outsideCount }, byMethod }) => {
    const taken = byMethod.find(({ method }) => method === 'cash');
    if (!taken) return [];
    const rows: SummaryRow[] = [
      { key: 'drawers', name: t('dayEnd.cashInDrawers'), value: money(inDrawers) },
      {
        key: 'outside',
        name: t('dayEnd.cashOutside'),
        value: money(outside),
        ...(outsideCount > 0 && { note: t('dayEnd.cashOutsideCount', { count: outsideCount }), tone: 'due' }),
      },
      { key: 'total', name: t('dayEnd.cashTotal'), value: money(taken.amount), isSum: true },
    ];
    return [{ title: t('dayEnd.cash'), emptyText: '', rows }];
  };
}

function useDrawerRow(): (drawer: DayDrawer) => SummaryRow {
  const { t } = useTranslation();
  const { dateTime } = useClinicFormats();
  const money = useMoney();
  return ({ id, device, currency, opened_at, closed_at, closedBy, expected, counted, difference, cash, isFinal }) => {
    const amount = moneyIn(currency);
    const name = t('dayEnd.drawer', { device, time: dateTime(opened_at) });
    if (!closed_at || expected === null || counted === null || difference === null)
      return { key: id, name, value: t('dayEnd.drawerOpen') };
    const notes = [
      t('dayEnd.drawerClosed', {
        time: dateTime(closed_at),
        name: closedBy,
        expected: amount(expected),
        counted: amount(counted),
      }),
      cash !== null && cash !== 0 && t('dayEnd.drawerCash', { amount: money(cash) }),
      !isFinal && t('drawer.standing.provisional'),
    ];
    return {
      key: id,
      name,
      note: notes.filter(Boolean).join(' · '),
      value: difference === 0 ? t('drawer.report.exact') : amount(difference),
      ...(difference !== 0 && { tone: difference < 0 ? 'refused' : 'due' }),
    };
  };
}

function useAlertRow(): (call: DayAlert, index: number) => SummaryRow {
  const { t } = useTranslation();
  const { day, quantity } = useClinicFormats();
  const unitName = useUnitName();
  return ({ name, type, unit, quantity: left, supplier, expires_on, isNew }, index) => {
    const details = [
      t(`stock.alertTypes.${type}`),
      expires_on && day(expires_on),
      supplier,
      isNew && t('dayEnd.shelfNew'),
    ];
    return {
      key: `${index}`,
      name,
      note: details.filter(Boolean).join(' · '),
      value: `${quantity(left)} ${unitName(unit)}`,
    };
  };
}
