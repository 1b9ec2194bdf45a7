/**
 * Compares the money of every treatment with the ledger of the tests (`tests/ledger`), which recomputes it from the accepted
 * operations alone: the server's rows and notices, the rows of every tablet, the Z reports, and the documents that a tablet
 * issued with full knowledge.
 */
import { documentsIn } from '#tests/ledger/documents.ts';
import { drawersOf, zReport } from '#tests/ledger/drawers.ts';
import {
  cancelNote,
  creditNote,
  exchangeOf,
  invoiceOfPayment,
  invoiceOfRest,
  refundTerms,
} from '#tests/ledger/expected-documents.ts';
import type { Expected, RefundTerms } from '#tests/ledger/expected-documents.ts';
import { cents } from '#tests/ledger/integers.ts';
import { stated } from '#tests/ledger/taxes.ts';
import { flags, treatmentOf, treatmentsOf } from '#tests/ledger/treatment.ts';
import type { Treatment } from '#tests/ledger/treatment.ts';
import { entriesOf, ofKind } from '#tests/ledger/wire.ts';
import type { Entry, TaxTotal } from '#tests/ledger/wire.ts';
import type { Clinic } from '../cluster/clinic.ts';
import type { FinalState, ServerState, TabletState } from './final-state.ts';
import { compare } from './orders.ts';

/** The treatments of a final state, which several checkers ask for. */
const known = new WeakMap<ServerState, Map<string, Treatment>>();

/** Returns the treatments by their ids, recomputed from the accepted operations. */
export function ledgerOf(server: ServerState): ReadonlyMap<string, Treatment> {
  const treatments = known.get(server) ?? new Map(treatmentsOf(entriesOf(server.accepted)).map((one) => [one.id, one]));
  known.set(server, treatments);
  return treatments;
}

export async function checkLedger(final: FinalState, clinic: Clinic): Promise<string[]> {
  const treatments = [...ledgerOf(final.server).values()];
  return [
    ...checkRows(final, treatments),
    ...checkNotices(final, treatments),
    ...final.tablets.flatMap((tablet) => checkTablet(tablet, treatments)),
    ...treatments.filter((treatment) => isOfOneTablet(final, treatment)).flatMap(checkIssued),
    ...(await checkReports(clinic, entriesOf(final.server.accepted), treatments)),
  ];
}

const money = ({ status, total, reduction, paid, balance }: Treatment): string =>
  `${status} ${total} less ${reduction}, paid ${paid}, due ${balance}`;

function checkRows({ server }: FinalState, treatments: readonly Treatment[]): string[] {
  const earned = treatments.flatMap(({ lines }) => lines.map((line) => `${line.lineId} ${line.earned}`));
  return [
    ...compare(
      'money of the ledger',
      treatments.map((treatment) => `${treatment.id} ${money(treatment)}`),
      server.orders.map(
        ({ id, status, total_minor, reduction_minor, paid_minor, balance_minor }) =>
          `${id} ${status} ${total_minor} less ${reduction_minor}, paid ${paid_minor}, due ${balance_minor}`,
      ),
    ),
    ...compare(
      'what a line earns by the ledger',
      earned,
      server.lines.flatMap(({ id, earned_minor, removed }) => (removed ? [] : `${id} ${earned_minor}`)),
    ),
  ];
}

function checkNotices({ server }: FinalState, treatments: readonly Treatment[]): string[] {
  const open = server.attention.filter(({ kind, settled_at }) => settled_at === null && flags.includes(kind));
  return compare(
    'notice of the ledger',
    treatments.flatMap((treatment) => treatment.flags.map((flag) => `${flag} ${treatment.id}`)),
    open.map(({ kind, order_id }) => `${kind} ${order_id}`),
  );
}

/** A tablet without outstanding work on a treatment shows what it costs and what is paid. */
function checkTablet({ tablet, orders, replayed }: TabletState, treatments: readonly Treatment[]): string[] {
  return treatments.flatMap((treatment) => {
    const row = orders.get(treatment.id);
    if (!row || replayed.has(treatment.id)) return [];
    const { status, totalMinor, reductionMinor, paidMinor, balanceMinor } = row;
    const shown = `${status} ${totalMinor} less ${reductionMinor}, paid ${paidMinor}, due ${balanceMinor}`;
    return shown === money(treatment)
      ? []
      : [`${tablet.name} shows ${shown} of ${treatment.number}, the ledger has ${money(treatment)}`];
  });
}

