import { useTranslation } from 'react-i18next';
import type { DayDrawer, DayEnd, DayAlert } from '../../../../domain/notification/day-end.ts';
import { useClinicFormats } from '../../../formats/use-formats.ts';
import { useMoney } from '../../../formats/money.tsx';

export interface SheetRow {
  key: string;
  name: string;
  /** What belongs to it, in a line below. */
  note?: string;
  value: string;
  /** The sum of what stands above it. */
  isSum?: boolean;
  tone?: 'refused' | 'due';
}

export interface SheetSection {
  title: string;
  rows: SheetRow[];
  /** Stands in the place of no rows. */
  nothing: string;
}

export interface Sheet {
  title: string;
  /** What must be known to read the figures. */
  state: string;
  sections: SheetSection[];
}

/** The day in the reader's words: what the screen shows is what the printer prints. */
export function useSheet(): (end: DayEnd) => Sheet {
  const { t } = useTranslation();
  const { longDay, quantity, growth } = useClinicFormats();
  const money = useMoney();
  const rowsOf = { drawer: useDrawerRow(), shelf: useShelfRow() };
  const row = (name: string, value: string, more: Partial<SheetRow> = {}): SheetRow => ({
    key: name,
    name,
    value,
    ...more,
  });
  const amount = (name: 'gross' | 'discounts' | 'serviceCharge' | 'average', wire: number) =>
    row(t(`dayEnd.${name}`), money(wire));
  return (end) => ({
    title: t('dayEnd.title', { day: longDay(end.day) }),
    state: t(end.isOver ? 'dayEnd.over' : 'dayEnd.running'),
    sections: [
      {
        title: t('dayEnd.money'),
        nothing: '',
        rows: [
          amount('gross', end.gross),
          row(t('dayEnd.refunds'), money(end.refunds === 0 ? 0 : -end.refunds)),
          row(t('dayEnd.revenue'), money(end.revenue), {
            isSum: true,
            note: t('dayEnd.before', { amount: money(end.before.revenue), change: growth(end.before.change) }),
          }),
          amount('discounts', end.discounts),
          amount('serviceCharge', end.serviceCharge),
        ],
      },
      {
        title: t('dayEnd.methods'),
        nothing: t('dayEnd.nothing.methods'),
        rows: end.byMethod.map(({ method, count, amount: taken }) =>
          row(t(`counter.methods.${method}`), money(taken), { note: t('reports.methods.payments', { count }) }),
        ),
      },
      {
        title: t('dayEnd.treatments'),
        nothing: '',
        rows: [
          row(t('dayEnd.orders'), quantity(end.orders)),
          row(t('dayEnd.completed'), quantity(end.completed)),
          row(t('dayEnd.cancelled'), quantity(end.cancelled)),
          amount('average', end.averageOrder),
        ],
      },
      {
        title: t('dayEnd.services'),
        nothing: t('dayEnd.nothing.services'),
        rows: end.topServices.map(({ name, quantity: sold, revenue }) =>
          row(name, money(revenue), { note: t('reports.top.sold', { quantity: quantity(sold) }) }),
        ),
      },
      { title: t('dayEnd.drawers'), nothing: t('dayEnd.nothing.drawers'), rows: end.drawers.map(rowsOf.drawer) },
      { title: t('dayEnd.shelf'), nothing: t('dayEnd.nothing.shelf'), rows: end.shelf.map(rowsOf.shelf) },
    ],
  });
}

function useDrawerRow(): (drawer: DayDrawer) => SheetRow {
  const { t } = useTranslation();
  const { dateTime } = useClinicFormats();
  const money = useMoney();
  return ({ id, device, opened_at, closed_at, closedBy, expected, counted, difference, isFinal }) => {
    const name = t('dayEnd.drawer', { device, time: dateTime(opened_at) });
    if (!closed_at || expected === null || counted === null || difference === null)
      return { key: id, name, value: t('dayEnd.drawerOpen') };
    const closed = t('dayEnd.drawerClosed', {
      time: dateTime(closed_at),
      name: closedBy,
      expected: money(expected),
      counted: money(counted),
    });
    return {
      key: id,
      name,
      note: isFinal ? closed : `${closed} · ${t('drawer.standing.provisional')}`,
      value: difference === 0 ? t('drawer.report.exact') : money(difference),
      ...(difference !== 0 && { tone: difference < 0 ? 'refused' : 'due' }),
    };
  };
}

function useShelfRow(): (call: DayAlert, index: number) => SheetRow {
  const { t } = useTranslation();
  const { day, quantity } = useClinicFormats();
  return ({ name, type, unit, quantity: left, supplier, expires_on, isNew }, index) => {
    const facts = [
      t(`stock.alertTypes.${type}`),
      expires_on && day(expires_on),
      supplier,
      isNew && t('dayEnd.shelfNew'),
    ];
    return {
      key: `${index}`,
      name,
      note: facts.filter(Boolean).join(' · '),
      value: `${quantity(left)} ${t(`stock.units.${unit as 'boxes'}`, { defaultValue: unit })}`,
    };
  };
}
