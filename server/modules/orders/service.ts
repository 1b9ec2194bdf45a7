/**
 * Writes changed treatments with all their effects: usage, reservations, concerns, duplicate numbers. The caller holds
 * the locks of the treatments.
 */
import type { Order } from '../../../domain/order/order.ts';
import { allLines, statusOf } from '../../../domain/order/order.ts';
import { clearOrderConcerns, raiseAttention, updateOrderConcerns } from '../attention/service.ts';
import type { Concern } from '../attention/service.ts';
import type { LedgerWork } from '../ledger/service.ts';
import type { Sql } from '../../db/sql.ts';
import { concernChanges, reservationChanges, usageEntries, usageOf } from './effects.ts';
import { numbersInUse } from './numbers-store.ts';
import { saveOrders } from './store.ts';
import type { Completion, OrderChange } from './store.ts';
import { loadIngredients, loadUsed, markUsed } from './usage-store.ts';

export {
  documentIssuedBy,
  eraseTexts,
  feedOrders,
  listOrders,
  loadOrders,
  patientTreatments,
  treatmentIdsOf,
} from './store.ts';
export type { OrderChange } from './store.ts';

interface WriteContext {
  clinicId: number;
  timeZone: string;
  receivedAtMs: number;
}

/** Adds an operation's effect on a treatment to the effects of earlier operations of the same transaction. */
export function withOperation(
  { before, completions }: Pick<OrderChange, 'before' | 'completions'>,
  { opId, actorId, deviceId, atMs }: Omit<Completion, 'lines'>,
  after: Order,
): OrderChange {
  const isCompleted = statusOf(after) === 'completed';
  return {
    before,
    after,
    completions: isCompleted ? [...completions, { lines: after.lines, opId, actorId, deviceId, atMs }] : completions,
  };
}

/** Writes the changed treatments and returns the stock movements that follow. */
export async function writeOrders(
  sql: Sql,
  context: WriteContext,
  changes: readonly OrderChange[],
): Promise<LedgerWork> {
  if (changes.length === 0) return { entries: [], reservations: new Map() };
  const { clinicId, receivedAtMs } = context;
  const duplicates = await duplicateNumbers(sql, clinicId, changes);
  // Supplies are never used before a payment, so new treatments need no query.
  const usedBefore = await loadUsed(
    sql,
    clinicId,
    changes.flatMap(({ before }) => (before?.payments.length ? before.id : [])),
  );
  const usage = usageOf(changes, usedBefore);
  const used = { before: usedBefore, after: new Set([...usedBefore, ...usage.keys()]) };
  await saveOrders(sql, context, changes, used.after);
  await markUsed(
    sql,
    clinicId,
    changes
      .flatMap(({ before }) => (before ? allLines(before) : []))
      .map(({ lineId }) => lineId)
      .filter((id) => usage.has(id)),
    receivedAtMs,
  );

  const { raised, changed, cleared } = concernChanges(changes);
  const returned = await updateOrderConcerns(sql, clinicId, changed);
  await raiseAttention(sql, clinicId, receivedAtMs, [...raised, ...returned, ...duplicates]);
  await clearOrderConcerns(sql, clinicId, receivedAtMs, cleared);

  const productIds = changes.flatMap(({ after }) => allLines(after).map(({ productId }) => productId));
  const ingredients = await loadIngredients(
    sql,
    clinicId,
    [...new Set(productIds)].filter((id) => id !== null),
  );
  return {
    entries: changes.flatMap(({ after }) => usageEntries(after, usage, ingredients)),
    reservations: reservationChanges(changes, used, ingredients),
  };
}

/** SYNC-12: a number that another document already carries is accepted and raised as an attention item. */
async function duplicateNumbers(sql: Sql, clinicId: number, changes: readonly OrderChange[]): Promise<Concern[]> {
  const fresh = changes.flatMap(({ before, after }) => freshNumbers(before, after));
  if (fresh.length === 0) return [];
  const of = (document: FreshNumber['document']) =>
    fresh.filter((entry) => entry.document === document).map((entry) => entry.number);
  const inUse = await numbersInUse(sql, clinicId, {
    treatments: of('treatment'),
    orderIds: fresh.filter((entry) => entry.document === 'treatment').map((entry) => entry.orderId),
    invoices: of('invoice'),
    creditNotes: of('credit_note'),
    opIds: fresh.map((entry) => entry.opId),
  });
  const seen = new Set<string>();
  return fresh
    .filter(({ number }) => {
      const duplicate = inUse.has(number) || seen.has(number);
      seen.add(number);
      return duplicate;
    })
    .map(({ number, orderId, opId, document }) => ({
      kind: 'duplicate_number',
      opId,
      opKind: null,
      orderId,
      details: { number, paper: document },
    }));
}

interface FreshNumber {
  document: 'treatment' | 'invoice' | 'credit_note';
  number: string;
  orderId: string;
  opId: string;
}

function freshNumbers(before: Order | null, after: Order): FreshNumber[] {
  const knownOps = new Set([
    ...(before?.invoices ?? []).map((invoice) => invoice.op_id),
    ...(before?.payments ?? []).map((payment) => payment.opId),
  ]);
  const numbers: FreshNumber[] = [];
  if (!before)
    numbers.push({
      document: 'treatment',
      number: after.number,
      orderId: after.id,
      opId: after.opId,
    });
  for (const { op_id, invoice_number } of after.invoices) {
    if (!knownOps.has(op_id))
      numbers.push({ document: 'invoice', number: invoice_number, orderId: after.id, opId: op_id });
  }
  for (const { opId, creditNoteNumber } of after.payments) {
    if (creditNoteNumber && !knownOps.has(opId))
      numbers.push({ document: 'credit_note', number: creditNoteNumber, orderId: after.id, opId });
  }
  return numbers;
}
