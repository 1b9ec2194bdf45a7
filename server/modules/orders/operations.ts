/** The operations on a treatment. */
import { isServerCode } from '#domain/device.ts';
import { documentOf } from '#domain/fiscal/documents.ts';
import { placeOf, withoutTimesToCome } from '#domain/fact-order.ts';
import type { FactPlace } from '#domain/fact-order.ts';
import type { IssuedDocument } from '#domain/fiscal/documents.ts';
import { longestOfflineMs, oldPriceMs } from '#domain/limits.ts';
import { minorFromWire } from '#domain/money.ts';
import { oddCash } from '#domain/order/cash-limit.ts';
import { issuesNothing } from '#domain/order/compose-documents.ts';
import { decideCancel, decideChange, decideChanged } from '#domain/order/decisions.ts';
import { freeDiscount } from '#domain/order/discount.ts';
import { codeOfNumber } from '#domain/order/numbers.ts';
import { oddInvoice, oddPayment, oddPrices, oddSimplified, oddTaxes, oddTreatment } from '#domain/order/odd-facts.ts';
import type { PricesOf } from '#domain/order/odd-facts.ts';
import { allLines, subtotalOf } from '#domain/order/order.ts';
import { isWithinLimits, statusOf } from '#domain/order/totals.ts';
import type { InvoicePayload, Order, OrderLine } from '#domain/order/order.ts';
import { orderAggregate, orderOperations, reduceOrder } from '#domain/order/operations.ts';
import type { LinePayload, OrderOperation, ReplacementPayload } from '#domain/order/operations.ts';
import { orderResource } from '#domain/order/to-resource.ts';
import { isInvoiced, overruledCorrections, repeatedExchanges } from '#domain/order/tax-totals.ts';
import { isSimplifiedTooLarge } from '#domain/tax/document.ts';
import type { TaxDocumentFields } from '#domain/tax/document.ts';
import { beforeAnyUpdate } from '#domain/patient/patient.ts';
import type { Operation } from '#domain/protocol/operations.ts';
import { milliFromWire } from '#domain/quantity.ts';
import { accept, refuse } from '#domain/result.ts';
import type { Result } from '#domain/result.ts';
import { taxKey } from '#domain/tax/tax.ts';
import { categoryFromWire } from '#domain/tax/wire.ts';
import type { Sql } from '#server/db/sql.ts';
import { describedBy, refused, waiting } from '#server/operations/operation-module.ts';
import type {
  BatchContext,
  BatchPart,
  DecideContext,
  DecidedBatch,
  Decision,
  OperationModule,
  RaisedConcern,
} from '#server/operations/operation-module.ts';
import { clockSlackMs } from '#server/clocks.ts';
import { annulmentEffects, fiscalEffects } from '../fiscal/service.ts';
import { ledgerEffects } from '../ledger/service.ts';
import { loadPrices } from '../stock/service.ts';
import { loadOrders, patientEffects, patientFieldEffects, withOperation, writeOrders } from './service.ts';
import type { OrderChange } from './service.ts';

export const orderModule: OperationModule<OrderOperation> = {
  kinds: Object.keys(orderOperations) as OrderOperation['kind'][],
  aggregateOf: ({ payload }) => orderAggregate(payload.order_id),
  describe: ({ number, invoice, credit_note_number, amount, total }) =>
    describedBy(
      [number, (invoice as { invoice_number?: unknown } | null | undefined)?.invoice_number, credit_note_number],
      [amount, total],
    ),
  async load(sql, context, operations) {
    const ids = operations.map(({ payload }) => payload.order_id).filter(Boolean);
    const [orders, pricesOf] = await Promise.all([
      loadOrders(sql, context.clinicId, [...new Set(ids)]),
      pricesOfLines(sql, context, operations.flatMap(linesOf)),
    ]);
    const latestMs = context.receivedAtMs + clockSlackMs;
    for (const [id, order] of orders)
      orders.set(id, { ...order, changes: [...withoutTimesToCome(order.changes, latestMs)] });
    return new OrderBatch(context, orders, pricesOf);
  },
};

class OrderBatch implements BatchPart<OrderOperation> {
  private readonly changes = new Map<string, OrderChange>();

  /** @param orders as they are after the operations that were decided so far */
  constructor(
    private readonly context: BatchContext,
    private readonly orders: Map<string, Order>,
    private readonly pricesOf: PricesOf,
  ) {}