/** True when one tablet did everything, and the server accepted all of it: each document was issued with full knowledge. */
function isOfOneTablet({ durable, receipts, server }: FinalState, { id, entries }: Treatment): boolean {
  const written = durable.filter(({ operation: { payload } }) => 'order_id' in payload && payload.order_id === id);
  const isWhole = written.every(({ operation }) => receipts.get(operation.op_id)?.status === 'applied');
  const isVoided = server.voids.length > 0;
  const tablets = new Set(written.map(({ origin }) => origin.tablet));
  return isWhole && !isVoided && tablets.size === 1 && ![...tablets][0]!.isClone && written.length === entries.length;
}

/** Each document states what the ledger expects after what was done before it. */
function checkIssued({ entries, number }: Treatment): string[] {
  const isTaxed = ofKind(entries, 'order.create').some(({ payload }) => payload.items.some(({ tax }) => tax));
  return entries.flatMap((entry, index) => {
    const [document] = documentsIn([entry]);
    if (index === 0 || !document) return [];
    const { expected, lowered } = expectedOf(treatmentOf(entries.slice(0, index)), entry, isTaxed);
    const shown = textOf(document);
    const should = expected ? textOf(expected) : 'no document';
    const faults =
      shown === should ? [] : [`${document.number} of ${number} states ${shown}, the ledger expects ${should}`];
    return [...faults, ...lowered];
  });
}

function expectedOf(
  before: Treatment,
  entry: Entry,
  isTaxed: boolean,
): { expected: Expected | null; lowered: string[] } {
  const profile = { isTaxed };
  switch (entry.kind) {
    case 'order.pay': {
      const { amount, invoice } = entry.payload;
      const paid = { amount: cents(amount), isFull: invoice?.document_type !== 'F2' };
      return { expected: invoiceOfPayment(before, paid, profile), lowered: [] };
    }
    case 'order.invoice': {
      const { replaces } = entry.payload.invoice;
      return { expected: replaces ? exchangeOf(before, replaces.number) : invoiceOfRest(before, profile), lowered: [] };
    }
    case 'order.refund': {
      const { amount, lines = [], still_owed: isStillOwed = false, reduction, allowances } = entry.payload;
      const named = lines.map((line) => ({ lineId: line.line_id, amount: cents(line.amount) }));
      const refund = { amount: cents(amount), lines: named, isStillOwed };
      const expected = refundTerms(before, refund);
      const found = termsText(reduction, allowances);
      const wanted = termsText(expected.reduction, expected.allowances);
      return {
        expected: creditNote(before, entry, refund, profile),
        lowered: found === wanted ? [] : [`a refund of ${before.number} states ${found}, the ledger expects ${wanted}`],
      };
    }
    default:
      return { expected: cancelNote(before, profile), lowered: [] };
  }
}

const termsText = (reduction: number, allowances: RefundTerms['allowances'] = []): string =>
  [reduction, ...allowances.map(({ line_id, amount }) => `${line_id} ${amount}`).toSorted()].join(', ');

const textOf = ({ total, discount, charge, taxes }: Omit<Expected, 'lineIds'>): string =>
  `${total}, ${discount} off, charge ${charge}, ${taxTexts(taxes)}`;

interface DrawerReply {
  id: string;
  report: {
    sales: { count: number; amount: number };
    refunds: { count: number; amount: number };
    discounts: { count: number; amount: number };
    taxes?: TaxTotal[];
  };
}

/** Compares what the Z reports say besides the money by method. */
async function checkReports(
  clinic: Clinic,
  entries: readonly Entry[],
  treatments: readonly Treatment[],
): Promise<string[]> {
  const drawers = drawersOf(entries);
  if (drawers.length === 0) return [];
  const token = await clinic.signIn(clinic.people[0]!);
  const answer = await clinic.call({ method: 'GET', path: '/drawers?per_page=200', token });
  const { data } = answer!.json as { data: DrawerReply[] };
  const expected = drawers.map((drawer) => {
    const { sales, refunds, discounts, taxes } = zReport(drawer, drawers, treatments);
    return `${drawer.id} ${[sales, refunds, discounts].map(({ count, amount }) => `${count}: ${amount}`).join(', ')}, ${taxTexts(taxes)}`;
  });
  const reported = data.map(
    ({ id, report: { sales, refunds, discounts, taxes = [] } }) =>
      `${id} ${[sales, refunds, discounts].map(({ count, amount }) => `${count}: ${cents(amount)}`).join(', ')}, ${taxTexts(stated(taxes))}`,
  );
  return compare('Z report of the ledger', expected, reported);
}

const taxTexts = (taxes: ReturnType<typeof stated>): string =>
  taxes
    .filter(({ gross, base }) => gross !== 0 || base !== 0)
    .map(({ tax, base, amount }) => `${tax}: ${base} + ${amount}`)
    .toSorted()
    .join(', ');
