/** The front desk's tablet of the demo clinic: it makes treatments by the decisions and the reducer of real work. */
import type { Language } from '#domain/language.ts';
import { composeTreatment } from '#domain/order/compose.ts';
import type { Composed, RequestedDiscount, RequestedTreatment } from '#domain/order/compose.ts';
import { composeCancel, composePayment, composeRefund } from '#domain/order/compose-documents.ts';
import type { IssueContext } from '#domain/order/compose-documents.ts';
import { reduceOrder, orderAggregate } from '#domain/order/operations.ts';
import type { OrderOperation } from '#domain/order/operations.ts';
import { refundMethod } from '#domain/order/decisions.ts';
import type { Sellable } from '#domain/order/decisions.ts';
import { discountOf } from '#domain/order/discount.ts';
import { formatNumber, noNumbersUsed } from '#domain/order/numbers.ts';
import type { NumberCounters, Series } from '#domain/order/numbers.ts';
import { totals } from '#domain/order/totals.ts';
import type { Order } from '#domain/order/order.ts';
import type { PatientResource } from '#domain/patient/resources.ts';
import type { Result } from '#domain/result.ts';
import { uuidV7 } from '#domain/uuid.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import { isoOf } from '#domain/instant.ts';
import { documentLabelsIn } from '../translations.ts';
import { SeededRandom } from './random.ts';
import type { Say } from './words.ts';
import type { DemoRoom } from './rooms.ts';

const discountReasons = ['Student', 'Family of the staff', 'Second visit this month', 'Goodwill'] as const;

export interface DeskInput {
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
}

export class Desk {
  readonly counters: NumberCounters = { ...noNumbersUsed };
  private deviceSeq = 0;
  /** A second random source, so that discounts do not change the patients drawn from the first. */
  private readonly whims = new SeededRandom(20_240_301);

  constructor(private readonly input: DeskInput) {}

  create(atMs: number, room?: DemoRoom): Order {
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
    // Stays below the limit of the counter's role.
    const discount = this.whims.next() < 0.05 ? this.discount() : undefined;
    const orderId = this.newId(atMs);
    const orderType = random.weighted([
      ['walk_in', 70],
      ['scheduled', 25],
      ['emergency', 5],
    ] as const);
    const patient = random.next() < 0.75 ? random.pick(patients) : null;
    const composed = composeTreatment(settings, {
      orderId,
      orderType,
      lines: requested,
      ...(patient && named(patient)),
      roomId: room?.id,
      roomNumber: room?.number,
      discount,
    });
    return this.apply(null, { kind: 'order.create', payload: this.numbered(composed) }, atMs);
  }

  private discount(): RequestedDiscount {
    const bps = this.whims.pick([500, 1000]);
    return {
      minorOf: (subtotalMinor) => discountOf({ kind: 'percent', bps }, subtotalMinor),
      reason: this.input.say(this.whims.pick(discountReasons)),
      mayExceed: false,
    };
  }

  pay(order: Order, atMs: number, amountMinor: number): Order {
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
    const composed = composePayment(this.issueContext(atMs), order, {
      method,
      tenderedMinor,
      paymentId: this.newId(atMs),
      reference: method === 'cash' ? undefined : String(random.between(100_000, 999_999)),
    });
    return this.apply(order, { kind: 'order.pay', payload: this.numbered(composed) }, atMs);
  }

  cancel(order: Order, atMs: number): Order {
    const composed = composeCancel(this.issueContext(atMs), order, { notes: this.input.say('Rescheduled') });
    return this.apply(order, { kind: 'order.cancel', payload: this.numbered(composed) }, atMs);
  }

  /** Refunds the whole of a treatment by the method of its payment. */
  refund(order: Order, atMs: number, reason: string): Order {
    const { paidMinor: amountMinor } = totals(order);
    const request = { amountMinor, method: refundMethod(order), reason };
    const composed = composeRefund(this.issueContext(atMs), order, request);
    return this.apply(order, { kind: 'order.refund', payload: this.numbered(composed) }, atMs, this.input.managerId);
  }

  private issueContext(atMs: number): IssueContext {
    const { settings, language } = this.input;
    const labels = documentLabelsIn(language);
    return { settings, language, labels, cashierName: '', atMs, newId: () => this.newId(atMs) };
  }

  private numbered<Payload>(composed: Result<Composed<Payload>>): Payload {
    if (!composed.ok) throw new Error(`The demo data contains invalid work: ${composed.refusal.code}`);
    const { series, payload } = composed.value;
    return series === null ? payload : payload(this.nextNumber(series));
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
      occurred_at: isoOf(atMs),
      clock_offset_ms: 0,
    } as OrderOperation;
    return reduceOrder(order, operation, atMs)!;
  }

  private nextNumber(of: Series): string {
    return formatNumber(of, this.input.deviceCode, (this.counters[of] = (this.counters[of] ?? 0) + 1));
  }

  private newId(atMs: number): string {
    return uuidV7(atMs, this.input.random.bytes(10));
  }
}

/** Returns the weight of an item: cheap services sell often, implants rarely. */
function demand({ priceMinor }: Sellable): number {
  return priceMinor < 1800 ? 1 / 300 : 1 / (50 + priceMinor / 100);
}

/** Returns what a plan says of its patient. */
const named = ({ id, name, phone }: PatientResource): Pick<RequestedTreatment, 'customerName' | 'patient'> => ({
  customerName: name,
  patient: { patient_id: id, name, phone, known: true },
});
