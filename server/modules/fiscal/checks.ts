/** Compares fiscal records with the documents that they are of, and tells managers where the two do not fit. */
import type { Pool } from 'pg';
import { differingFields, summaryOf } from '../../../domain/fiscal/compare.ts';
import { paperOf } from '../../../domain/fiscal/papers.ts';
import { codeOfNumber } from '../../../domain/order/numbers.ts';
import type { Sql } from '../../db/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { startIntervalJob } from '../../interval-job.ts';
import type { IntervalJob } from '../../interval-job.ts';
import type { RaisedConcern } from '../../operations/operation-module.ts';
import type { Ports } from '../../ports.ts';
import { clearConcernsOf, raiseAttention } from '../attention/service.ts';
import { listClinics } from '../clinics/service.ts';
import {
  completedSince,
  documentsOfRecords,
  documentsWithoutRecord,
  holdChecks,
  recordsSince,
  recordsWithoutDocument,
} from './checks-store.ts';
import type { BareDocument } from './checks-store.ts';
import { sha256 } from './sha256.ts';

/**
 * Compares the records of tablets with their documents, where both have arrived.
 *
 * @param opIds the operations of documents that have arrived, or whose records have
 */
export async function differences(
  sql: Sql,
  clinicId: number,
  opIds: readonly string[],
): Promise<{ opId: string; concern: RaisedConcern }[]> {
  if (opIds.length === 0) return [];
  const found = await documentsOfRecords(sql, clinicId, opIds);
  return found.flatMap(({ record, kind, payload }) => {
    const opId = record.paper_op_id;
    const paper = paperOf({ op_id: opId, kind, payload });
    const expected = paper ? differingFields(record, paper, sha256) : undefined;
    if (expected === null) return [];
    const { number } = record.fields;
    const details = { number, stated: summaryOf(record.fields), expected: expected ? summaryOf(expected) : '–' };
    return [{ opId, concern: { kind: 'record_differs' as const, details } }];
  });
}

const everyMs = 3_600_000;
const dayMs = 86_400_000;
/** A document arrives with its record; a tablet may go offline between the two. */
const patienceMs = 3 * dayMs;
/** How long what is missing is looked for: the server may be off when it is to be told. */
const memoryMs = 30 * dayMs;
const mostTold = 20;

/** Tells managers of records whose documents never arrived, and of documents whose records never did, until they do. */
export async function tellMissing(pool: Pool, nowMs: number): Promise<void> {
  const times = { fromMs: nowMs - memoryMs, untilMs: nowMs - patienceMs, limit: mostTold };
  for (const { id: clinicId } of await listClinics(pool))
    await inTransaction(pool, async (sql) => {
      if (!(await holdChecks(sql, clinicId))) return;
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
  startIntervalJob(() => tellMissing(database.$client, clock()), { everyMs, firstAfterMs: 60_000, onFault });
