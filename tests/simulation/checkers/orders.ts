/** Checks the facts of treatments: every effect of an applied operation happened once. What follows from them is the ledger's. */
import type { LinePayload, ReplacementPayload } from '#domain/order/operations.ts';
import type { AnyOperation, PayloadOf } from '#domain/protocol/operations.ts';
import type { Clinic } from '../cluster/clinic.ts';
import type { FinalState, LineRow, PaymentRow } from './final-state.ts';
import { cents, groupBy, thousandths } from './final-state.ts';
import type { ClientLog } from '../clients/client-log.ts';

export function checkOrders(final: FinalState, clientLog: ClientLog, clinic: Clinic): string[] {
  return [
    ...checkLines(final),
    ...checkPayments(final),
    ...checkCash(final, clientLog),
    ...checkStanding(final),
    ...checkDiscounts(final, clinic),
  ];
}

export const ofKind = <K extends AnyOperation['kind']>(applied: readonly AnyOperation[], kind: K) =>
  applied.filter((operation): operation is Extract<AnyOperation, { kind: K }> => operation.kind === kind);

/** Compares two lists of texts as multisets. */
export function compare(label: string, expected: string[], actual: string[]): string[] {
  const rest = new Map<string, number>();
  for (const text of expected) rest.set(text, (rest.get(text) ?? 0) + 1);
  const extra = actual.filter((text) => {
    const count = rest.get(text) ?? 0;
    rest.set(text, count - 1);
    return count <= 0;
  });
  const missing = [...rest].flatMap(([text, count]) => (count > 0 ? text : []));
  return [...missing.map((text) => `${label} missing: ${text}`), ...extra.map((text) => `${label} too many: ${text}`)];
}

function checkLines({ applied, server }: FinalState): string[] {
  const expected = [
    ...ofKind(applied, 'order.create'),
    ...ofKind(applied, 'order.add_services'),
    ...ofKind(applied, 'order.change'),
  ].flatMap(({ op_id, payload }) =>
    itemsOf(payload).map(
      (item) =>
        `${op_id} ${payload.order_id} ${item.line_id} ${item.stock_id ?? null} ${item.product_id ?? null} ${thousandths(item.quantity)}×${cents(item.unit_price)} for ${'replaces' in item ? item.replaces : null}`,
    ),
  );
  const actual = server.lines.map(
    (line) =>
      `${line.op_id} ${line.order_id} ${line.id} ${line.stock_id} ${line.product_id} ${line.quantity_milli}×${line.unit_price_minor} for ${line.replaces}`,
  );
  const orders = ofKind(applied, 'order.create').map(
    ({ payload, actor_id }) => `${payload.order_id} ${payload.number} -${cents(payload.discount)} ${actor_id}`,
  );
  return [
    ...compare('line', expected, actual),
    ...compare(
      'treatment',
      orders,
      server.orders.map(
        ({ id, number, agreed_discount_minor, created_by }) =>
          `${id} ${number} -${agreed_discount_minor} ${created_by}`,
      ),
    ),
    ...compare(
      'note',
      ofKind(applied, 'order.add_services').flatMap(({ op_id, payload: { order_id, notes = '' } }) =>
        notes.trim() === '' ? [] : `${op_id} ${order_id} ${notes}`,
      ),
      server.orders.flatMap(({ id, added_notes }) => added_notes.map(({ opId, text }) => `${opId} ${id} ${text}`)),
    ),
    ...compare(
      'change',
      ofKind(applied, 'order.change').map(({ op_id, payload }) => `${op_id} ${payload.order_id}`),
      server.changes.map((change) => `${change.op_id} ${change.order_id}`),
    ),
    ...compare(
      'cancel',
      ofKind(applied, 'order.cancel').map(({ op_id, payload }) => `${op_id} ${payload.order_id}`),
      server.cancels.map((cancel) => `${cancel.op_id} ${cancel.order_id}`),
    ),
  ];
}

const itemsOf = (
  payload: PayloadOf['order.create'] | PayloadOf['order.add_services'] | PayloadOf['order.change'],
): readonly (LinePayload | ReplacementPayload)[] =>
  'items' in payload ? payload.items : (payload.replaced_items ?? []);

/** Returns the invoices that operations issued, with or without a payment. */
export const invoicesIn = (operations: readonly AnyOperation[]) =>
  operations.flatMap((operation) => {
    const isInvoicing = operation.kind === 'order.pay' || operation.kind === 'order.invoice';
    if (!isInvoicing || !operation.payload.invoice) return [];
    return { operation, orderId: operation.payload.order_id, invoice: operation.payload.invoice };
  });

