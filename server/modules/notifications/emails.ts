/** The contents of the emails in the clinic's language. None names a patient. */
import type { DayEnd, DayAlert } from '#domain/notification/day-end.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import { formatsFor } from '#server/formats.ts';
import { interpolate, taxText, translationsIn } from '#server/translations.ts';
import type { Email, Section } from './render-email.ts';
import type { AttentionRow } from './service.ts';
import type { SystemEvent } from './system-events-store.ts';

const formatsOf = ({ default_language, currency, time_zone }: ClinicSettings) =>
  formatsFor({ language: default_language, timeZone: time_zone, currency });

export function dayEndEmail(end: DayEnd, clinic: ClinicSettings): Email {
  const words = translationsIn(clinic.default_language);
  const { dayEnd } = words;
  const { amount, change, longDay, number, time } = formatsOf(clinic);
  const title = interpolate(dayEnd.title, { day: longDay(end.day) });
  const figures: Section = {
    title: dayEnd.money,
    head: [],
    rows: [
      [dayEnd.gross, amount(end.gross)],
      [dayEnd.refunds, amount(end.refunds)],
      [dayEnd.revenue, amount(end.revenue)],
      [dayEnd.discounts, amount(end.discounts)],
      [dayEnd.serviceCharge, amount(end.serviceCharge)],
      [dayEnd.net, amount(end.net)],
      [
        dayEnd.dayBefore,
        `${amount(end.before.revenue)} (${end.before.change === null ? words.comparison.new : change(end.before.change)})`,
      ],
    ],
  };
  const others: Section = {
    title: dayEnd.others,
    head: [],
    rows: end.others.map(({ currency, orders, revenue }) => [
      interpolate(dayEnd.othersNote, { orders: number(orders) }),
      amount(revenue, currency),
    ]),
  };
  const treatments: Section = {
    title: dayEnd.treatments,
    head: [],
    rows: [
      [dayEnd.orders, number(end.orders)],
      [dayEnd.completed, number(end.completed)],
      [dayEnd.cancelled, number(end.cancelled)],
      [dayEnd.average, amount(end.averageOrder)],
    ],
  };
  const methods: Section = {
    title: dayEnd.methods,
    head: [dayEnd.method, dayEnd.count, dayEnd.amount],
    rows: end.byMethod.map(({ method, count, amount: taken }) => [
      words.counter.methods[method],
      number(count),
      amount(taken),
    ]),
  };
  const { inDrawers, outside, outsideCount } = end.cash;
  const cash: Section = {
    title: dayEnd.cash,
    head: [],
    rows:
      outsideCount === 0
        ? []
        : [
            [dayEnd.cashInDrawers, amount(inDrawers)],
            [dayEnd.cashOutside, amount(outside)],
          ],
  };
  const drawers: Section = {
    title: dayEnd.drawers,
    head: [dayEnd.drawerName, dayEnd.expected, dayEnd.counted, dayEnd.difference],
    rows: end.drawers.map(({ device, currency, opened_at, expected, counted, difference }) => {
      const drawer = interpolate(dayEnd.drawer, { device, time: time(opened_at) });
      // The figures of an open drawer stay hidden from the person who will count it.
      if (expected === null || counted === null || difference === null) return [drawer, '', '', dayEnd.drawerOpen];
      const [due, found, missing] = [expected, counted, difference].map((each) => amount(each, currency));
      return [drawer, due!, found!, `${difference > 0 ? '+' : ''}${missing}`];
    }),
  };
  const services: Section = {
    title: dayEnd.services,
    head: [dayEnd.service, dayEnd.quantity, dayEnd.amount],
    rows: end.topServices.map(({ name, quantity, revenue }) => [name, number(quantity), amount(revenue)]),
  };
  const { columns, sheets } = words.exports;
  const taxes: Section = {
    title: sheets.taxes,
    head: [sheets.taxes, columns.base, columns.tax, columns.total],
    rows: end.taxes.map((total) => [
      taxText(total, clinic.default_language),
      ...[total.base, total.tax, total.gross].map((each) => amount(each)),
    ]),
  };
  return {
    subject: `${title} · ${clinic.practice_name}`,
    title,
    intro: interpolate(dayEnd.intro, {
      practice: clinic.practice_name,
      revenue: amount(end.revenue),
      orders: number(end.orders),
    }),
    sections: [
      figures,
      others,
      treatments,
      methods,
      cash,
      taxes,
      drawers,
      services,
      shelfSection(dayEnd.shelf, end.shelf, clinic),
    ].filter(({ rows }) => rows.length > 0),
    closing: dayEnd.closing,
  };
}

