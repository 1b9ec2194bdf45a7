/** Compares fiscal records with their documents, and tells managers where they differ. */
import { dayMs, hourMs } from '#domain/durations.ts';
import type { Pool } from 'pg';
import { businessDay, daysAfter } from '#domain/business-day.ts';
import { boundSince } from '#domain/settings/obligation.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import { differingFields, summaryOf } from '#domain/fiscal/compare.ts';
import { documentOf } from '#domain/fiscal/documents.ts';
import type { HoldReason } from '#domain/fiscal/resources.ts';
import { codeOfNumber } from '#domain/order/numbers.ts';
import { acrossClinics } from '#server/db/database.ts';
import type { Sql } from '#server/db/sql.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { startIntervalJob } from '#server/interval-job.ts';
import type { IntervalJob } from '#server/interval-job.ts';
import type { BatchContext, RaisedConcern } from '#server/operations/operation-module.ts';
import { voidKind } from '#server/operations/voids.ts';
import type { Ports } from '#server/ports.ts';
import { clearClinicConcern, clearConcernsOf, raiseAttention, stateClinicConcern } from '../attention/service.ts';
import { uninvoicedSince } from '../reports/service.ts';
import { clinicSettings, listClinics } from '../clinics/service.ts';
import {
  completedSince,
  documentsWithoutRecord,
  holdChecks,
  recordedDocuments,
  recordsSince,
  recordsWithoutDocument,
} from './checks-store.ts';
import type { BareDocument, DocumentOperation, RecordedDocument } from './checks-store.ts';
import { sha256 } from './sha256.ts';

/** A record of a tablet beside its document. */
export interface CheckedRecord extends RecordedDocument {
  /** Why the record is held back; null for one that its document confirms. */
  heldFor: Extract<HoldReason, 'document' | 'difference'> | null;
  /** Told to a manager where record and document say different things. */
  concern: RaisedConcern | null;
}

/**
 * Compares the records of tablets with their documents.
 *
 * @param issuing the operations whose documents have just arrived
 * @param others the operations that have just been voided, or whose records have just arrived
 * @param isReplacing true when one of the operations replaces others
 */
export async function checkedRecords(
  sql: Sql,
  { clinicId, settings: { time_zone: timeZone } }: Pick<BatchContext, 'clinicId' | 'settings'>,
  {
    issuing,
    others = [],
    isReplacing,
  }: { issuing: readonly string[]; others?: readonly string[]; isReplacing: boolean },
): Promise<CheckedRecord[]> {
  const opIds = [...new Set([...issuing, ...others])];
  if (opIds.length === 0) return [];
  const found = await recordedDocuments(sql, clinicId, opIds, { isReplacing });
  return found.map((one) => ({ ...one, ...checked(one, { timeZone, issuing }) }));
}

function checked(
  one: RecordedDocument,
  { timeZone, issuing }: { timeZone: string; issuing: readonly string[] },
): Pick<CheckedRecord, 'heldFor' | 'concern'> {
  const { record, deviceId, isCancelled, operations } = one;
  const last = operations.at(-1);
  if (last?.status !== 'applied') return { heldFor: 'document', concern: null };
  const isOfDevice = operations.some((operation) => operation.deviceId === deviceId);
  if (last.kind === voidKind) {
    // The document of a sale that was given up is on paper: the agency hears of it and of its cancellation.
    const isPrinted = isOfDevice && operations.some((operation) => fitsStated(one, operation, timeZone));
    return { heldFor: isPrinted ? null : 'document', concern: null };
  }
  const document = documentOf({ ...last, op_id: record.document_op_id });
  const expected = document && differingFields(record, document, { timeZone, sha256 });
  // A manager has annulled the record before its document came.
  const isAnnulled = isCancelled && issuing.includes(last.op_id);
  if (expected === null && isOfDevice && !isAnnulled) return { heldFor: null, concern: null };
  const details = {
    number: record.fields.number,
    stated: isAnnulled ? '–' : summaryOf(record.fields),
    expected: expected === undefined ? '–' : summaryOf(expected ?? record.fields),
  };
  return { heldFor: 'difference', concern: { kind: 'record_differs', details } };
}

