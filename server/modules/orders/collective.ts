/** Issues collective invoices: one document and one fiscal record, and the part of it on each treatment. */
import type { z } from 'zod';
import { documentOfInvoice } from '#domain/fiscal/documents.ts';
import { minorFromWire, minorToWire } from '#domain/money.ts';
import type { CollectiveInvoice, ListedCollective } from '#domain/order/collective.ts';
import { composeCollective, settlementsOf } from '#domain/order/compose-collective.ts';
import type { ComposedCollective, Settlement } from '#domain/order/compose-collective.ts';
import { composePayment } from '#domain/order/compose-documents.ts';
import { orderAggregate } from '#domain/order/operations.ts';
import type { PayPayload } from '#domain/order/operations.ts';
import type { Order } from '#domain/order/order.ts';
import type { PaymentMethod } from '#domain/order/vocabulary.ts';
import { accept, refuse } from '#domain/result.ts';
import type { Result } from '#domain/result.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import type { WriteContext } from '#server/context.ts';
import type { Sql } from '#server/db/sql.ts';
import type { OperationRegistry } from '#server/operations/registry.ts';
import { applyTogether } from '#server/operations/rest-entry.ts';
import { lockAggregates } from '#server/operations/store.ts';
import { clinicSettings } from '../clinics/service.ts';
import { nextServerNumber } from '../devices/service.ts';
import { appendServerRecords } from '../fiscal/service.ts';
import type {
  collectiveBodySchema,
  issueCollectiveBodySchema,
  payCollectiveBodySchema,
} from '#domain/order/body-schemas.ts';
import { loadCollective, loadListed, saveCollective } from './collective-store.ts';
import { issueContext, numbered } from './composing.ts';
import { requestedRecipient } from './document-requests.ts';
import { loadOrders } from './store.ts';

type ReadContext = Pick<WriteContext, 'sql' | 'clinicId' | 'atMs' | 'newId'>;
type CollectiveBody = z.infer<typeof collectiveBodySchema>;
type IssueBody = z.infer<typeof issueCollectiveBodySchema>;

/** Returns the invoice as it would be issued now, without a number. */
export async function previewCollective(
  context: ReadContext,
  body: CollectiveBody,
): Promise<Result<CollectiveInvoice>> {
  const settings = await clinicSettings(context.sql, context.clinicId);
  const composed = await compose(context, settings, body);
  return composed.ok ? accept(composed.value.payload('').document) : composed;
}

/** Issues the invoice, if it is still the one that the person has seen. */
export async function issueCollective(
  registry: OperationRegistry,
  context: WriteContext,
  { total_amount, ...body }: IssueBody,
): Promise<Result<CollectiveInvoice>> {
  const { sql, clinicId, atMs } = context;
  await lockAggregates(sql, clinicId, body.order_ids.map(orderAggregate));
  const settings = await clinicSettings(sql, clinicId);
  const composed = await compose(context, settings, body);
  if (!composed.ok) return composed;
  const seenMinor = minorFromWire(total_amount);
  if (minorFromWire(composed.value.payload('').document.total_amount) !== seenMinor)
    return refuse('COLLECTIVE_CHANGED');
  const number = await nextServerNumber(context, settings, 'full_invoice');
  const { document, parts } = composed.value.payload(number);
  await applyTogether(
    registry,
    context,
    parts.map((payload) => ({ kind: 'order.invoice', aggregate: orderAggregate(payload.order_id), payload })),
  );
  await saveCollective(sql, clinicId, document);
  await appendServerRecords(
    sql,
    { clinicId, receivedAtMs: atMs, settings },
    { documents: [documentOfInvoice(document.invoice_id, document)], voids: [], candidates: [] },
  );
  return accept(document);
}

/** Returns an invoice with what its treatments owe of it, and locks these. */
export async function collectiveToPay(sql: Sql, clinicId: number, id: string): Promise<ListedCollective | undefined> {
  const document = await loadCollective(sql, clinicId, id);
  if (!document) return undefined;
  await lockAggregates(
    sql,
    clinicId,
    document.treatments.map(({ order_id }) => orderAggregate(order_id)),
  );
  return loadListed(sql, clinicId, id);
}

/**
 * Takes a payer's money for all that the treatments of an invoice owe of it. What the payer withholds is no money of the
 * clinic: it settles the treatments as a payment by another method, with the name of the tax.
 */
export async function payCollective(
  registry: OperationRegistry,
  context: WriteContext,
  { id, payment_method, reference_number }: Omit<z.infer<typeof payCollectiveBodySchema>, 'seen'> & { id: string },
): Promise<Result<{ paid: number; withheld: number }>> {
  const { sql, clinicId } = context;
  const document = await loadCollective(sql, clinicId, id);
  if (!document) return refuse('NOT_FOUND');
  const ids = document.treatments.map(({ order_id }) => order_id);
  await lockAggregates(sql, clinicId, ids.map(orderAggregate));
  const settings = await clinicSettings(sql, clinicId);
  const settlements = settlementsOf(document, await loadOrders(sql, clinicId, ids));
  if (settlements.length === 0) return refuse('ORDER_PAID');
  const pay = (order: Order, method: PaymentMethod, minor: number, reference: string | undefined) =>
    numbered(
      context,
      settings,
      composePayment(issueContext(context, settings, order), order, { method, tenderedMinor: minor, reference }),
    );
  const apply = async (minorOf: (one: Settlement) => number, method: PaymentMethod, reference?: string) => {
    const orders = await loadOrders(sql, clinicId, ids);
    const payloads: PayPayload[] = [];
    for (const one of settlements) {
      if (minorOf(one) === 0) continue;
      const payload = await pay(orders.get(one.order.id)!, method, minorOf(one), reference);
      if (!payload.ok) throw new Error(`A payment was refused that is due: ${payload.refusal.code}`);
      payloads.push(payload.value);
    }
    await applyTogether(
      registry,
      context,
      payloads.map((payload) => ({ kind: 'order.pay', aggregate: orderAggregate(payload.order_id), payload })),
    );
    return minorToWire(settlements.reduce((sum, one) => sum + minorOf(one), 0));
  };
  return accept({
    paid: await apply(({ paidMinor }) => paidMinor, payment_method, reference_number),
    withheld: await apply(({ withheldMinor }) => withheldMinor, 'others', 'IRPF'),
  });
}

async function compose(
  context: ReadContext,
  settings: ClinicSettings,
  { order_ids, recipient: typed, retention_percentage }: CollectiveBody,
): Promise<Result<ComposedCollective>> {
  const orders = await loadOrders(context.sql, context.clinicId, order_ids);
  if (orders.size < order_ids.length) return refuse('ORDER_NOT_FOUND');
  const recipient = requestedRecipient(settings, typed);
  if (!recipient.ok) return recipient;
  if (!recipient.value) return refuse('TAX_PROFILE_REQUIRED');
  return composeCollective(issueContext(context, settings), [...orders.values()], {
    recipient: recipient.value,
    retentionPercentage: retention_percentage,
  });
}
