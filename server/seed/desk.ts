/** The front desk's tablet of the demo clinic: it makes treatments by the decisions and the reducer of real work. */
import type { Language } from '../../domain/language.ts';
import { minorFromWire, minorToWire } from '../../domain/money.ts';
import { issueCreditNote, issueInvoice } from '../../domain/order/issue-documents.ts';
import { reduceOrder, orderAggregate } from '../../domain/order/operations.ts';
import type { OrderOperation, CreatePayload, LinePayload, PayPayload } from '../../domain/order/operations.ts';
import { decideLines, decidePayment, refundMethod } from '../../domain/order/decisions.ts';
import type { Sellable } from '../../domain/order/decisions.ts';
import { discountOf } from '../../domain/order/discount.ts';
import { refundTerms, termsToWire } from '../../domain/order/refund-terms.ts';
import { formatNumber, noNumbersUsed } from '../../domain/order/numbers.ts';
import type { NumberCounters, Series } from '../../domain/order/numbers.ts';
import { subtotal } from '../../domain/order/order.ts';
import { totals } from '../../domain/order/totals.ts';
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

  cancel(order: Order, atMs: number): Order {
    const payload = { order_id: order.id, status: 'cancelled' as const, notes: this.input.say('Rescheduled') };
    return this.apply(order, { kind: 'order.cancel', payload }, atMs);
  }

  /** Refunds the whole of a treatment by the method of its payment. */
  refund(order: Order, atMs: number, reason: string): Order {
    const { paidMinor: amountMinor } = totals(order);
    const terms = refundTerms(order, { amountMinor });
    const method = refundMethod(order);
    const number = this.nextNumber('credit_note');
    const credit_note = issueCreditNote(this.paper, {
      number,
      issuedAtMs: atMs,
      order,
      amountMinor,
      method,
      reason,
      terms,
    });
    const payload = {
      order_id: order.id,
      refund_id: this.newId(atMs),
      payment_method: method,
      amount: minorToWire(amountMinor),
      reason,
      credit_note_number: number,
      ...termsToWire(terms),
      credit_note,
    };
    return this.apply(order, { kind: 'order.refund', payload }, atMs, this.input.managerId);
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
      refundedLines: [],
      allowances: [],
      reductionMinor: 0,
      isStillOwed: false,
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

/** Returns a treatment's fields about the patient. */
const named = ({ id, name, phone }: PatientResource): Pick<CreatePayload, 'customer_name' | 'patient'> => ({
  customer_name: name,
  patient: { patient_id: id, name, phone, known: true },
});