/** @param calls the alerts of the day come first */
export function lowStockEmail(calls: readonly DayAlert[], clinic: ClinicSettings): Email {
  const { lowStock } = translationsIn(clinic.default_language);
  const fresh = calls.filter(({ isNew }) => isNew);
  const title = interpolate(fresh.length === 1 ? lowStock.title_one : lowStock.title_other, { count: fresh.length });
  return {
    subject: `${title} · ${clinic.practice_name}`,
    title,
    intro: lowStock.intro,
    sections: [
      shelfSection(lowStock.fresh, fresh, clinic),
      shelfSection(
        lowStock.standing,
        calls.filter(({ isNew }) => !isNew),
        clinic,
      ),
    ].filter(({ rows }) => rows.length > 0),
    closing: lowStock.closing,
  };
}

function shelfSection(title: string, calls: readonly DayAlert[], clinic: ClinicSettings): Section {
  const { lowStock, stock } = translationsIn(clinic.default_language);
  const { number, day } = formatsOf(clinic);
  const unitName = (unit: string) => (stock.units as Record<string, string>)[unit] ?? unit;
  const state = ({ type, expires_on }: DayAlert) =>
    expires_on ? `${stock.alertTypes[type]} (${day(expires_on)})` : stock.alertTypes[type];
  return {
    title,
    head: [lowStock.item, lowStock.state, lowStock.supplier, lowStock.quantity],
    rows: calls.map((call) => [
      call.name,
      state(call),
      call.supplier,
      `${number(call.quantity)} ${unitName(call.unit)}`,
    ]),
  };
}

/** @param items the items of the day come first */
export function attentionEmail(items: readonly AttentionRow[], clinic: ClinicSettings): Email {
  const { attentionMail } = translationsIn(clinic.default_language);
  const { time } = formatsOf(clinic);
  const fresh = items.filter(({ isNew }) => isNew);
  const title = interpolate(fresh.length === 1 ? attentionMail.title_one : attentionMail.title_other, {
    count: fresh.length,
  });
  const section = (name: string, some: readonly AttentionRow[]): Section => ({
    title: name,
    head: [attentionMail.matter, attentionMail.number, attentionMail.device, attentionMail.time],
    rows: some.map(({ kind, number, device, raisedAt }) => [attentionMail.kinds[kind], number, device, time(raisedAt)]),
  });
  return {
    subject: `${title} · ${clinic.practice_name}`,
    title,
    intro: attentionMail.intro,
    sections: [
      section(attentionMail.fresh, fresh),
      section(
        attentionMail.standing,
        items.filter(({ isNew }) => !isNew),
      ),
    ].filter(({ rows }) => rows.length > 0),
    closing: attentionMail.closing,
  };
}

/** @param events of one clinic, the oldest first */
export function systemEmail(events: readonly SystemEvent[], clinic: ClinicSettings): Email {
  const { systemMail } = translationsIn(clinic.default_language);
  const { day, time } = formatsOf(clinic);
  const rows = events.map(({ kind, reference, occurredAtMs }) => [
    interpolate(systemMail.kinds[kind], { reference: kind === 'backup_failed' ? day(reference) : reference }),
    time(new Date(occurredAtMs).toISOString()),
  ]);
  const title = events.length === 1 ? rows[0]![0]! : systemMail.title;
  return {
    subject: `${title} · ${clinic.practice_name}`,
    title,
    intro: events.some(({ kind }) => kind === 'backup_failed') ? systemMail.introFailed : systemMail.intro,
    sections: [{ title: systemMail.what, head: [systemMail.what, systemMail.when], rows }],
    closing: systemMail.closing,
  };
}

export function testEmail(clinic: ClinicSettings): Email {
  const { testMail } = translationsIn(clinic.default_language);
  return {
    subject: `${testMail.title} · ${clinic.practice_name}`,
    title: testMail.title,
    intro: testMail.intro,
    sections: [],
    closing: testMail.closing,
  };
}