  decide(operation: OrderOperation, { source, atMs, allows, effects }: DecideContext): Decision {
    const { order_id: orderId } = operation.payload;
    const order = this.orders.get(orderId) ?? null;
    const creates = operation.kind === 'order.create';
    if (creates && order) return refused('ORDER_EXISTS');
    if (!creates && !order) {
      // A restored server may not have it yet, and another tablet will send it again. A person who asks gets the reply
      // now.
      return source === 'device' ? waiting('ORDER_NOT_FOUND') : refused('ORDER_NOT_FOUND');
    }
    const { after, annulled } = withAnnulled(order, reduceOrder(order, operation, atMs)!);
    if (source === 'request') {
      const decision = this.issuesOutside(operation, order, atMs)
        ? refuse('VERIFACTU_REQUIRED')
        : decideRequest(operation, order, after);
      if (!decision.ok) return { status: 'refused', refusal: decision.refusal };
    }
    if (!isWithinLimits(after)) return refused('ORDER_FULL');
    this.change(after, operation, atMs);
    if (source === 'request') effects.add(fiscalEffects, ...serverDocuments(operation));
    effects.add(annulmentEffects, ...annulled.map(({ opId }) => opId));
    if (operation.kind === 'order.create' || operation.kind === 'order.change')
      effects.add(patientEffects, ...patientUpdates(operation, placeOf(operation, atMs)));
    if (operation.kind === 'order.pay' || operation.kind === 'order.invoice')
      effects.add(patientFieldEffects, ...recipientUpdates(operation.payload.invoice, after, placeOf(operation, atMs)));
    return {
      status: 'applied',
      created: creates,
      mentions: formerPatients(operation, order, after),
      // A device reads the treatment in the change feed. Its batch would carry the same treatment up to 200 times.
      data: () =>
        source === 'request' ? orderResource(after) : { id: after.id, number: after.number, status: statusOf(after) },
      concerns: [
        ...this.concernsOf(operation, after, { atMs, allows }),
        ...annulled.map(({ number }) => ({ kind: 'document_annulled' as const, details: { number } })),
      ],
    };
  }

  /** True when a request brings a document that the clinic must not issue. The server composes none then. */
  private issuesOutside({ kind, payload }: OrderOperation, before: Order | null, atMs: number): boolean {
    const { invoice, credit_note: note } = payload as { invoice?: TaxDocumentFields; credit_note?: TaxDocumentFields };
    const isOfInvoiced = before !== null && isInvoiced(before) && (kind === 'order.refund' || kind === 'order.cancel');
    // Money that no invoice bills goes back with a note that states no tax. An invoice counts as one, whatever it leaves out.
    const isDocument = invoice !== undefined || note?.document_type !== undefined || isOfInvoiced;
    return isDocument && issuesNothing({ settings: this.context.settings, atMs });
  }

  private change(after: Order, { op_id: opId, actor_id: actorId, device_id: deviceId }: OrderOperation, atMs: number) {
    const change = this.changes.get(after.id) ?? { before: this.orders.get(after.id) ?? null, completions: [] };
    this.changes.set(after.id, withOperation(change, { opId, actorId, deviceId, atMs }, after));
    this.orders.set(after.id, after);
  }

  /** Returns what a manager must look at in a fact, which is never refused for it (SYNC-2). */
  private concernsOf(
    operation: OrderOperation,
    after: Order,
    { atMs, allows }: Pick<DecideContext, 'atMs' | 'allows'>,
  ): RaisedConcern[] {
    const { settings } = this.context;
    const terms = { currency: after.currency, settings, atMs, pricesOf: this.pricesOf };
    const unlikeCatalogue = (items: readonly LinePayload[]) => [...oddPrices(items, terms), ...oddTaxes(items, terms)];
    switch (operation.kind) {
      case 'order.create':
        return [
          ...this.excessDiscount(operation, allows),
          ...unlikeCatalogue(operation.payload.items),
          ...oddTreatment(operation.payload, settings.currency),
        ];
      case 'order.add_services':
        return unlikeCatalogue(operation.payload.items);
      case 'order.change':
        return [
          ...oddPrices(repricedItems(operation.payload, after), terms),
          ...oddTaxes(retaxedItems(operation.payload, after), terms),
        ];
      case 'order.pay':
        return [
          ...oddPayment(operation.payload, after),
          ...oddSimplified(operation.payload.invoice),
          ...oddCash(settings, after, operation.op_id),
        ];
      case 'order.refund':
        return oddCash(settings, after, operation.op_id);
      case 'order.invoice':
        return [...oddInvoice(operation.payload.invoice, after), ...oddSimplified(operation.payload.invoice)];
      default:
        return [];
    }
  }

  /**
   * Raises a discount above the limit that its giver was not allowed to give, and nobody approved. A fact is never refused
   * for it (SYNC-2).
   */
  private excessDiscount({ payload }: Operation<'order.create'>, allows: DecideContext['allows']): RaisedConcern[] {
    const { discount, items, currency } = payload;
    if (discount === 0 || allows('order.discount_any')) return [];
    const { discount_limit_percent: limit } = this.context.settings;
    if (minorFromWire(discount) <= freeDiscount(subtotalOf(items), limit)) return [];
    return [{ kind: 'discount_over_limit', details: { discount, limit, currency } }];
  }

  async write(sql: Sql, { effects }: DecidedBatch): Promise<void> {
    const { clinicId, receivedAtMs, settings } = this.context;
    const context = { clinicId, receivedAtMs, timeZone: settings.time_zone };
    effects.add(ledgerEffects, await writeOrders(sql, context, [...this.changes.values()]));
  }
}

/** A document that counts nowhere, because another one or a payment has settled the same. */
interface Annulled {
  opId: string;
  number: string;
}