/** A wish to take a line away: by whom, when, and what was to take its place. */
interface Taking {
  opId: string;
  atMs: number;
  by: LineRow | null;
}

/** Returns the takings by line. */
export function takingsByLine({ applied, server, receipts }: FinalState): Map<string, Taking[]> {
  const lineOf = new Map(server.lines.map((line) => [line.id, line]));
  const takings = ofKind(applied, 'order.change').flatMap(({ op_id: opId, payload }) => {
    const atMs = receipts.get(opId)!.effective_ms;
    return [
      ...(payload.removed_line_ids ?? []).map((id) => ({ id, opId, atMs, by: null })),
      ...(payload.replaced_items ?? []).map(({ replaces, line_id }) => ({
        id: replaces,
        opId,
        atMs,
        by: lineOf.get(line_id) ?? null,
      })),
    ];
  });
  return groupBy(takings, ({ id }) => id);
}

/**
 * SYNC-11: an invoiced line stands. Any other stands if nobody took it away, and if what it replaced was not invoiced and
 * went to it and not to another: the latest taker gets a line, unless an earlier one's line was invoiced. What is left of
 * the discount is in proportion to what is left of the first services.
 */
function checkStanding(final: FinalState): string[] {
  const { applied, server } = final;
  const billed = new Set(invoicesIn(applied).flatMap(({ invoice }) => invoice.line_ids));
  const takings = takingsByLine(final);
  const lineOf = new Map(server.lines.map((line) => [line.id, line]));
  const isBranchBilled = (line: LineRow | null): boolean =>
    line !== null && (billed.has(line.id) || (takings.get(line.id) ?? []).some(({ by }) => isBranchBilled(by)));
  const winner = (id: string): LineRow | null => {
    const rank = ({ by, atMs, opId }: Taking) =>
      `${isBranchBilled(by) ? 1 : 0} ${String(atMs).padStart(16, '0')} ${opId}`;
    return (takings.get(id) ?? []).toSorted((a, b) => (rank(a) < rank(b) ? 1 : -1))[0]?.by ?? null;
  };
  const isEntitled = ({ id, replaces }: LineRow): boolean => {
    const old = replaces === null ? undefined : lineOf.get(replaces);
    return !old || (!billed.has(old.id) && winner(old.id)?.id === id && isEntitled(old));
  };
  const stands = (line: LineRow) => billed.has(line.id) || (!takings.has(line.id) && isEntitled(line));
  const isPlanned = ({ op_id, replaces }: LineRow, first: string): boolean =>
    op_id === first || (replaces !== null && lineOf.has(replaces) && isPlanned(lineOf.get(replaces)!, first));
  const linesOf = groupBy(server.lines, ({ order_id }) => order_id);
  const worth = (lines: readonly LineRow[]) =>
    lines.reduce((sum, line) => sum + Math.round((line.quantity_milli * line.unit_price_minor) / 1000), 0);
  const discounts = ofKind(applied, 'order.create').map(({ op_id, payload }) => {
    const planned = (linesOf.get(payload.order_id) ?? []).filter((line) => isPlanned(line, op_id));
    const whole = worth(planned.filter((line) => line.op_id === op_id));
    const left = Math.min(whole, worth(planned.filter(stands)));
    return `${payload.order_id} ${Math.round(whole === 0 ? 0 : (cents(payload.discount) * left) / whole)}`;
  });
  return [
    ...server.lines.flatMap((line) =>
      stands(line) === line.removed ? `line ${line.id} is ${line.removed ? '' : 'not '}removed` : [],
    ),
    ...compare(
      'discount',
      discounts,
      server.orders.map(({ id, discount_minor }) => `${id} ${discount_minor}`),
    ),
  ];
}

function checkPayments({ applied, server }: FinalState): string[] {
  const paid = ofKind(applied, 'order.pay').map(
    ({ op_id, actor_id, payload: { order_id, payment_id, payment_method, amount, tendered, change } }) =>
      `${op_id} ${order_id} ${payment_id} ${payment_method} ${cents(amount)} ${cents(tendered)} ${cents(change)} by ${actor_id}`,
  );
  const refunded = ofKind(applied, 'order.refund').map(
    ({ op_id, actor_id, payload: { order_id, refund_id, payment_method, amount, reduction, lines, still_owed } }) =>
      `${op_id} ${order_id} ${refund_id} ${payment_method} ${-cents(amount)} 0 0 by ${actor_id}, ${termsText({
        reductionMinor: cents(reduction),
        lines: (lines ?? []).map((line) => `${line.line_id} ${cents(line.amount)}`),
        isStillOwed: still_owed ?? false,
      })}`,
  );
  const actual = server.payments.map(
    (row) =>
      `${row.op_id} ${row.order_id} ${row.id} ${row.method} ${row.amount_minor} ${row.tendered_minor} ${row.change_minor} by ${row.actor_id}${
        row.amount_minor < 0 ? `, ${termsOf(row)}` : ''
      }`,
  );
  return compare('payment', [...paid, ...refunded], actual);
}

