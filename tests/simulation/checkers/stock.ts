/** Checks the stock: a level equals its last count plus later movements, each line used its supplies once, and open treatments are reserved. */
import type { Clinic } from '../cluster/clinic.ts';
import { effectiveMs } from './operations.ts';
import { ledgerOf } from './ledger.ts';
import { takingsByLine } from './orders.ts';
import type { FinalState, LedgerRow, LineRow, ReceiptRow } from './final-state.ts';
import { groupBy, thousandths } from './final-state.ts';

export function checkStock(final: FinalState, clinic: Clinic): string[] {
  return [
    ...checkAdjustments(final),
    ...checkUsage(final, clinic),
    ...checkQuantities(final, clinic),
    ...checkReservations(final, clinic),
  ];
}

function checkAdjustments({ applied, server, receipts }: FinalState): string[] {
  const violations: string[] = [];
  const rows = new Map<string, LedgerRow[]>();
  for (const row of server.ledger) if (row.line_id === null) rows.set(row.op_id, [...(rows.get(row.op_id) ?? []), row]);
  for (const operation of applied) {
    if (operation.kind !== 'stock.adjust') continue;
    const { stock_id, action, amount } = operation.payload;
    const own = rows.get(operation.op_id) ?? [];
    rows.delete(operation.op_id);
    const quantity = action === 'subtract' ? -thousandths(amount) : thousandths(amount);
    const expected = `${stock_id} ${action === 'set'} ${quantity} ${effectiveMs(operation, receipts.get(operation.op_id)!.received_ms)}`;
    const stored = own
      .map((row) => `${row.stock_id} ${row.is_count} ${row.quantity_milli} ${row.effective_ms}`)
      .join(', ');
    if (stored !== expected)
      violations.push(`adjustment ${operation.op_id} is ${stored || 'missing'}, expected ${expected}`);
  }
  return [...violations, ...[...rows.keys()].map((opId) => `adjustment ${opId} has no operation`)];
}

function usesOf(line: LineRow, clinic: Clinic): [stockId: number, milli: number][] {
  if (line.stock_id !== null) return [[line.stock_id, line.quantity_milli]];
  return [...clinic.recipes.get(line.product_id!)!].map(([stockId, milli]) => [
    stockId,
    Math.round((milli * line.quantity_milli) / 1000),
  ]);
}

/**
 * Supplies are deducted once per line, for every line that was in its treatment when an operation completed the treatment.
 * Whether a line that somebody changed was in it then, only the server knows; in the end it is if the line stands.
 */
function checkUsage(final: FinalState, clinic: Clinic): string[] {
  const { server, receipts } = final;
  const takings = takingsByLine(final);
  const treatments = ledgerOf(server);
  const completions = groupBy([...receipts.values()].filter(leftCompleted), ({ aggregate }) => aggregate);
  const waitsFor = waitingFor(final);
  return server.lines.flatMap((line) => {
    const used = server.ledger
      .filter(({ line_id }) => line_id === line.id)
      .map((row) => `${row.stock_id} ${row.quantity_milli}`);
    const isMarked = line.usage_at !== null;
    const when = (completions.get(`order:${line.order_id}`) ?? []).map((completion) =>
      waitsFor(line.op_id, completion.op_id) ? 'after' : arrivalOrder(receipts.get(line.op_id)!, completion),
    );
    const isChanged = line.removed || line.replaces !== null || takings.has(line.id);
    const isDueNow = !line.removed && treatments.get(line.order_id)?.status === 'completed';
    const isDueThen = when.includes('before') || (when.includes('unknown') && isMarked);
    const isDue = isChanged ? isMarked || isDueNow : isDueThen;
    const expected = isDue ? usesOf(line, clinic).map(([stockId, milli]) => `${stockId} ${-milli}`) : [];
    const violations =
      used.sort().join() === expected.sort().join()
        ? []
        : [`line ${line.id} used ${used.join() || 'nothing'}, expected ${expected.join() || 'nothing'}`];
    return isMarked === isDue
      ? violations
      : [...violations, `line ${line.id} is ${isMarked ? '' : 'not '}marked as deducted`];
  });
}

/** Returns true if the stored reply shows that the operation left its treatment completed. */
function leftCompleted({ kind, status, reply }: ReceiptRow): boolean {
  return (
    kind.startsWith('order.') &&
    status === 'applied' &&
    (JSON.parse(reply) as { data: { status: string } }).data.status === 'completed'
  );
}

/** Returns whether an operation depends on another, or on a refused one that the other was sent in place of. */
function waitingFor({ applied, receipts }: FinalState): (opId: string, otherId: string) => boolean {
  const dependencies = new Map(applied.map(({ op_id, depends_on }) => [op_id, depends_on]));
  const isSameAs = (opId: string, otherId: string): boolean => {
    const next = receipts.get(opId)?.superseded_by;
    return opId === otherId || (typeof next === 'string' && isSameAs(next, otherId));
  };
  return (opId, otherId) => (dependencies.get(opId) ?? []).some((dependency) => isSameAs(dependency, otherId));
}

/** Compares the arrival of two operations on a treatment; an operation counts as before itself. The order of two tablets within a millisecond is unknown. */
function arrivalOrder(one: ReceiptRow, other: ReceiptRow): 'before' | 'after' | 'unknown' {
  if (one.received_ms !== other.received_ms) return one.received_ms < other.received_ms ? 'before' : 'after';
  if (one.device_id !== other.device_id) return 'unknown';
  return one.device_seq <= other.device_seq ? 'before' : 'after';
}

/** SYNC-10: a level is the last count plus the deltas that took effect after it; on a tie the later arrival counts as later. */
function checkQuantities({ server }: FinalState, clinic: Clinic): string[] {
  return clinic.initialStock.flatMap(({ id, quantityMilli }) => {
    const rows = server.ledger.filter(({ stock_id }) => stock_id === id);
    const isAfter = (a: LedgerRow, b: LedgerRow) =>
      a.effective_ms > b.effective_ms || (a.effective_ms === b.effective_ms && a.id > b.id);
    const count = rows
      .filter((row) => row.is_count)
      .reduce<LedgerRow | null>((last, row) => (last && isAfter(last, row) ? last : row), null);
    const deltas = rows.filter((row) => !row.is_count && (!count || isAfter(row, count)));
    const expected = deltas.reduce((sum, row) => sum + row.quantity_milli, count?.quantity_milli ?? quantityMilli);
    const effects = rows.reduce((sum, row) => sum + row.effect_milli, quantityMilli);
    const stored = server.items.find((item) => item.id === id)!.quantity_milli;
    return stored === expected && stored === effects
      ? []
      : `item ${id} has quantity ${stored}, expected ${expected} from its movements and ${effects} from its effects`;
  });
}

function checkReservations({ server }: FinalState, clinic: Clinic): string[] {
  const treatments = ledgerOf(server);
  const reserved = new Map<number, number>();
  for (const line of server.lines) {
    if (treatments.get(line.order_id)?.status !== 'confirmed' || line.usage_at !== null || line.removed) continue;
    for (const [stockId, milli] of usesOf(line, clinic)) reserved.set(stockId, (reserved.get(stockId) ?? 0) + milli);
  }
  return server.items.flatMap(({ id, reserved_milli }) =>
    reserved_milli === (reserved.get(id) ?? 0)
      ? []
      : `item ${id} reserves ${reserved_milli}, expected ${reserved.get(id) ?? 0}`,
  );
}
