/** Checks numbers and documents: the server keeps each document as printed, and the numbers of a series have no gaps. */
import { series } from '#domain/order/numbers.ts';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import { invoicesIn, ofKind } from './orders.ts';
import type { FinalState } from './final-state.ts';
import { groupBy } from './final-state.ts';
import type { ClientLog } from '../clients/client-log.ts';

export function checkDocuments(final: FinalState, clientLog: ClientLog): string[] {
  return [
    ...checkNumbers(final),
    ...checkDuplicates(final),
    ...checkCounters(final),
    ...checkInvoices(final),
    ...checkCreditNotes(final),
    ...checkPrinted(final, clientLog),
  ];
}

function numbersOf({ payload }: AnyOperation): string[] {
  const numbers: string[] = [];
  if ('number' in payload) numbers.push(payload.number);
  if ('invoice' in payload && payload.invoice) numbers.push(payload.invoice.invoice_number);
  if ('credit_note_number' in payload && payload.credit_note_number) numbers.push(payload.credit_note_number);
  return numbers;
}

/**
 * SYNC-12: a series repeats no number and leaves none out, because a number is used in the same transaction as its document.
 * The two copies of a cloned storage continue from the same number until the server notices, so they may repeat a number.
 */
function checkNumbers({ durable, tablets }: FinalState): string[] {
  const mayRepeat = tablets.some(({ tablet }) => tablet.isClone);
  const used = durable
    .filter(({ operation }) => !operation.supersedes)
    .flatMap(({ operation }) => numbersOf(operation));
  const bySeries = groupBy(used, (number) => number.replace(/-\d+$/, ''));
  return [...bySeries].flatMap(([name, numbers]) => {
    const all = numbers.map((number) => Number(/\d+$/.exec(number)![0])).sort((a, b) => a - b);
    const counts = mayRepeat ? [...new Set(all)] : all;
    const isGapless = counts.every((count, index) => count === index + 1);
    return isGapless ? [] : `series ${name} used the numbers ${counts.join(', ')}`;
  });
}

/** A number on several documents raises one attention item for each document after the first. */
function checkDuplicates({ applied, server }: FinalState): string[] {
  const uses = groupBy(applied.flatMap(numbersOf), (number) => number);
  const raised = groupBy(
    server.attention.filter(({ kind }) => kind === 'duplicate_number'),
    ({ details }) => String(details['number']),
  );
  return [...new Set([...uses.keys(), ...raised.keys()])].flatMap((number) => {
    const expected = (uses.get(number)?.length ?? 1) - 1;
    const actual = raised.get(number)?.length ?? 0;
    return actual === expected ? [] : `${number} is on ${expected + 1} documents and raised ${actual} attention items`;
  });
}

/** A tablet whose counters are behind the server's has lost storage, and must have taken a new device code. */
function checkCounters({ tablets, server }: FinalState): string[] {
  return tablets.flatMap(({ tablet, device }) => {
    const seen = server.codes.find(({ code, device_id }) => device?.device_id === device_id && device.code === code);
    const behind = series.filter((of) => seen && device && seen[of] > (device.counters[of] ?? 0));
    return behind.map(
      (of) =>
        `${tablet.name} still counts ${of} numbers under ${device!.code}, of which the server has seen higher ones`,
    );
  });
}

function checkInvoices({ applied, server }: FinalState): string[] {
  const issued = new Map(invoicesIn(applied).map((one) => [one.invoice.invoice_id, one]));
  const violations = server.invoices.flatMap(({ id, number, op_id, document }) => {
    const found = issued.get(id);
    issued.delete(id);
    if (!found) return `invoice ${number} has no operation`;
    const { kind, device_id } = found.operation;
    const expected = { ...found.invoice, op_id, ...(kind === 'order.invoice' && { device_id }) };
    return op_id === found.operation.op_id && same(document, expected)
      ? []
      : `invoice ${number} differs from the printed one`;
  });
  return [
    ...violations,
    ...[...issued.values()].map(({ operation }) => `the invoice of ${operation.op_id} is missing`),
  ];
}

function checkCreditNotes({ applied, server }: FinalState): string[] {
  const stored = new Map(server.payments.map((row) => [row.op_id, row]));
  return ofKind(applied, 'order.refund').flatMap(({ op_id, payload: { credit_note_number: number, credit_note } }) => {
    const row = stored.get(op_id);
    return row?.credit_note_number === number && same(row.credit_note, credit_note)
      ? []
      : `credit note ${number} differs from the printed one`;
  });
}

/** The documents on a tablet equal those that were handed out, character by character. */
function checkPrinted({ tablets }: FinalState, { entries }: ClientLog): string[] {
  const stored = new Map(tablets.flatMap(({ documents }) => documents.map((row) => [row.id, row])));
  return entries.flatMap(({ outcome, operations }) => {
    const printed =
      outcome.type === 'confirmed'
        ? (outcome.confirmation.payment ?? outcome.confirmation.refund ?? outcome.confirmation.invoice)?.document
        : undefined;
    if (!printed) return [];
    const kept = stored.get(printed.id);
    const violations: string[] = [];
    if (!kept || !same({ ...kept, prints: 0 }, { ...printed, prints: 0 }))
      violations.push(`document ${printed.number ?? printed.id} differs from the one handed out`);
    const invoice = invoicesIn(operations)[0]?.invoice;
    if (
      (printed.invoice === null) !== (invoice === undefined) ||
      (invoice && !same(invoice.printed, printed.printed))
    ) {
      violations.push(`document ${printed.number ?? printed.id} differs from its operation`);
    }
    return violations;
  });
}

const same = (a: unknown, b: unknown): boolean => canonical(a) === canonical(b);

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, field: unknown) =>
    typeof field === 'object' && field !== null && !Array.isArray(field)
      ? Object.fromEntries(Object.entries(field).sort(([a], [b]) => (a < b ? -1 : 1)))
      : field,
  );
}