const termsText = (terms: { reductionMinor: number; lines: string[]; isStillOwed: boolean }): string =>
  `takes off ${terms.reductionMinor} (${terms.lines.join(', ')})${terms.isStillOwed ? ', still owed' : ''}`;

const termsOf = ({ reduction_minor, refunded_lines, still_owed }: PaymentRow): string =>
  termsText({
    reductionMinor: reduction_minor,
    lines: refunded_lines.map(({ lineId, amountMinor }) => `${lineId} ${amountMinor}`),
    isStillOwed: still_owed,
  });

/** The money that people remember to have taken equals the money that the server recorded. */
function checkCash({ durable, applied, server, receipts }: FinalState, { entries }: ClientLog): string[] {
  const remembered = new Set<AnyOperation>();
  const latest = replacementsIn(
    durable.map(({ operation }) => operation),
    receipts,
  );
  let taken = 0;
  const wrong: string[] = [];
  const appliedIds = new Set(applied.map(({ op_id }) => op_id));
  for (const { outcome, operations } of entries) {
    const payment = outcome.type === 'confirmed' ? outcome.confirmation.payment : undefined;
    const operation = operations.find(({ kind }) => kind === 'order.pay');
    if (!payment) continue;
    if (operation?.kind !== 'order.pay') {
      wrong.push(`a payment of ${payment.amountMinor} was confirmed and not written`);
      continue;
    }
    remembered.add(operation);
    if (payment.tenderedMinor - payment.changeMinor !== payment.amountMinor)
      wrong.push(`${operation.op_id} gave the wrong change`);
    // A refused payment in the tray and a voided payment count nothing; a retried payment counts under its new id.
    const final = latest(operation);
    if (appliedIds.has(final.op_id) && final.kind !== 'operation.void') taken += payment.amountMinor;
  }
  const replacements = new Set([...remembered].map((operation) => latest(operation).op_id));
  const others = server.payments
    .filter(({ op_id }) => !replacements.has(op_id))
    .reduce((sum, { amount_minor }) => sum + amount_minor, 0);
  const recorded = server.payments.reduce((sum, { amount_minor }) => sum + amount_minor, 0);
  return recorded === taken + others
    ? wrong
    : [...wrong, `people took ${taken}, the server recorded ${recorded - others}`];
}

/** Returns a function that follows the replacements of an operation; of several, the one that the server accepted counts. */
function replacementsIn(
  operations: readonly AnyOperation[],
  receipts: FinalState['receipts'],
): (operation: AnyOperation) => AnyOperation {
  const byOld = groupBy(
    operations.filter(({ supersedes }) => supersedes !== undefined),
    ({ supersedes }) => supersedes!,
  );
  const latest = (operation: AnyOperation): AnyOperation => {
    const candidates = byOld.get(operation.op_id) ?? [];
    const next =
      candidates.find(({ op_id }) => op_id === receipts.get(operation.op_id)?.superseded_by) ?? candidates[0];
    return next ? latest(next) : operation;
  };
  return latest;
}

/** Percent. No history changes the settings. */
const discountLimit = 10;

/** SYNC-2: a discount above the limit by somebody without the permission is recorded unchanged and raises an attention item. */
function checkDiscounts({ applied, server }: FinalState, { people }: Clinic): string[] {
  const managers = new Set(people.filter(({ role }) => role === 'manager').map(({ id }) => id));
  const expected = ofKind(applied, 'order.create').flatMap(({ op_id, actor_id, payload: { discount, total } }) => {
    const allowed = Math.round(((cents(total) + cents(discount)) * discountLimit) / 100);
    return cents(discount) > allowed && !managers.has(actor_id) ? op_id : [];
  });
  const raised = server.attention.filter(({ kind }) => kind === 'discount_over_limit').map(({ op_id }) => op_id!);
  return compare('attention item for a discount', expected, raised);
}
