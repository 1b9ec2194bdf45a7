/**
 * A tablet as the ledger writes it: it knows what it has heard of, works without a connection, and its operations are facts
 * with the documents that the rules ask for. So what tablets do without knowing of each other meets on the server.
 */
import { TestDevice } from '#tests/support/device.ts';
import { documentFrom, invoiceFrom } from '../visit.ts';
import {
  asksForRecipient,
  cancelNote,
  creditNote,
  exchangeOf,
  invoiceOfPayment,
  invoiceOfRest,
  proposedLines,
  refundTerms,
} from '../expected-documents.ts';
import { euros } from '../integers.ts';
import type { Expected } from '../expected-documents.ts';
import { dayOf } from '../calendar.ts';
import { treatmentOf } from '../treatment.ts';
import type { Treatment } from '../treatment.ts';
import type { Entry, Kind, Method, PayloadOf, WireLine } from '../wire.ts';
import { issuer, recipient } from './clinic.ts';
import type { LedgerClinic } from './clinic.ts';
import { lineOnWire, wireLine } from './worker.ts';
import type { GivenBack, Ordered, Payment, Plan, Worker } from './worker.ts';

type Operation = ReturnType<TestDevice['operation']>;

export class CounterDevice implements Worker {
  /** How much of what the clinic has accepted it has heard of. */
  private heard = 0;
  private own: Entry[] = [];
  private waiting: Operation[] = [];
  isOnline = true;

  private constructor(
    private readonly clinic: LedgerClinic,
    private readonly device: TestDevice,
  ) {}

  static async enrol(clinic: LedgerClinic): Promise<CounterDevice> {
    return new CounterDevice(clinic, await TestDevice.enrol(clinic.server, 'manager'));
  }

  /** Returns the ids of the newest treatments that this tablet knows. */
  newest(count: number): string[] {
    const own = this.own.flatMap(({ kind, payload }) => (kind === 'order.create' ? payload.order_id : []));
    return [...this.clinic.newest(count, this.heard), ...own].slice(-count);
  }

  /** Returns a treatment as this tablet knows it. */
  treatment(id: string): Treatment {
    const own = this.own.filter(({ payload }) => 'order_id' in payload && payload.order_id === id);
    return treatmentOf([...this.clinic.entriesOf(id, this.heard), ...own]);
  }

  /** Returns the drawers that it has opened and not closed. */
  openDrawer(): string | undefined {
    const known = [...this.clinic.accepted.slice(0, this.heard), ...this.own];
    const closed = known.flatMap(({ kind, payload }) => (kind === 'drawer.close' ? payload.drawer_id : []));
    return known.flatMap(({ kind, payload, deviceId }) =>
      kind === 'drawer.open' && deviceId === this.device.info.device_id && !closed.includes(payload.drawer_id)
        ? payload.drawer_id
        : [],
    )[0];
  }

  /** Sends what waits, if it is on line, and hears of everything. @param isTwice whether it sends the batch again */
  async sync({ isTwice = false } = {}): Promise<void> {
    if (!this.isOnline) return;
    const sent = this.waiting.splice(0);
    for (let next = 0; next < sent.length; next += 100) {
      const batch = sent.slice(next, next + 100);
      const results = await this.device.send(...batch);
      const failed = results.find(({ status }) => status !== 'applied');
      if (failed)
        throw new Error(
          `A fact was not applied: ${JSON.stringify([failed, batch.find(({ op_id }) => op_id === failed.op_id)])}`,
        );
      if (isTwice) await this.device.send(...batch);
      await this.clinic.accept(batch.map(({ op_id }) => op_id));
    }
    this.own = [];
    this.heard = this.clinic.accepted.length;
  }

  private tell<K extends Kind>(kind: K, payload: PayloadOf<K>): void {
    const { nowMs } = this.clinic;
    const over = { op_id: this.clinic.newId(), occurred_at: new Date(nowMs).toISOString() };
    const operation = this.device.operation(kind, payload as never, over);
    const { op_id: opId, device_id: deviceId, device_seq: deviceSeq, actor_id: actorId } = operation;
    this.waiting.push(operation);
    this.own.push({ opId, kind, payload, deviceId, deviceSeq, actorId, atMs: nowMs } as Entry);
  }

  private lines = (ordered: readonly Ordered[]): WireLine[] =>
    ordered.map(({ service, quantity }) => wireLine(service, quantity, this.clinic.newId(), this.clinic.isTaxed));

  create(ordered: readonly Ordered[], { discount, charge, type, customer }: Plan): void {
    this.tell('order.create', {
      order_id: this.clinic.newId(),
      number: this.device.number('treatment'),
      order_type: type,
      ...(customer !== '' && { customer_name: customer }),
      items: this.lines(ordered),
      currency: this.clinic.currency,
      discount: euros(discount),
      service_charge: euros(charge),
      // The rules ask only for what was agreed.
      total: 0,
    });
  }

