/**
 * Thirty working days of the demo clinic, made by the same decisions and the same reducer as real work, so that its
 * treatments are consistent. Pure: the same start and random source give the same history.
 */
import { businessDay, daysAfter } from '#domain/business-day.ts';
import type { NumberCounters } from '#domain/order/numbers.ts';
import { statusOf, totals } from '#domain/order/totals.ts';
import type { Order } from '#domain/order/order.ts';
import { zoneOffsetMs } from '#domain/time-zone.ts';
import type { DemoRoom } from './rooms.ts';
import { Desk } from './desk.ts';
import type { DeskInput } from './desk.ts';

const daysBack = 30;
const openAtMinute = 9 * 60;
const closeAtMinute = 19 * 60 + 30;
const minuteMs = 60_000;
/** A demo that starts in the morning has opened before nine, so that the day has takings. */
const shortestTodayMinutes = 240;
const earliestMinute = 7 * 60;
/** A demo that starts at night is a clinic that opens at night: this long ago if the day is as old. */
const shortestNightMinutes = 150;
/** The longest visit. */
const longestVisitMinutes = 55;
/** The last completed treatment began this long ago: the last hour is left to the visitor. */
const quietMinutes = longestVisitMinutes + 75;
/** The ages of the unpaid treatments, on a day that is long enough. */
const waitingSinceMinutes = [118, 86, 61, 38, 22, 9];

export interface HistoryInput extends DeskInput {
  nowMs: number;
  timeZone: string;
  /** The rooms of the latest unpaid treatments. */
  roomsInUse: readonly DemoRoom[];
}

export interface DayOfWork {
  opensAtMs: number;
  endsAtMs: number;
  orders: Order[];
  /** Treatments of earlier days that were refunded on this day. */
  refunded: { before: Order; after: Order }[];
}

/** Refunds: the days of sale and refund, by index, and the reason. */
const refunds = [
  { soldOn: 4, givenBackOn: 5, reason: 'The aligner did not fit' },
  { soldOn: 12, givenBackOn: 15, reason: 'Paid by the insurance after all' },
  { soldOn: 19, givenBackOn: 20, reason: 'Treatment stopped by the patient' },
] as const;

/** Returns the days, oldest first, and the device's number counters at the end. */
export function demoHistory(input: HistoryInput): { days: DayOfWork[]; counters: NumberCounters } {
  const desk = new Desk(input);
  const clinic = new Clinic(input, desk);
  const days: DayOfWork[] = [];
  // Days of the calendar: one of 23 or 25 hours would be left out or come twice.
  const today = businessDay(input.nowMs, input.timeZone);
  for (let back = daysBack; back >= 1; back--) days.push(clinic.workDay(daysAfter(today, -back)));
  days.push(clinic.today());
  const worked = days.filter(({ orders }) => orders.length > 0);
  for (const { soldOn, givenBackOn, reason } of refunds) {
    const { opensAtMs, refunded } = worked[givenBackOn]!;
    const before = worked[soldOn]!.orders.find(isWorthRefunding)!;
    // In the middle of the morning.
    refunded.push({ before, after: desk.refund(before, opensAtMs + 75 * minuteMs, input.say(reason)) });
  }
  return { days: worked, counters: desk.counters };
}

const isWorthRefunding = (order: Order): boolean => statusOf(order) === 'completed' && totals(order).totalMinor >= 4000;

/** The clinic's hours and its visits. */
class Clinic {
  /** The same on all days, so that today compares with the same hours of earlier weeks. */
  private readonly openAtMinute: number;
  /** Sunday, unless it is Sunday: earlier days of today's weekday had takings too. */
  private readonly closedWeekday: number;

  constructor(
    private readonly input: HistoryInput,
    private readonly desk: Desk,
  ) {
    const { nowMs, timeZone } = input;
    const today = businessDay(nowMs, timeZone);
    const minuteNow = (nowMs - instantOf(today, 0, timeZone)) / minuteMs;
    const nightMinute = Math.max(0, Math.floor(minuteNow) - shortestNightMinutes);
    this.openAtMinute = Math.min(
      openAtMinute,
      Math.max(Math.min(earliestMinute, nightMinute), Math.floor(minuteNow) - shortestTodayMinutes),
    );
    this.closedWeekday = weekdayOf(today) === 0 ? 1 : 0;
  }

