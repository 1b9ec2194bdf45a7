/**
 * Treatments as a whole: writing what operations did to them, with everything that follows — usage, reservations,
 * concerns, duplicate numbers. Callers hold the treatments' locks and hand over before and after.
 */
import type { Order } from '../../../domain/order/order.ts';
import { statusOf } from '../../../domain/order/order.ts';
import { clearOrderConcerns, raiseAttention, restateOrderConcerns } from '../attention/service.ts';
import type { Concern } from '../attention/service.ts';
import type { LedgerWork } from '../ledger/service.ts';
import { rowsOf } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { concernChanges, reservationChanges, usageEntries } from './effects.ts';
import type { Ingredients } from './effects.ts';
import { numbersInUse, saveOrders, takeUsage } from './store.ts';
import type { OrderChange } from './store.ts';

export { feedOrders, listOrders, loadOrders, patientTreatments } from './store.ts';
export type { OrderChange } from './store.ts';

interface WriteContext {
  clinicId: number;
  timeZone: string;
  receivedAtMs: number;
}

/** Writes the changed treatments and answers with the stock movements that follow. */
export async function writeOrders(sql: Sql, context: WriteContext, changes: readonly OrderChange[]): Promise<LedgerWork> {
  if (changes.length === 0) return { entries: [], reservations: new Map() };
  const { clinicId, receivedAtMs } = context;
  const duplicates = await duplicateNumbers(sql, clinicId, changes);
  await saveOrders(sql, context, changes);

  const { raised, changed, cleared } = concernChanges(changes);
  const returned = await restateOrderConcerns(sql, clinicId, changed);
  await raiseAttention(sql, clinicId, receivedAtMs, [...raised, ...returned, ...duplicates]);
  await clearOrderConcerns(sql, clinicId, receivedAtMs, cleared);

  const ingredients = await loadIngredients(sql, clinicId, changes);
  const completed = changes.filter(({ after }) => statusOf(after) === 'completed');
  const used = await takeUsage(sql, clinicId, completed.flatMap(({ before }) => before?.id ?? []), receivedAtMs);
  for (const { before, after } of completed) for (const { lineId } of linesGained(before, after)) used.add(lineId);
  return {
    entries: completed.flatMap(({ after }) => usageEntries(after, used, ingredients)),
    reservations: reservationChanges(changes, ingredients),
  };
}

/** They were written as used up, if the treatment is completed. */
function linesGained(before: Order | null, after: Order): Order['lines'] {
  const known = new Set(before?.lines.map(({ lineId }) => lineId));
  return after.lines.filter(({ lineId }) => !known.has(lineId));
}

async function loadIngredients(sql: Sql, clinicId: number, changes: readonly OrderChange[]): Promise<Ingredients> {
  const productIds = [...new Set(changes.flatMap(({ after }) => after.lines.map((line) => line.productId)))].filter((id) => id !== null);
  const byProduct = new Map<number, { stockId: number; quantityMilli: number }[]>();
  if (productIds.length === 0) return byProduct;
  const rows = await rowsOf<{ row: { productId: number; stockId: number; quantityMilli: number } }>(
    sql,
    'ingredients',
    `select json_build_object('productId', product_id, 'stockId', stock_id, 'quantityMilli', quantity_milli) as row
     from product_ingredients where clinic_id = $1 and product_id = any($2::int[])`,
    [clinicId, productIds],
  );
  for (const { row } of rows) {
    const known = byProduct.get(row.productId) ?? [];
    byProduct.set(row.productId, [...known, row]);
  }
  return byProduct;
}

/** SYNC-12: a number that another paper already carries is accepted and shown to a person. */
async function duplicateNumbers(sql: Sql, clinicId: number, changes: readonly OrderChange[]): Promise<Concern[]> {
  const fresh = changes.flatMap(({ before, after }) => freshNumbers(before, after));
  if (fresh.length === 0) return [];
  const of = (paper: FreshNumber['paper']) => fresh.filter((entry) => entry.paper === paper).map((entry) => entry.number);
  const inUse = await numbersInUse(sql, clinicId, {
    treatments: of('treatment'),
    orderIds: fresh.filter((entry) => entry.paper === 'treatment').map((entry) => entry.orderId),
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
    .map(({ number, orderId, opId, paper }) => ({ kind: 'duplicate_number', opId, opKind: null, orderId, details: { number, paper } }));
}

interface FreshNumber {
  paper: 'treatment' | 'invoice' | 'credit_note';
  number: string;
  orderId: string;
  opId: string;
}

function freshNumbers(before: Order | null, after: Order): FreshNumber[] {
  const knownOps = new Set([...(before?.invoices ?? []).map((invoice) => invoice.op_id), ...(before?.payments ?? []).map((payment) => payment.opId)]);
  const numbers: FreshNumber[] = [];
  if (!before) numbers.push({ paper: 'treatment', number: after.number, orderId: after.id, opId: after.lines[0]?.opId ?? after.id });
  for (const { op_id, invoice_number } of after.invoices) {
    if (!knownOps.has(op_id)) numbers.push({ paper: 'invoice', number: invoice_number, orderId: after.id, opId: op_id });
  }
  for (const { opId, creditNoteNumber } of after.payments) {
    if (creditNoteNumber && !knownOps.has(opId)) numbers.push({ paper: 'credit_note', number: creditNoteNumber, orderId: after.id, opId });
  }
  return numbers;
}