  addServices({ id }: Treatment, ordered: readonly Ordered[]): void {
    this.tell('order.add_services', { order_id: id, items: this.lines(ordered) });
  }

  /** Takes a line away, or gives it another quantity. */
  change(known: Treatment, lineId: string, quantity: number | null): void {
    const line = lineOnWire(known, lineId);
    this.tell('order.change', {
      order_id: known.id,
      ...(quantity === null
        ? { removed_line_ids: [line.line_id] }
        : { replaced_items: [{ ...line, line_id: this.clinic.newId(), quantity, replaces: line.line_id }] }),
    });
  }

  pay(known: Treatment, { tendered, method, isFull }: Payment): void {
    const amount = Math.min(tendered, known.balance);
    const expected = invoiceOfPayment(known, { amount, isFull }, this.clinic);
    this.tell('order.pay', {
      order_id: known.id,
      payment_id: this.clinic.newId(),
      payment_method: method,
      amount: euros(amount),
      tendered: euros(tendered),
      change: euros(tendered - amount),
      ...(expected && { invoice: this.invoice(known, expected, isFull ? 'F1' : 'F2') }),
    });
  }

  bill(known: Treatment, isFull: boolean): void {
    const expected = invoiceOfRest(known, this.clinic);
    if (!expected || (!isFull && asksForRecipient(known, this.clinic))) return;
    this.tell('order.invoice', { order_id: known.id, invoice: this.invoice(known, expected, isFull ? 'F1' : 'F2') });
  }

  exchange(known: Treatment, number: string): void {
    const expected = exchangeOf(known, number);
    if (!expected) return;
    const { issuedAt } = known.documents.find((document) => document.number === number)!;
    const replaces = { number, issued_on: dayOf(Date.parse(issuedAt)) };
    this.tell('order.invoice', {
      order_id: known.id,
      invoice: { ...this.invoice(known, expected, 'F3'), replaces },
    });
  }

  private invoice(known: Treatment, expected: Expected, type: 'F1' | 'F2' | 'F3') {
    const isFull = this.clinic.isTaxed && type !== 'F2';
    return {
      ...invoiceFrom(expected, {
        id: this.clinic.newId(),
        number: this.device.number(isFull ? 'full_invoice' : 'invoice'),
        known,
        ...this.issue(isFull ? type : 'F2'),
      }),
      currency: known.currency,
      service_charge_percentage: 0,
      language: 'en',
      ...(this.clinic.isTaxed && { issuer }),
      ...(isFull && { recipient }),
    };
  }

  private issue(type: string) {
    return { at: new Date(this.clinic.nowMs).toISOString(), type };
  }

  refund(known: Treatment, { amount, lineIds, isStillOwed, method }: GivenBack): void {
    const lines = proposedLines(known, lineIds, amount);
    const refund = { amount, lines, isStillOwed };
    const hasFull = known.documents.some(({ type }) => type === 'F1' || type === 'F3');
    const payload: PayloadOf<'order.refund'> & { reason: string } = {
      order_id: known.id,
      refund_id: this.clinic.newId(),
      payment_method: method,
      amount: euros(amount),
      reason: 'agreed',
      credit_note_number: this.device.number(hasFull ? 'full_credit_note' : 'credit_note'),
      ...refundTerms(known, refund),
    };
    const entry = {
      opId: 'z',
      kind: 'order.refund',
      payload,
      deviceId: 0,
      deviceSeq: 0,
      actorId: 0,
      atMs: this.clinic.nowMs,
    } as Entry;
    const note = creditNote(known, entry, refund, this.clinic);
    this.tell('order.refund', { ...payload, credit_note: this.note(note, hasFull ? 'R1' : 'R5') });
  }

  private note(expected: Expected, type: string) {
    return {
      ...documentFrom(expected, this.issue(type)),
      language: 'en',
      ...(expected.taxes.length > 0 && { issuer }),
    };
  }

  cancel(known: Treatment): void {
    const note = cancelNote(known, this.clinic);
    const payload = {
      order_id: known.id,
      status: 'cancelled',
      ...(note && { credit_note_number: this.device.number('credit_note'), credit_note: this.note(note, 'R5') }),
    };
    this.tell('order.cancel', payload);
  }

  openWith(float: number): void {
    this.tell('drawer.open', { drawer_id: this.clinic.newId(), float: euros(float), currency: this.clinic.currency });
  }

  move(drawer: string, amount: number): void {
    const direction = amount < 0 ? ('out' as const) : ('in' as const);
    const payload = { drawer_id: drawer, direction, amount: euros(Math.abs(amount)), reason: 'change' };
    this.tell('drawer.move', payload);
  }

  close(drawer: string, counted: Record<Method, number>): void {
    this.tell('drawer.close', { drawer_id: drawer, counted });
  }
}
