/**
 * Compares what is stored beside the chains: each fiscal record with its document and with what the tax agency answered, each
 * document with its payment, and the records of each day with its Z report.
 */
import { dayMs } from '#domain/durations.ts';
import { businessDay, daysAfter, startOfDay } from '#domain/business-day.ts';
import { differingFields } from '#domain/fiscal/compare.ts';
import { documentOfCreditNote, documentOfInvoice } from '#domain/fiscal/documents.ts';
import type { IssuedDocument } from '#domain/fiscal/documents.ts';
import type { FiscalRecord, IssueRecord } from '#domain/fiscal/record.ts';
import type { DayDifference, StoredFault } from '#domain/fiscal/resources.ts';
import { isSentOn } from '#domain/settings/verifactu.ts';
import { minorFromWire, minorToWire } from '#domain/money.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import { isoOf } from '#domain/instant.ts';
import type { Sql } from '#server/db/sql.ts';
import { taxesOfDay } from '../reports/service.ts';
import { isDuplicate } from './outcome.ts';
import { falseNif } from './sending-store.ts';
import { sha256 } from './sha256.ts';
import { contradictions, documentsNumbered, recordedDays, sendingsOf, treatmentsSince } from './verify-store.ts';
import type { StoredDocument, StoredSending } from './verify-store.ts';

const spanDays = 30;
const spanMs = spanDays * dayMs;

/**
 * Returns what contradicts the records of a page, and which of them were noted for the sender.
 *
 * @param freshSinceMs the document of a record that arrived later may be on its way
 */
export async function faultsOfPage(
  sql: Sql,
  clinicId: number,
  { settings, freshSinceMs }: { settings: ClinicSettings; freshSinceMs: number },
  records: readonly { id: number; record: FiscalRecord }[],
): Promise<{ faults: StoredFault[]; noted: Set<number> }> {
  const numbers = [...new Set(records.map(({ record }) => record.fields.number))];
  const documents = await documentsNumbered(sql, clinicId, numbers);
  const sendings = await sendingsOf(sql, clinicId, { recordIds: records.map(({ id }) => id), freshSinceMs });
  const byId = new Map(sendings.map((sending) => [sending.recordId, sending]));
  const faults: StoredFault[] = [];
  for (const { id, record } of records) {
    const sending = byId.get(id);
    if (!sending) continue;
    const { number } = record.fields;
    if (record.type === 'issue') {
      const own = documents.filter((one) => one.number === number);
      const fault = documentFault(record, own, sending, settings);
      if (fault) faults.push({ number, fault });
    }
    if (!followsFromAnswers(sending)) faults.push({ number, fault: 'reply' });
  }
  return { faults, noted: new Set(sendings.flatMap(({ recordId, state }) => (state === null ? [] : recordId))) };
}

/** A record that is cancelled, or held back until its document comes, needs none. */
function documentFault(
  record: IssueRecord,
  documents: readonly StoredDocument[],
  { state, isHeld, isCancelled, isFresh }: StoredSending,
  { time_zone: timeZone }: ClinicSettings,
): StoredFault['fault'] | null {
  if (isHeld || isCancelled) return null;
  if (documents.length === 0) return state === 'not_sent' || isFresh ? null : 'no_document';
  const isFit = documents.some((stored) => {
    const document = documentOfStored(record.document_op_id, stored);
    return differingFields(comparable(record, document), document, { timeZone, sha256 }) === null;
  });
  return isFit ? null : 'document';
}

const documentOfStored = (opId: string, { number, ...stored }: StoredDocument): IssuedDocument =>
  stored.kind === 'invoice'
    ? { ...documentOfInvoice(opId, stored.document), number }
    : documentOfCreditNote(opId, { number, note: stored.document });

/** A correction is made later, and may name the recipient otherwise than the document. */
function comparable(record: IssueRecord, { issuedAtMs, tax: { recipient } }: IssuedDocument): IssueRecord {
  if (record.fields.correction === undefined) return record;
  const generated_at = isoOf(issuedAtMs);
  return { ...record, fields: { ...record.fields, generated_at, recipient: recipient && { ...recipient } } };
}

/** True for a state that the stored answers of the agency explain; an accepted record has a receipt, unless it was there already. */
function followsFromAnswers({ state, code, answers }: StoredSending): boolean {
  switch (state) {
    case 'accepted':
    case 'accepted_with_errors':
      return answers.some(
        (answer) =>
          (answer.state === state && (answer.origin === 'query' || answer.csv !== null)) ||
          (answer.state === 'rejected' && isDuplicate(answer.code)),
      );
    case 'rejected':
      return code === falseNif || answers.some((answer) => answer.state === 'rejected' && answer.code === code);
    default:
      return answers.length === 0;
  }
}

/** True for a record that must have been noted for the sender: the clinic has VERI*FACTU, and records before it were. */
export const isToBeNoted = ({ fields }: FiscalRecord, settings: ClinicSettings): boolean =>
  fields.issuer !== '' && isSentOn(settings, fields.generated_at.slice(0, 10));

/** Returns the first documents and treatments that contradict their payments. */
export async function documentFaults(
  sql: Sql,
  clinicId: number,
  { nowMs, limit }: { nowMs: number; limit: number },
): Promise<StoredFault[]> {
  const faults: StoredFault[] = [];
  const sinceMs = await treatmentsSince(sql, clinicId);
  for (let fromMs = sinceMs ?? nowMs; fromMs <= nowMs && faults.length < limit; fromMs += spanMs)
    faults.push(
      ...(await contradictions(sql, clinicId, { fromMs, untilMs: fromMs + spanMs, limit: limit - faults.length })),
    );
  return faults;
}

/**
 * Returns the finished days whose Z report states other amounts than the fiscal records of its documents.
 *
 * @param sinceMs when the clinic's first record arrived; that day may have documents from before
 */
export async function dayDifferences(
  sql: Sql,
  clinicId: number,
  { settings, sinceMs, nowMs, limit }: { settings: ClinicSettings; sinceMs: number; nowMs: number; limit: number },
): Promise<DayDifference[]> {
  const { time_zone: timeZone, currency } = settings;
  const last = daysAfter(businessDay(nowMs, timeZone), -1);
  const found: DayDifference[] = [];
  for (
    let start = daysAfter(businessDay(sinceMs, timeZone), 1);
    start <= last && found.length < limit;
    start = daysAfter(start, spanDays)
  ) {
    const end = [daysAfter(start, spanDays - 1), last].sort()[0]!;
    for (const { day, totalMinor } of await recordedDays(sql, clinicId, { start, end, timeZone, currency })) {
      const fromMs = startOfDay(day, timeZone);
      const untilMs = startOfDay(daysAfter(day, 1), timeZone);
      const taxes = await taxesOfDay(sql, clinicId, { day, currency, fromMs, untilMs });
      const reportedMinor = taxes.reduce((sum, { gross }) => sum + minorFromWire(gross), 0);
      if (reportedMinor !== totalMinor)
        found.push({ day, recorded: minorToWire(totalMinor), reported: minorToWire(reportedMinor) });
    }
  }
  return found.slice(0, limit);
}
