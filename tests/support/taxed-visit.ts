/** A treatment, by default under the Spanish tax profile, from its services to its documents, by the rules of the domain alone. */
import { expect } from 'vitest';
import english from '#locales/en.json' with { type: 'json' };
import type { Drawer } from '#domain/drawer/drawer.ts';
import { billedBy, decideInvoice } from '#domain/order/billing.ts';
import { composeCollective } from '#domain/order/compose-collective.ts';
import { decideCancel, decideExchange, decidePayment, decideRefund } from '#domain/order/decisions.ts';
import { cancelNote, exchangeInvoice, issueCreditNote, issueInvoice } from '#domain/order/issue-documents.ts';
import { cancelSeries } from '#domain/order/issue-tax.ts';
import { reduceOrder } from '#domain/order/operations.ts';
import type { LinePayload, OrderOperation, OrderPayloads } from '#domain/order/operations.ts';
import type { CreditNotePayload, InvoicePayload, Order } from '#domain/order/order.ts';
import type { DocumentContext } from '#domain/order/document-writer.ts';
import { orderPayloadSchemas } from '#domain/order/schemas.ts';
import type { Recipient, TaxDocumentFields } from '#domain/tax/document.ts';
import { minorFromWire, minorToWire } from '#domain/money.ts';
import { termsToWire } from '#domain/order/refund-terms.ts';
import { defaultSettings } from '#domain/settings/settings.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import type { TaxPayload } from '#domain/tax/wire.ts';
import { documentLabels } from '../src/db/tablet.ts';

export const settings: ClinicSettings = {
  ...defaultSettings,
  practice_name: 'Clínica Luz',
  tax_profile: 'ES',
  legal_name: 'Clínica Dental Luz, S.L.',
  tax_id: 'B65410011',
  address: 'Calle Mayor 1',
  postal_code: '28013',
  city: 'Madrid',
  receipt_header: '',
  receipt_footer: '',
};
const { legal_name, tax_id, address, postal_code, city } = settings;
/** The same issuer for `PUT /settings`, of a clinic that is not bound to VERI*FACTU. */
export const issuer = { tax_profile: 'ES', books_by_sii: true, legal_name, tax_id, address, postal_code, city };
export const context: DocumentContext = {
  settings,
  language: 'en',
  labels: { ...documentLabels, tax: english.print.labels.tax },
  cashierName: 'Ana',
};
export const recipient: Recipient = {
  name: 'Eva Ruiz',
  tax_id: '12345678Z',
  address: 'Calle Sol 2',
  postal_code: '28013',
  city: 'Madrid',
};

/** A payer of collective invoices. */
export const insurer = {
  name: 'Seguros Norte, S.A.',
  tax_id: 'A58818501',
  address: 'Gran Vía 10',
  postal_code: '28013',
  city: 'Madrid',
};

const orderId = '019e1ba1-0d00-7000-8000-000000000001';
export const id = (n: number) => `019e1ba1-0d00-7000-8000-${String(n).padStart(12, '0')}`;
export const firstDay = Date.UTC(2026, 4, 12, 10);

/** The open drawer of the visits' device. */
export const drawer: Drawer = {
  id: id(99),
  deviceId: 3,
  currency: 'EUR',
  floatMinor: 0,
  openedAtMs: firstDay,
  openedBy: 7,
  movements: [],
  close: null,
};
export const exempt: TaxPayload = { exempt: 'E1' };

/** A treatment on one device: what is done, and the documents that it issues. */
export class Visit {
  order: Order | null = null;
  atMs = firstDay;
  readonly documents: TaxDocumentFields[] = [];
  private count = 0;
  private readonly context: DocumentContext;

  constructor(profile: ClinicSettings['tax_profile'] = 'ES') {
    this.context = { ...context, settings: { ...settings, tax_profile: profile } };
  }

  private do<Kind extends keyof OrderPayloads>(kind: Kind, payload: OrderPayloads[Kind]): this {
    expect(orderPayloadSchemas[kind].safeParse(payload).error).toBeUndefined();
    return this.apply(kind, payload);
  }

  private apply<Kind extends keyof OrderPayloads>(kind: Kind, payload: OrderPayloads[Kind]): this {
    const operation = {
      op_id: id(9000 + ++this.count),
      device_id: 3,
      actor_id: 7,
      kind,
      payload: structuredClone(payload),
    } as unknown as OrderOperation;
    this.order = reduceOrder(this.order, operation, this.atMs);
    return this;
  }

  create(items: LinePayload[], { discount = 0, charge = 0 } = {}): this {
    return this.do('order.create', {
      order_id: orderId,
      number: 'T-A7-000001',
      order_type: 'walk_in',
      items,
      currency: 'EUR',
      service_charge: charge,
      discount,
      total: 0,
    });
  }

  add(items: LinePayload[]): this {
    return this.do('order.add_services', { order_id: orderId, items });
  }

  takeAway(lineIds: string[]): this {
    return this.do('order.change', { order_id: orderId, removed_line_ids: lineIds });
  }

  double(lineId: string, by: string): this {
    const old = this.order!.removedLines.find((each) => each.lineId === lineId)!;
    const doubled = line(old.stockId!, minorToWire(old.unitPriceMinor), undefined, (2 * old.quantityMilli) / 1000);
    return this.do('order.change', {
      order_id: orderId,
      replaced_items: [{ ...doubled, line_id: by, replaces: lineId }],
    });
  }