/** Annuls what an operation has overruled: corrections of cancels, and exchanges of an exchanged invoice. */
function withAnnulled(before: Order | null, order: Order): { after: Order; annulled: Annulled[] } {
  const overruled = overruledCorrections(order);
  const cancels = order.cancels.map((cancel) =>
    overruled.includes(cancel) ? { ...cancel, correction: { ...cancel.correction!, isAnnulled: true } } : cancel,
  );
  const known = new Set((before ? repeatedExchanges(before) : []).map(({ op_id }) => op_id));
  const repeated = repeatedExchanges(order).filter(({ op_id }) => !known.has(op_id));
  const annulled = [
    ...overruled.map(({ opId, correction }) => ({ opId, number: correction!.number })),
    ...repeated.map(({ op_id: opId, invoice_number: number }) => ({ opId, number })),
  ];
  return { after: overruled.length > 0 ? { ...order, cancels } : order, annulled };
}

/** Returns the document of an operation if the server has issued it under its own code. The part of a collective invoice is none. */
function serverDocuments(operation: OrderOperation): IssuedDocument[] {
  if (operation.kind === 'order.invoice' && operation.payload.invoice.part_of) return [];
  const document = documentOf(operation);
  return document && isServerCode(codeOfNumber(document.number) ?? '') ? [document] : [];
}

/** Returns the lines that an operation adds. */
function linesOf({ kind, payload }: OrderOperation): readonly LinePayload[] {
  if (kind === 'order.change') return payload.replaced_items ?? [];
  return kind === 'order.create' || kind === 'order.add_services' ? payload.items : [];
}

/** Returns the line that this one replaces, unless it is another service. */
function sameService(item: ReplacementPayload, order: Order): OrderLine | undefined {
  const old = allLines(order).find(({ lineId }) => lineId === item.replaces);
  const isSame = old?.stockId === (item.stock_id ?? null) && old.productId === (item.product_id ?? null);
  return isSame ? old : undefined;
}

/** Returns the lines that are not at the price of the line which they replace. */
const repricedItems = ({ replaced_items = [] }: Operation<'order.change'>['payload'], order: Order) =>
  replaced_items.filter((item) => sameService(item, order)?.unitPriceMinor !== minorFromWire(item.unit_price));

/** Returns the lines that do not bear the tax of the line which they replace. */
const retaxedItems = ({ replaced_items = [] }: Operation<'order.change'>['payload'], order: Order) =>
  replaced_items.filter((item) => {
    const old = sameService(item, order);
    return !old || old.tax !== (item.tax && taxKey(categoryFromWire(item.tax)));
  });

/** Decides what a person asks for; what a device reports has happened. */
function decideRequest({ kind, payload }: OrderOperation, before: Order | null, after: Order): Result<unknown> {
  if (kind === 'order.cancel') return decideCancel(before!);
  if (kind === 'order.pay' || kind === 'order.invoice')
    return payload.invoice && isSimplifiedTooLarge(payload.invoice) ? refuse('RECIPIENT_REQUIRED') : accept(null);
  if (kind !== 'order.change') return accept(null);
  const { removed_line_ids: removedIds = [], replaced_items = [] } = payload;
  const replacements = replaced_items.map(({ line_id: lineId, replaces, quantity, notes }) => ({
    lineId,
    replaces,
    quantityMilli: milliFromWire(quantity),
    notes,
  }));
  const decision = decideChange(before!, { removedIds, replacements });
  return decision.ok ? decideChanged(after) : decision;
}

async function pricesOfLines(
  sql: Sql,
  { clinicId, receivedAtMs }: BatchContext,
  lines: readonly LinePayload[],
): Promise<PricesOf> {
  if (lines.length === 0) return () => [];
  const idsOf = (key: 'stock_id' | 'product_id') => [...new Set(lines.flatMap((line) => line[key] ?? []))];
  const { stock, products } = await loadPrices(sql, clinicId, {
    stockIds: idsOf('stock_id'),
    productIds: idsOf('product_id'),
    sinceMs: receivedAtMs - longestOfflineMs - oldPriceMs,
  });
  return ({ stock_id, product_id }) => stock.get(stock_id ?? 0) ?? products.get(product_id ?? 0) ?? [];
}

/** Returns the patients whose treatment it was, or whom the operation names, and whose treatment it is not. */
function formerPatients({ payload }: OrderOperation, before: Order | null, { patientId }: Order): string[] {
  const named = 'patient' in payload ? payload.patient?.patient_id : undefined;
  return [before?.patientId, named].filter((id): id is string => typeof id === 'string' && id !== patientId);
}

/** Returns what an operation says of the treatment's patient, if it names one. */
function patientUpdates({ payload: { patient } }: Operation<'order.create' | 'order.change'>, at: FactPlace) {
  if (!patient) return [];
  const { patient_id: id, name, phone, known } = patient;
  return [{ id, name, phone, at: known ? beforeAnyUpdate : at }];
}

function recipientUpdates(invoice: InvoicePayload | undefined, { patientId: id }: Order, at: FactPlace) {
  // A collective invoice goes to a payer.
  return id !== null && invoice?.recipient && !invoice.part_of ? [{ id, recipient: invoice.recipient, at }] : [];
}
