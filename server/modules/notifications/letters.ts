/** What the letters say, in the clinic's language. No patient is named in any. */
import { currencyLabel, formatMinor, minorFromWire } from '../../../domain/money.ts';
import type { DayEnd, ShelfCall } from '../../../domain/notification/day-end.ts';
import type { ClinicSettings } from '../../../domain/settings/settings.ts';
import { localeTag, say, wordsIn } from '../../words.ts';
import type { Letter, Section } from './letter.ts';

function formatsOf({ default_language, currency }: ClinicSettings) {
  const tag = localeTag(default_language);
  const days = new Intl.DateTimeFormat(tag, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
  const dates = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeZone: 'UTC' });
  const numbers = new Intl.NumberFormat(tag, { maximumFractionDigits: 3 });
  const changes = new Intl.NumberFormat(tag, { minimumFractionDigits: 1, maximumFractionDigits: 1, signDisplay: 'exceptZero' });
  return {
    day: (day: string) => days.format(Date.parse(day)),
    date: (day: string) => dates.format(Date.parse(day)),
    number: (value: number) => numbers.format(value),
    change: (percent: number) => `${changes.format(percent)} %`,
    amount: (amount: number) => formatMinor(minorFromWire(amount), currencyLabel(currency)),
  };
}

export function dayEndLetter(end: DayEnd, clinic: ClinicSettings): Letter {
  const words = wordsIn(clinic.default_language);
  const { dayEnd } = words;
  const { amount, change, day, number } = formatsOf(clinic);
  const title = say(dayEnd.title, { day: day(end.day) });
  const figures: Section = {
    title: dayEnd.money,
    head: [],
    rows: [
      [dayEnd.gross, amount(end.gross)], [dayEnd.refunds, amount(end.refunds)], [dayEnd.revenue, amount(end.revenue)],
      [dayEnd.discounts, amount(end.discounts)], [dayEnd.serviceCharge, amount(end.serviceCharge)], [dayEnd.net, amount(end.net)],
      [dayEnd.dayBefore, `${amount(end.before.revenue)} (${change(end.before.change)})`],
    ],
  };
  const treatments: Section = {
    title: dayEnd.treatments,
    head: [],
    rows: [
      [dayEnd.orders, number(end.orders)], [dayEnd.completed, number(end.completed)], [dayEnd.cancelled, number(end.cancelled)],
      [dayEnd.average, amount(end.averageOrder)],
    ],
  };
  const methods: Section = {
    title: dayEnd.methods,
    head: [dayEnd.method, dayEnd.count, dayEnd.amount],
    rows: end.byMethod.map(({ method, count, amount: taken }) => [words.counter.methods[method], number(count), amount(taken)]),
  };
  const services: Section = {
    title: dayEnd.services,
    head: [dayEnd.service, dayEnd.quantity, dayEnd.amount],
    rows: end.topServices.map(({ name, quantity, revenue }) => [name, number(quantity), amount(revenue)]),
  };
  return {
    subject: `${title} · ${clinic.practice_name}`,
    title,
    intro: say(dayEnd.intro, { practice: clinic.practice_name, revenue: amount(end.revenue), orders: number(end.orders) }),
    sections: [figures, treatments, methods, services, shelfSection(dayEnd.shelf, end.shelf, clinic)].filter(({ rows }) => rows.length > 0),
    closing: dayEnd.closing,
  };
}

/** @param calls those that the day brought come first; the others stand below them */
export function lowStockLetter(calls: readonly ShelfCall[], clinic: ClinicSettings): Letter {
  const { lowStock } = wordsIn(clinic.default_language);
  const fresh = calls.filter(({ isNew }) => isNew);
  const title = say(fresh.length === 1 ? lowStock.title_one : lowStock.title_other, { count: fresh.length });
  return {
    subject: `${title} · ${clinic.practice_name}`,
    title,
    intro: lowStock.intro,
    sections: [
      shelfSection(lowStock.fresh, fresh, clinic),
      shelfSection(lowStock.standing, calls.filter(({ isNew }) => !isNew), clinic),
    ].filter(({ rows }) => rows.length > 0),
    closing: lowStock.closing,
  };
}

function shelfSection(title: string, calls: readonly ShelfCall[], clinic: ClinicSettings): Section {
  const { lowStock, stock } = wordsIn(clinic.default_language);
  const { number, date } = formatsOf(clinic);
  const unitName = (unit: string) => (stock.units as Record<string, string>)[unit] ?? unit;
  const state = ({ type, expires_on }: ShelfCall) => (expires_on ? `${stock.alertTypes[type]} (${date(expires_on)})` : stock.alertTypes[type]);
  return {
    title,
    head: [lowStock.item, lowStock.state, lowStock.supplier, lowStock.quantity],
    rows: calls.map((call) => [call.name, state(call), call.supplier, `${number(call.quantity)} ${unitName(call.unit)}`]),
  };
}

export function testLetter(clinic: ClinicSettings): Letter {
  const { testMail } = wordsIn(clinic.default_language);
  return { subject: `${testMail.title} · ${clinic.practice_name}`, title: testMail.title, intro: testMail.intro, sections: [], closing: testMail.closing };
}
