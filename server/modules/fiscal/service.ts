/**
 * Keeps the chains of fiscal records. The records of tablets arrive as operations. The server makes records for its own
 * documents, and for the cancellation of documents whose operation a manager has voided: their records stand in the
 * server's own chain, so that a tablet need not be there.
 */
import { recordOfPaper } from '../../../domain/fiscal/papers.ts';
import type { IssuedPaper } from '../../../domain/fiscal/papers.ts';
import { taxpayerOf } from '../../../domain/fiscal/taxpayer.ts';
import { cancelRecord, headOf } from '../../../domain/fiscal/record.ts';
import type { ChainHead, FiscalRecord, IssueRecord } from '../../../domain/fiscal/record.ts';
import { zonedInstant } from '../../../domain/fiscal/zoned.ts';
import { codeOfNumber } from '../../../domain/order/numbers.ts';
import type { Sql } from '../../db/sql.ts';
import { effectKey } from '../../operations/operation-module.ts';
import type { BatchContext } from '../../operations/operation-module.ts';
import { serverCodeOf } from '../devices/service.ts';
import { serverDevice } from './server-device.ts';
import { sha256 } from './sha256.ts';
import { insertRecords, lockServerChains, recordedNumbers, recordsToCancel, serverHead } from './store.ts';

/** Documents that the server itself has issued. */
export const fiscalEffects = effectKey<IssuedPaper>('fiscal');

/** The operations of documents that are annulled. */
export const annulmentEffects = effectKey<string>('fiscal annulments');

export { verifyChains } from './verify-chains.ts';

export interface ServerRecords {
  papers: readonly IssuedPaper[];
  /** The operations that were voided. */
  voids: readonly string[];
  /** The operations of the documents that are annulled, or whose records have just arrived. */
  documents: readonly string[];
}

/** Appends the records of the server's own documents and of cancellations to the server's chains, one per code. */
export async function appendServerRecords(
  sql: Sql,
  { clinicId, receivedAtMs, settings }: Pick<BatchContext, 'clinicId' | 'receivedAtMs' | 'settings'>,
  { papers, voids, documents }: ServerRecords,
): Promise<void> {
  const cancelled =
    voids.length + documents.length > 0 ? await recordsToCancel(sql, clinicId, { voids, papers: documents }) : [];
  if (papers.length + cancelled.length === 0) return;
  await lockServerChains(sql, clinicId);
  const known = await recordedNumbers(
    sql,
    clinicId,
    papers.map(({ opId }) => opId),
  );
  const heads = new Map<string, ChainHead | null>();
  const records: FiscalRecord[] = [];
  const append = async (
    chain: string,
    make: (place: { chain: string; previous: ChainHead | null }) => FiscalRecord,
  ) => {
    const previous = heads.get(chain) ?? (await serverHead(sql, clinicId, chain));
    const record = make({ chain, previous });
    heads.set(chain, headOf(record));
    records.push(record);
  };
  for (const paper of papers)
    if (!known.has(paper.number))
      await append(codeOfNumber(paper.number)!, (place) => recordOfPaper(paper, { ...place, settings, sha256 }));
  const generatedAt = zonedInstant(receivedAtMs, settings.time_zone);
  for (const record of cancelled) {
    const chain = await chainFor(sql, { clinicId, receivedAtMs, settings }, record);
    await append(chain, (place) =>
      cancelRecord(record, { ...place, paperOpId: record.paper_op_id, generatedAt, sha256 }),
    );
  }
  await insertRecords(
    sql,
    { clinicId, receivedAtMs, settings },
    records.map((record) => ({ deviceId: serverDevice, record })),
  );
}

/**
 * Returns the chain in which the server records for the issuer of a record. Only the clinic's own taxpayer has one: what
 * claims another issuer stands with the documents that have none.
 */
function chainFor(
  sql: Sql,
  { clinicId, receivedAtMs, settings }: Pick<BatchContext, 'clinicId' | 'receivedAtMs' | 'settings'>,
  { fields: { issuer } }: IssueRecord,
): Promise<string> {
  const taxId = taxpayerOf(settings);
  return serverCodeOf(sql, clinicId, { taxId: issuer === taxId ? taxId : null, atMs: receivedAtMs });
}
