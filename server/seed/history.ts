/**
 * Thirty working days of the demo clinic, made by the same decisions and the same reducer as real work, so that its
 * treatments are consistent. Pure: the same start and random source give the same history.
 */
import type { Language } from '../../domain/language.ts';
import { businessDay } from '../../domain/business-day.ts';
import { minorFromWire, minorToWire } from '../../domain/money.ts';
import { issueCreditNote, issueInvoice } from '../../domain/order/issue-documents.ts';
import { reduceOrder, orderAggregate } from '../../domain/order/operations.ts';
import type { OrderOperation, CreatePayload, LinePayload, PayPayload } from '../../domain/order/operations.ts';
import { decideLines, decidePayment, refundMethod } from '../../domain/order/decisions.ts';
import type { Sellable } from '../../domain/order/decisions.ts';
import { discountOf } from '../../domain/order/discount.ts';
import { formatNumber, noNumbersUsed } from '../../domain/order/numbers.ts';
import type { NumberCounters, Series } from '../../domain/order/numbers.ts';
import { statusOf, subtotal, totals } from '../../domain/order/order.ts';
import type { InvoicePayload, Order } from '../../domain/order/order.ts';
import type { DocumentContext } from '../../domain/order/printed-document.ts';
import type { PatientResource } from '../../domain/patient/resources.ts';
import { milliToWire } from '../../domain/quantity.ts';
import { uuidV7 } from '../../domain/uuid.ts';
import type { ClinicSettings } from '../../domain/settings/settings.ts';
import { documentLabelsIn } from '../translations.ts';
import { SeededRandom } from './random.ts';
import type { Say } from './words.ts';
import type { DemoRoom } from './rooms.ts';

const dayMs = 86_400_000;
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

export interface HistoryInput {
  nowMs: number;
  timeZone: string;
  language: Language;
  say: Say;
  settings: ClinicSettings;
  random: SeededRandom;
  sellables: readonly Sellable[];
  deviceId: number;
  deviceCode: string;
  staffIds: readonly number[];
  managerId: number;
  patients: readonly PatientResource[];
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

const discountReasons = ['Student', 'Family of the staff', 'Second visit this month', 'Goodwill'] as const;

/** Returns the days, oldest first, and the device's number counters at the end. */
export function demoHistory(input: HistoryInput): { days: DayOfWork[]; counters: NumberCounters } {
  const desk = new Desk(input);
  const days: DayOfWork[] = [];
  for (let back = daysBack; back >= 1; back--)
    days.push(desk.workDay(businessDay(input.nowMs - back * dayMs, input.timeZone)));
  days.push(desk.today());
  const worked = days.filter(({ orders }) => orders.length > 0);
  for (const { soldOn, givenBackOn, reason } of refunds)
    desk.refund(worked[soldOn]!, worked[givenBackOn]!, input.say(reason));
  return { days: worked, counters: desk.counters };
}

/** The front desk's tablet, which numbers documents. */
class Desk {
  readonly counters: NumberCounters = { ...noNumbersUsed };
  private deviceSeq = 0;
  /** A second random source, so that discounts do not change the patients drawn from the first. */
  private readonly whims = new SeededRandom(20_240_301);

  /** The same on all days, so that today compares with the same hours of earlier weeks. */
  private readonly openAtMinute: number;
  /** Sunday, unless it is Sunday: earlier days of today's weekday had takings too. */
  private readonly closedWeekday: number;

  constructor(private readonly input: HistoryInput) {
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
        begin: (atMs: number) => this.create(atMs, room),
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
    const order = this.create(atMs);
    const end = random.weighted([
      ['paid', 945],
      ['cancelled', 50],
      ['part', 5],
    ]);
    const leftMs = latestMs - atMs;
    const endsAtMs = atMs + Math.min(random.between(4, longestVisitMinutes) * minuteMs, Math.floor(leftMs * 0.9));
    if (end === 'cancelled')
      return this.apply(
        order,
        {
          kind: 'order.cancel',
          payload: { order_id: order.id, status: 'cancelled', notes: this.input.say('Rescheduled') },
        },
        endsAtMs,
      );
    const { totalMinor } = totals(order);
    if (end === 'part') return this.pay(order, endsAtMs, Math.floor(totalMinor / 200) * 100);
    return this.pay(order, endsAtMs, totalMinor);
  }

  /** Refunds one paid treatment of a day in the middle of the morning of another. */
  refund(sold: DayOfWork, givenBack: DayOfWork, reason: string): void {
    const before = sold.orders.find((order) => statusOf(order) === 'completed' && totals(order).totalMinor >= 4000)!;
    const atMs = givenBack.opensAtMs + 75 * minuteMs;
    const { totalMinor: amountMinor } = totals(before);
    const method = refundMethod(before);
    const number = this.nextNumber('credit_note');
    const credit_note = issueCreditNote(this.paper, {
      number,
      issuedAtMs: atMs,
      order: before,
      amountMinor,
      method,
      reason,
      lines: [],
    });
    const payload = {
      order_id: before.id,
      refund_id: this.newId(atMs),
      payment_method: method,
      amount: minorToWire(amountMinor),
      reason,
      credit_note_number: number,
      credit_note,
    };
    givenBack.refunded.push({
      before,
      after: this.apply(before, { kind: 'order.refund', payload }, atMs, this.input.managerId),
    });
  }

