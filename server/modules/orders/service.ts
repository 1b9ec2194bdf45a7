/**
 * Writes changed treatments with all their effects: usage, reservations, concerns, duplicate numbers. The caller holds
 * the locks of the treatments.
 */
import type { Order } from '#domain/order/order.ts';
import { allLines } from '#domain/order/order.ts';
import { statusOf } from '#domain/order/totals.ts';
import type { FieldsUpdate, PatientUpdate } from '#domain/patient/patient.ts';
import { clearOrderConcerns, raiseAttention, updateOrderConcerns } from '../attention/service.ts';
import type { Concern } from '../attention/service.ts';
import type { LedgerWork } from '../ledger/service.ts';
import type { Sql } from '#server/db/sql.ts';
import { effectKey } from '#server/operations/operation-module.ts';
import { concernChanges, reservationChanges, usageEntries, usageOf } from './effects.ts';
import { saveOrders } from './changes-store.ts';
import type { Completion, OrderChange } from './changes-store.ts';
import { numbersInUse } from './store.ts';
import { loadIngredients, loadUsed, markUsed } from './usage-store.ts';

export { documentIssuedBy, eraseTexts, feedOrders, loadOrders, patientTreatments, treatmentIdsOf } from './store.ts';
export type { OrderChange } from './changes-store.ts';

/** Updates of patients that operations carry. */
export const patientEffects = effectKey<PatientUpdate>('patients');

/** Updates of single fields of patients, such as the recipients of the full invoices that operations issue. */
export const patientFieldEffects = effectKey<FieldsUpdate>('patient fields');

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
  const productIds = changes.flatMap(({ after }) => allLines(after).flatMap(({ productId }) => productId ?? []));
  const [duplicates, ingredients, { usage, used }] = await Promise.all([
    // Sent before the documents that it must not find.
    duplicateNumbers(sql, clinicId, changes),
    loadIngredients(sql, clinicId, [...new Set(productIds)]),
    saveChanges(sql, context, changes),
  ]);

  const { raised, changed, cleared } = concernChanges(changes);
  const returned = await updateOrderConcerns(sql, clinicId, changed);
  await raiseAttention(sql, clinicId, receivedAtMs, [...raised, ...returned, ...duplicates]);
  await clearOrderConcerns(sql, clinicId, receivedAtMs, cleared);
  return {
    entries: changes.flatMap(({ after }) => usageEntries(after, usage, ingredients)),
    reservations: reservationChanges(changes, used, ingredients),
  };
}

/** Writes the treatments themselves. Returns the lines whose supplies they use, and those that were used before and after. */
async function saveChanges(sql: Sql, context: WriteContext, changes: readonly OrderChange[]) {
  const { clinicId, receivedAtMs } = context;
  // Supplies are never used before a payment, so new treatments need no query.
  const paidBefore = changes.flatMap(({ before }) => (before?.payments.length ? before.id : []));
  const usedBefore = await loadUsed(sql, clinicId, paidBefore);
  const usage = usageOf(changes, usedBefore);
  const used = { before: usedBefore, after: new Set([...usedBefore, ...usage.keys()]) };
  const storedLines = changes.flatMap(({ before }) => (before ? allLines(before) : [])).map(({ lineId }) => lineId);
  const usedNow = storedLines.filter((id) => usage.has(id));
  await Promise.all([
    saveOrders(sql, { ...context, used: used.after }, changes),
    markUsed(sql, clinicId, usedNow, receivedAtMs),
  ]);
  return { usage, used };
}

/**
 * SYNC-12: a number that another document already carries is accepted and raised as an attention item. The new documents
 * are not stored yet.
 */
async function duplicateNumbers(sql: Sql, clinicId: number, changes: readonly OrderChange[]): Promise<Concern[]> {
  const fresh = changes.flatMap(({ before, after }) => freshNumbers(before, after));
  if (fresh.length === 0) return [];
  const of = (document: FreshNumber['document']) =>
    fresh.filter((entry) => entry.document === document).map((entry) => entry.number);
  const inUse = await numbersInUse(sql, clinicId, {
    treatments: of('treatment'),
    invoices: of('invoice'),
    creditNotes: of('credit_note'),
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
      details: { number, document },
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
    ...[...(before?.payments ?? []), ...(before?.cancels ?? [])].map(({ opId }) => opId),
  ]);
  const numbers: FreshNumber[] = [];
  if (!before)
    numbers.push({
      document: 'treatment',
      number: after.number,
      orderId: after.id,
      opId: after.opId,
    });
  for (const { op_id, invoice_number, part_of } of after.invoices) {
    // The parts of a collective invoice share its number.
    if (!knownOps.has(op_id) && !part_of)
      numbers.push({ document: 'invoice', number: invoice_number, orderId: after.id, opId: op_id });
  }
  for (const { opId, creditNoteNumber } of after.payments) {
    if (creditNoteNumber && !knownOps.has(opId))
      numbers.push({ document: 'credit_note', number: creditNoteNumber, orderId: after.id, opId });
  }
  for (const { opId, correction } of after.cancels) {
    if (correction && !knownOps.has(opId))
      numbers.push({ document: 'credit_note', number: correction.number, orderId: after.id, opId });
  }
  return numbers;
}