/** Returns whether a record fits what an operation states as its document. The operation may be malformed. */
function fitsStated(
  { record }: RecordedDocument,
  { op_id, kind, payload }: DocumentOperation,
  timeZone: string,
): boolean {
  try {
    const document = documentOf({ op_id, kind, payload: payload ?? {} });
    return document !== undefined && differingFields(record, document, { timeZone, sha256 }) === null;
  } catch {
    return false;
  }
}

const everyMs = hourMs;
/** A document arrives with its record; a tablet may go offline between the two. */
const patienceMs = 3 * dayMs;
/** How far back the search for what is missing goes: the server may be off when a manager should hear of it. */
const memoryMs = 30 * dayMs;
const mostTold = 20;

/** So long before its obligatory day a clinic hears of it. */
const warnDays = 30;

/** Tells managers of the day from which the clinic must not issue outside VERI*FACTU, until they have chosen its first day. */
async function tellBound(
  sql: Sql,
  { clinicId, settings, nowMs }: { clinicId: number; settings: ClinicSettings; nowMs: number },
): Promise<void> {
  const day = settings.verifactu_since === '' ? boundSince(settings) : null;
  if (day !== null && daysAfter(businessDay(nowMs, settings.time_zone), warnDays) >= day)
    await stateClinicConcern(sql, clinicId, nowMs, { kind: 'verifactu_due', details: { day } });
  else await clearClinicConcern(sql, clinicId, nowMs, 'verifactu_due');
}

/** Tells managers how many treatments of earlier days wait for an invoice, until none does. */
async function tellUninvoiced(
  sql: Sql,
  { clinicId, settings, nowMs }: { clinicId: number; settings: ClinicSettings; nowMs: number },
): Promise<void> {
  const { count, day } = await uninvoicedSince(sql, { clinicId, settings, nowMs });
  if (count === 0 || day === null) await clearClinicConcern(sql, clinicId, nowMs, 'not_invoiced');
  else await stateClinicConcern(sql, clinicId, nowMs, { kind: 'not_invoiced', details: { count, day } });
}

/** Tells managers of records whose documents never arrived, and of documents whose records never did, until they do. */
export async function tellMissing(pool: Pool, nowMs: number): Promise<void> {
  const times = { fromMs: nowMs - memoryMs, untilMs: nowMs - patienceMs, limit: mostTold };
  for (const { id: clinicId } of await listClinics(pool))
    await inTransaction(pool, async (sql) => {
      if (!(await holdChecks(sql, clinicId))) return;
      const clinic = { clinicId, settings: await clinicSettings(sql, clinicId), nowMs };
      await tellUninvoiced(sql, clinic);
      await tellBound(sql, clinic);
      const opIds = await completedSince(sql, clinicId);
      const kinds = ['record_without_document', 'document_without_record'] as const;
      await clearConcernsOf(sql, clinicId, nowMs, { opIds, kinds });
      const records = await recordsWithoutDocument(sql, clinicId, times);
      const documents = await recentBareDocuments(sql, clinicId, times);
      await raiseAttention(sql, clinicId, nowMs, [
        ...records.map(({ opId, number, chain }) => ({
          kind: 'record_without_document' as const,
          opId,
          opKind: null,
          orderId: null,
          details: { number, device: chain },
        })),
        ...documents.map(({ opId, orderId, number }) => ({
          kind: 'document_without_record' as const,
          opId,
          opKind: null,
          orderId,
          details: { number, device: codeOfNumber(number) ?? '' },
        })),
      ]);
    });
}

async function recentBareDocuments(
  sql: Sql,
  clinicId: number,
  { fromMs, untilMs, limit }: { fromMs: number; untilMs: number; limit: number },
): Promise<BareDocument[]> {
  const sinceMs = await recordsSince(sql, clinicId);
  if (sinceMs === null) return [];
  const span = { fromMs: Math.max(fromMs, sinceMs), untilMs, receivedMs: untilMs };
  return documentsWithoutRecord(sql, clinicId, { ...span, untold: true, limit });
}

export const startRecordChecks = (
  { database, clock }: Pick<Ports, 'database' | 'clock'>,
  onFault: (error: unknown) => void,
): IntervalJob =>
  startIntervalJob(() => tellMissing(acrossClinics(database), clock()), { everyMs, firstAfterMs: 60_000, onFault });