  private create(atMs: number, room?: DemoRoom): Order {
    const { random, sellables, settings, patients } = this.input;
    const requested = Array.from(
      {
        length: random.weighted([
          [1, 45],
          [2, 35],
          [3, 15],
          [4, 5],
        ]),
      },
      () => ({
        lineId: this.newId(atMs),
        sellable: random.weighted(sellables.map((sellable) => [sellable, demand(sellable)] as const)),
        quantityMilli: random.weighted([
          [1000, 90],
          [2000, 10],
        ]),
      }),
    );
    const agreed = decideLines(requested);
    if (!agreed.ok) throw new Error(`The demo data contains an invalid sale: ${agreed.refusal.code}`);
    const subtotalMinor = subtotal(agreed.value);
    // Stays below the limit of the counter's role.
    const discountMinor =
      this.whims.next() < 0.05 ? discountOf({ kind: 'percent', bps: this.whims.pick([500, 1000]) }, subtotalMinor) : 0;
    const orderId = this.newId(atMs);
    const items = agreed.value.map((line): LinePayload => ({
      line_id: line.lineId,
      ...(line.stockId === null ? { product_id: line.productId! } : { stock_id: line.stockId }),
      name: line.name,
      quantity: milliToWire(line.quantityMilli),
      unit_price: minorToWire(line.unitPriceMinor),
    }));
    const payload = {
      order_id: orderId,
      number: this.nextNumber('treatment'),
      order_type: random.weighted([
        ['walk_in', 70],
        ['scheduled', 25],
        ['emergency', 5],
      ] as const),
      ...(random.next() < 0.75 && named(random.pick(patients))),
      ...(room && { room_id: room.id, room_number: room.number }),
      items,
      currency: settings.currency,
      service_charge: 0,
      discount: minorToWire(discountMinor),
      ...(discountMinor > 0 && { discount_reason: this.input.say(this.whims.pick(discountReasons)) }),
      total: minorToWire(subtotalMinor - discountMinor),
    };
    return this.apply(null, { kind: 'order.create', payload }, atMs);
  }

  private pay(order: Order, atMs: number, amountMinor: number): Order {
    const { random } = this.input;
    const method = random.weighted([
      ['card', 48],
      ['cash', 30],
      ['insurance', 18],
      ['others', 4],
    ] as const);
    // Cash is rounded up to the next ten.
    const tenderedMinor =
      method === 'cash' && amountMinor === totals(order).totalMinor
        ? Math.ceil(amountMinor / 1000) * 1000
        : amountMinor;
    const agreed = decidePayment(order, { method, tenderedMinor });
    if (!agreed.ok) throw new Error(`The demo data contains an invalid payment: ${agreed.refusal.code}`);
    const payload: PayPayload = {
      order_id: order.id,
      payment_id: this.newId(atMs),
      payment_method: method,
      amount: minorToWire(agreed.value.amountMinor),
      tendered: minorToWire(tenderedMinor),
      change: minorToWire(agreed.value.changeMinor),
      ...(method !== 'cash' && { reference_number: String(random.between(100_000, 999_999)) }),
    };
    if (agreed.value.clears) payload.invoice = this.invoice(order, payload, atMs);
    return this.apply(order, { kind: 'order.pay', payload }, atMs);
  }

  private invoice(order: Order, payload: PayPayload, atMs: number): InvoicePayload {
    const payment = {
      paymentId: payload.payment_id,
      opId: '',
      method: payload.payment_method,
      reference: payload.reference_number ?? '',
      actorId: 0,
      deviceId: 0,
      atMs,
      amountMinor: minorFromWire(payload.amount),
      tenderedMinor: minorFromWire(payload.tendered),
      changeMinor: minorFromWire(payload.change),
      creditNoteNumber: null,
      creditNote: null,
      reason: '',
    };
    return issueInvoice(this.paper, {
      invoiceId: this.newId(atMs),
      number: this.nextNumber('invoice'),
      issuedAtMs: atMs,
      order,
      lines: order.lines,
      payment,
    });
  }

  private get paper(): DocumentContext {
    const { settings, language } = this.input;
    return { settings, language, labels: documentLabelsIn(language), cashierName: '' };
  }

  private apply(
    order: Order | null,
    work: Pick<OrderOperation, 'kind' | 'payload'>,
    atMs: number,
    actorId?: number,
  ): Order {
    const { random, deviceId, staffIds } = this.input;
    const operation = {
      ...work,
      op_id: this.newId(atMs),
      device_id: deviceId,
      device_seq: (this.deviceSeq += 1),
      aggregate: orderAggregate(work.payload.order_id),
      depends_on: [],
      v: 1,
      actor_id: actorId ?? random.pick(staffIds),
      occurred_at: new Date(atMs).toISOString(),
      clock_offset_ms: 0,
    } as OrderOperation;
    return reduceOrder(order, operation, atMs)!;
  }

  private nextNumber(of: Series): string {
    return formatNumber(of, this.input.deviceCode, (this.counters[of] += 1));
  }

  private newId(atMs: number): string {
    return uuidV7(atMs, this.input.random.bytes(10));
  }
}

/** Returns the weight of an item: cheap services sell often, implants rarely. */
function demand({ priceMinor }: Sellable): number {
  return priceMinor < 1800 ? 1 / 300 : 1 / (50 + priceMinor / 100);
}

const weekdayOf = (day: string): number => new Date(`${day}T12:00:00Z`).getUTCDay();

/** Returns the instant of a minute of a day (`YYYY-MM-DD`) in a time zone. */
function instantOf(day: string, minute: number, timeZone: string): number {
  const asUtcMs = Date.parse(`${day}T00:00:00Z`) + minute * minuteMs;
  const shown = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(asUtcMs);
  return asUtcMs - (Date.parse(`${shown.replace(' ', 'T')}Z`) - asUtcMs);
}

/** Returns a treatment's fields about the patient. */
const named = ({ id, name, phone }: PatientResource): Pick<CreatePayload, 'customer_name' | 'patient'> => ({
  customer_name: name,
  patient: { patient_id: id, name, phone, known: true },
});
