/** The contents of the emails in the clinic's language. None names a patient. */
import type { DayEnd, DayAlert } from '#domain/notification/day-end.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import { isoOf } from '#domain/instant.ts';
import { formatsFor } from '#server/formats.ts';
import { interpolate, taxText, translationsIn } from '#server/translations.ts';
import type { Email, Section } from './render-email.ts';
import type { AttentionRow } from './service.ts';
import type { SystemEvent } from './system-events-store.ts';

const formatsOf = ({ default_language, currency, time_zone }: ClinicSettings) =>
  formatsFor({ language: default_language, timeZone: time_zone, currency });

/** What the sections of the day-end summary are written from. */
interface DayEndParts {
  end: DayEnd;
  clinic: ClinicSettings;
  words: ReturnType<typeof translationsIn>;
  formats: ReturnType<typeof formatsOf>;
}

export function dayEndEmail(end: DayEnd, clinic: ClinicSettings): Email {
  const words = translationsIn(clinic.default_language);
  const formats = formatsOf(clinic);
  const { dayEnd } = words;
  const title = interpolate(dayEnd.title, { day: formats.longDay(end.day) });
  const parts = { end, clinic, words, formats };
  return {
    subject: `${title} · ${clinic.practice_name}`,
    title,
    intro: interpolate(dayEnd.intro, {
      practice: clinic.practice_name,
      revenue: formats.amount(end.revenue),
      orders: formats.number(end.orders),
    }),
    sections: [
      moneySection(parts),
      otherCurrenciesSection(parts),
      treatmentsSection(parts),
      methodsSection(parts),
      cashSection(parts),
      taxesSection(parts),
      drawersSection(parts),
      servicesSection(parts),
      shelfSection(dayEnd.shelf, end.shelf, clinic),
    ].filter(({ rows }) => rows.length > 0),
    closing: dayEnd.closing,
  };
}

function moneySection({ end, words: { dayEnd, comparison }, formats: { amount, change } }: DayEndParts): Section {
  const { before } = end;
  return {
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
        `${amount(before.revenue)} (${before.change === null ? comparison.new : change(before.change)})`,
      ],
    ],
  };
}

function otherCurrenciesSection({ end, words: { dayEnd }, formats: { amount, number } }: DayEndParts): Section {
  return {
    title: dayEnd.others,
    head: [],
    rows: end.others.map(({ currency, orders, revenue }) => [
      interpolate(dayEnd.othersNote, { orders: number(orders) }),
      amount(revenue, currency),
    ]),
  };
}

function treatmentsSection({ end, words: { dayEnd }, formats: { amount, number } }: DayEndParts): Section {
  return {
    title: dayEnd.treatments,
    head: [],
    rows: [
      [dayEnd.orders, number(end.orders)],
      [dayEnd.completed, number(end.completed)],
      [dayEnd.cancelled, number(end.cancelled)],
      [dayEnd.average, amount(end.averageOrder)],
    ],
  };
}

function methodsSection({ end, words: { dayEnd, counter }, formats: { amount, number } }: DayEndParts): Section {
  return {
    title: dayEnd.methods,
    head: [dayEnd.method, dayEnd.count, dayEnd.amount],
    rows: end.byMethod.map(({ method, count, amount: taken }) => [
      counter.methods[method],
      number(count),
      amount(taken),
    ]),
  };
}

function cashSection({ end, words: { dayEnd }, formats: { amount } }: DayEndParts): Section {
  const { inDrawers, outside, outsideCount } = end.cash;
  const rows = [
    [dayEnd.cashInDrawers, amount(inDrawers)],
    [dayEnd.cashOutside, amount(outside)],
  ];
  return { title: dayEnd.cash, head: [], rows: outsideCount === 0 ? [] : rows };
}

function taxesSection({ end, clinic, words: { exports }, formats: { amount } }: DayEndParts): Section {
  const { columns, sheets } = exports;
  return {
    title: sheets.taxes,
    head: [sheets.taxes, columns.base, columns.tax, columns.total],
    rows: end.taxes.map((total) => [
      taxText(total, clinic.default_language),
      ...[total.base, total.tax, total.gross].map((each) => amount(each)),
    ]),
  };
}

function drawersSection({ end, words: { dayEnd }, formats: { amount, time } }: DayEndParts): Section {
  return {
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
}

function servicesSection({ end, words: { dayEnd }, formats: { amount, number } }: DayEndParts): Section {
  return {
    title: dayEnd.services,
    head: [dayEnd.service, dayEnd.quantity, dayEnd.amount],
    rows: end.topServices.map(({ name, quantity, revenue }) => [name, number(quantity), amount(revenue)]),
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
    time(isoOf(occurredAtMs)),
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