  workDay(day: string): DayOfWork {
    const { random, timeZone } = this.input;
    const opensAtMs = instantOf(day, this.openAtMinute, timeZone);
    const weekday = weekdayOf(day);
    const closesAtMinute = weekday === 6 ? 14 * 60 : closeAtMinute;
    const visits = weekday === this.closedWeekday ? 0 : weekday === 6 ? random.between(8, 12) : random.between(18, 27);
    const minutes = closesAtMinute - this.openAtMinute;
    // At night the first patients wait at the door: the hours that have passed today had takings on earlier days too.
    const early = this.openAtMinute < earliestMinute ? [1, 4, 8].slice(0, visits) : [];
    const orders = [
      ...early.map((minute) => this.visit(opensAtMs + minute * minuteMs, opensAtMs + 20 * minuteMs)),
      ...this.visitTimes(visits - early.length, minutes).map((minute) => this.visit(opensAtMs + minute * minuteMs)),
    ];
    return { opensAtMs, endsAtMs: opensAtMs + (minutes + 60) * minuteMs, orders, refunded: [] };
  }

  /** Returns the current day with its completed and its unpaid treatments. */
  today(): DayOfWork {
    const { nowMs, timeZone, random, roomsInUse } = this.input;
    const day = businessDay(nowMs, timeZone);
    const opensAtMs = instantOf(day, this.openAtMinute, timeZone);
    const minutesSince = Math.floor((nowMs - opensAtMs) / minuteMs);
    // On a young day the quiet time is a part of it.
    const minutesOpen = minutesSince - Math.min(quietMinutes, Math.ceil(minutesSince / 2));
    const visits = this.visitTimes(Math.min(18, Math.max(4, Math.ceil(minutesOpen / 15))), minutesOpen);
    const pace = Math.min(1, minutesSince / waitingSinceMinutes[0]!);
    const done = visits.map((minute) => ({
      atMs: opensAtMs + minute * minuteMs,
      begin: (atMs: number) => this.visit(atMs),
    }));
    const waiting = waitingSinceMinutes.map((minutesAgo, index) => {
      const room = roomsInUse[index - (waitingSinceMinutes.length - roomsInUse.length)];
      return {
        atMs: nowMs - Math.floor(minutesAgo * pace) * minuteMs - Math.floor(random.between(0, 59_000) * pace),
        begin: (atMs: number) => this.desk.create(atMs, room),
      };
    });
    // Sorted by start, which is also the order of numbers.
    const orders = [...done, ...waiting].sort((a, b) => a.atMs - b.atMs).map(({ atMs, begin }) => begin(atMs));
    return { opensAtMs, endsAtMs: nowMs, orders, refunded: [] };
  }

  private visitTimes(count: number, minutes: number): number[] {
    return Array.from({ length: count }, () => this.input.random.between(0, minutes)).sort((a, b) => a - b);
  }

  /** Makes one treatment: nearly always paid, sometimes cancelled or paid in part. */
  private visit(atMs: number, latestMs = this.input.nowMs): Order {
    const { random } = this.input;
    const order = this.desk.create(atMs);
    const end = random.weighted([
      ['paid', 945],
      ['cancelled', 50],
      ['part', 5],
    ]);
    const leftMs = latestMs - atMs;
    const endsAtMs = atMs + Math.min(random.between(4, longestVisitMinutes) * minuteMs, Math.floor(leftMs * 0.9));
    if (end === 'cancelled') return this.desk.cancel(order, endsAtMs);
    const { totalMinor } = totals(order);
    if (end === 'part') return this.desk.pay(order, endsAtMs, Math.floor(totalMinor / 200) * 100);
    return this.desk.pay(order, endsAtMs, totalMinor);
  }
}

const weekdayOf = (day: string): number => new Date(`${day}T12:00:00Z`).getUTCDay();

/** Returns the instant of a minute of a day (`YYYY-MM-DD`) in a time zone. */
function instantOf(day: string, minute: number, timeZone: string): number {
  const asUtcMs = Date.parse(`${day}T00:00:00Z`) + minute * minuteMs;
  return asUtcMs - zoneOffsetMs(asUtcMs, timeZone);
}