  /** @param order what the device that takes the money knows of the treatment */
  pay(amount: number, to?: Recipient, order = this.order!): InvoicePayload | undefined {
    const decision = decidePayment(order, { method: 'card', tenderedMinor: minorFromWire(amount) });
    if (!decision.ok) throw new Error(decision.refusal.code);
    const billed = billedBy(this.context.settings, order, decision.value);
    const payment = {
      paymentId: id(++this.count),
      opId: '',
      method: 'card' as const,
      amountMinor: decision.value.amountMinor,
      tenderedMinor: decision.value.amountMinor,
      changeMinor: 0,
      reference: '',
      creditNoteNumber: null,
      creditNote: null,
      reason: '',
      refundedLines: [],
      allowances: [],
      reductionMinor: 0,
      isStillOwed: false,
      actorId: 7,
      deviceId: 3,
      atMs: this.atMs,
    };
    const invoice =
      billed &&
      issueInvoice(this.context, {
        ...billed,
        invoiceId: id(++this.count),
        number: this.nextNumber(to ? 'F' : 'INV'),
        issuedAtMs: this.atMs,
        order,
        payment,
        recipient: to,
      });
    this.do('order.pay', {
      order_id: orderId,
      payment_id: payment.paymentId,
      payment_method: 'card',
      amount: minorToWire(payment.amountMinor),
      tendered: minorToWire(payment.amountMinor),
      change: 0,
      ...(invoice && { invoice }),
    });
    if (invoice) this.documents.push(invoice);
    return invoice ?? undefined;
  }

  /** @param known what the device that gives the money back knows of the treatment */
  refund(
    amount: number,
    lineIds: string[] = [],
    { isStillOwed = false, known: order = this.order! }: { isStillOwed?: boolean; known?: Order } = {},
  ): CreditNotePayload {
    const amountMinor = minorFromWire(amount);
    const decision = decideRefund(order, { amountMinor, reason: 'Not done', lineIds, isStillOwed });
    if (!decision.ok) throw new Error(decision.refusal.code);
    const note = issueCreditNote(this.context, {
      number: 'R-A7-000001',
      issuedAtMs: this.atMs,
      order,
      amountMinor,
      method: 'card',
      reason: 'Not done',
      terms: decision.value,
    });
    this.do('order.refund', {
      order_id: orderId,
      refund_id: id(++this.count),
      payment_method: 'card',
      amount,
      reason: 'Not done',
      credit_note_number: 'R-A7-000001',
      ...termsToWire(decision.value),
      ...(isStillOwed && { still_owed: true }),
      credit_note: note,
    });
    if (note.tax_totals) this.documents.push(note);
    return note;
  }

  /** Bills what is not invoiced, although nothing is paid. */
  invoice(to?: Recipient): InvoicePayload {
    const order = this.order!;
    const billed = decideInvoice(this.context.settings, order);
    if (!billed.ok) throw new Error(billed.refusal.code);
    const invoice = issueInvoice(this.context, {
      invoiceId: id(++this.count),
      number: this.nextNumber(to ? 'F' : 'INV'),
      issuedAtMs: this.atMs,
      order,
      ...billed.value,
      payment: null,
      recipient: to,
    });
    this.do('order.invoice', { order_id: orderId, invoice });
    this.documents.push(invoice);
    return invoice;
  }

  /** Bills what is not invoiced to a payer, as the part of a collective invoice. */
  bill(payer: Recipient): InvoicePayload {
    const issue = { ...this.context, atMs: this.atMs, newId: () => id(++this.count) };
    const composed = composeCollective(issue, [this.order!], { recipient: payer });
    if (!composed.ok) throw new Error(composed.refusal.code);
    const [part] = composed.value.payload(this.nextNumber('F')).parts;
    // No tablet and no request states one.
    this.apply('order.invoice', part!);
    this.documents.push(part!.invoice);
    return part!.invoice;
  }

  /** Issues the full invoice in exchange for the latest one. */
  exchange(): InvoicePayload {
    const order = this.order!;
    const replaced = decideExchange(order, order.invoices.at(-1)!.invoice_number);
    if (!replaced.ok) throw new Error(replaced.refusal.code);
    const invoice = exchangeInvoice(this.context, {
      invoiceId: id(++this.count),
      number: this.nextNumber('F'),
      issuedAtMs: this.atMs,
      order,
      invoice: replaced.value,
      recipient,
    });
    this.do('order.invoice', { order_id: orderId, invoice });
    return invoice;
  }

  /** @param known what the device that cancels knows of the treatment */
  cancel(known = this.order!): CreditNotePayload | undefined {
    const decision = decideCancel(known);
    if (!decision.ok) throw new Error(decision.refusal.code);
    const content = { number: 'R-A7-000002', order: known, issuedAtMs: this.atMs, reason: 'Not done' };
    const corrected = cancelSeries(known) && cancelNote(this.context, content);
    this.do('order.cancel', {
      order_id: orderId,
      status: 'cancelled',
      notes: 'Not done',
      ...(corrected && { credit_note_number: corrected.number, credit_note: corrected.note }),
    });
    if (corrected) this.documents.push(corrected.note);
    return corrected?.note;
  }

  private nextNumber(series: 'INV' | 'F'): string {
    return `${series}-A7-${String(this.documents.length + 1).padStart(6, '0')}`;
  }
}

/** @param tax absent without a tax profile */
export const line = (n: number, unit_price: number, tax?: TaxPayload, quantity = 1): LinePayload => ({
  line_id: id(n),
  stock_id: n,
  name: `Service ${n}`,
  quantity,
  unit_price,
  ...(tax && { tax }),
});

/** The amounts of a document, as a person would write them down. */
export const amounts = ({ tax_totals = [] }: TaxDocumentFields) =>
  tax_totals.map((total) => ['exempt' in total ? total.exempt : `${total.rate} %`, total.base, total.tax, total.gross]);
