/** Numbers and papers: what was printed is what the server keeps, and each series tells of every number. */
import { series } from '../../../domain/order/numbers.ts';
import type { AnyOperation } from '../../../domain/protocol/operations.ts';
import { ofKind } from './orders.ts';
import type { FinalState } from './final-state.ts';
import { groupBy } from './final-state.ts';
import type { ClientLog } from '../clients/client-log.ts';

export function checkDocuments(found: FinalState, clientLog: ClientLog): string[] {
  return [
    ...checkNumbers(found),
    ...checkDuplicates(found),
    ...checkCounters(found),
    ...checkInvoices(found),
    ...checkCreditNotes(found),
    ...checkPrinted(found, clientLog),
  ];
}

function numbersOf({ payload }: AnyOperation): string[] {
  const numbers: string[] = [];
  if ('number' in payload) numbers.push(payload.number);
  if ('invoice' in payload && payload.invoice) numbers.push(payload.invoice.invoice_number);
  if ('credit_note_number' in payload) numbers.push(payload.credit_note_number);
  return numbers;
}

/**
 * SYNC-12: no number twice, and none left out, because a number is only used up together with what it stands on. The copies of
 * a cloned storage count on from the same number until the server tells them apart, so there a number may stand twice.
 */
function checkNumbers({ facts, tablets }: FinalState): string[] {
  const mayRepeat = tablets.some(({ tablet }) => tablet.isClone);
  const used = facts.filter(({ operation }) => !operation.supersedes).flatMap(({ operation }) => numbersOf(operation));
  const bySeries = groupBy(used, (number) => number.replace(/-\d+$/, ''));
  return [...bySeries].flatMap(([name, numbers]) => {
    const all = numbers.map((number) => Number(/\d+$/.exec(number)![0])).sort((a, b) => a - b);
    const counts = mayRepeat ? [...new Set(all)] : all;
    const isWhole = counts.every((count, index) => count === index + 1);
    return isWhole ? [] : `series ${name} counts ${counts.join(', ')}`;
  });
}

/** A number that stands on two papers is in front of a manager, once for each paper after the first. */
function checkDuplicates({ applied, server }: FinalState): string[] {
  const papers = groupBy(applied.flatMap(numbersOf), (number) => number);
  const raised = groupBy(
    server.attention.filter(({ kind }) => kind === 'duplicate_number'),
    ({ details }) => String(details['number']),
  );
  return [...new Set([...papers.keys(), ...raised.keys()])].flatMap((number) => {
    const expected = (papers.get(number)?.length ?? 1) - 1;
    const found = raised.get(number)?.length ?? 0;
    return found === expected ? [] : `${number} stands on ${expected + 1} papers and was raised ${found} times`;
  });
}

/** A tablet that the server is ahead of has forgotten papers and must have noticed. */
function checkCounters({ tablets, server }: FinalState): string[] {
  return tablets.flatMap(({ tablet, device }) => {
    const seen = server.codes.find(({ code, device_id }) => device?.device_id === device_id && device.code === code);
    const behind = series.filter((of) => seen && device && seen[of] > device.counters[of]);
    return behind.map(
      (of) => `${tablet.name} counts its ${of} on under ${device!.code}, of which the server has seen more`,
    );
  });
}

function checkInvoices({ applied, server }: FinalState): string[] {
  const issued = new Map(
    applied.flatMap((operation) =>
      operation.kind === 'order.pay' && operation.payload.invoice
        ? [[operation.payload.invoice.invoice_id, operation]]
        : [],
    ),
  );
  const violations = server.invoices.flatMap(({ id, number, op_id, document }) => {
    const operation = issued.get(id);
    issued.delete(id);
    if (operation?.kind !== 'order.pay') return `invoice ${number} was issued by nobody`;
    const expected = { ...operation.payload.invoice, op_id };
    return op_id === operation.op_id && same(document, expected) ? [] : `invoice ${number} is not what was printed`;
  });
  return [...violations, ...[...issued.values()].map(({ op_id }) => `the invoice of ${op_id} is missing`)];
}

function checkCreditNotes({ applied, server }: FinalState): string[] {
  const stored = new Map(server.payments.map((row) => [row.op_id, row]));
  return ofKind(applied, 'order.refund').flatMap(({ op_id, payload: { credit_note_number: number, credit_note } }) => {
    const row = stored.get(op_id);
    return row?.credit_note_number === number && same(row.credit_note, credit_note)
      ? []
      : `credit note ${number} is not what was printed`;
  });
}

/** The papers on a tablet are those that were handed out, letter by letter. */
function checkPrinted({ tablets }: FinalState, { entries }: ClientLog): string[] {
  const papers = new Map(tablets.flatMap(({ papers: own }) => own.map((paper) => [paper.id, paper])));
  return entries.flatMap(({ outcome, operations }) => {
    const paper = outcome.type === 'confirmed' ? (outcome.told.payment ?? outcome.told.refund)?.document : undefined;
    if (!paper) return [];
    const kept = papers.get(paper.id);
    const violations: string[] = [];
    if (!kept || !same({ ...kept, prints: 0 }, { ...paper, prints: 0 }))
      violations.push(`paper ${paper.number ?? paper.id} is not what was handed out`);
    const invoice = operations.flatMap((operation) =>
      operation.kind === 'order.pay' ? (operation.payload.invoice ?? []) : [],
    )[0];
    if ((paper.invoice === null) !== (invoice === undefined) || (invoice && !same(invoice.printed, paper.printed))) {
      violations.push(`paper ${paper.number ?? paper.id} and its operation differ`);
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
