/**
 * Keeps the chains of fiscal records. The records of tablets arrive as operations. The server makes records for its own
 * documents, and cancels documents whose operation a manager has voided. It adds both to a chain of its own, so that no tablet is
 * needed.
 */
import { recordOfDocument } from '#domain/fiscal/documents.ts';
import type { IssuedDocument } from '#domain/fiscal/documents.ts';
import { taxpayerOf } from '#domain/fiscal/taxpayer.ts';
import { cancelRecord, headOf } from '#domain/fiscal/record.ts';
import type { ChainHead, FiscalRecord, IssueRecord } from '#domain/fiscal/record.ts';
import { zonedInstant } from '#domain/fiscal/zoned.ts';
import { codeOfNumber } from '#domain/order/numbers.ts';
import type { Sql } from '#server/db/sql.ts';
import { effectKey } from '#server/operations/operation-module.ts';
import type { BatchContext } from '#server/operations/operation-module.ts';
import { serverCodeOf } from '../devices/service.ts';
import { isDuplicate } from './outcome.ts';
import { endHold, hasForgotten, holdForAgency } from './sending-store.ts';
import type { NewSending } from './sending-store.ts';
import { sha256 } from './sha256.ts';
import { insertOwnRecords, lockServerChains, recordedNumbers, recordsToCancel, serverHead } from './store.ts';
import type { CancelledRecord } from './store.ts';

/** Documents that the server itself has issued. */
export const fiscalEffects = effectKey<IssuedDocument>('fiscal');

/** The operations of documents that are annulled. */
export const annulmentEffects = effectKey<string>('fiscal annulments');

export { eraseAgencyMessages } from './answers-store.ts';
export { verifyChains } from './verify-chains.ts';

export interface ServerRecords {
  documents: readonly IssuedDocument[];
  /** The operations that were voided. */
  voids: readonly string[];
  /** The operations of the documents that are annulled, or whose records have just arrived. */
  candidates: readonly string[];
}

type RecordContext = Pick<BatchContext, 'clinicId' | 'receivedAtMs' | 'settings'>;

/** Appends the records of the server's own documents and of cancellations to the server's chains, one per code. */
export async function appendServerRecords(
  sql: Sql,
  context: RecordContext,
  { documents, voids, candidates }: ServerRecords,
): Promise<void> {
  const { clinicId } = context;
  const cancelled =
    voids.length + candidates.length > 0 ? await recordsToCancel(sql, clinicId, { voids, candidates }) : [];
  if (documents.length + cancelled.length === 0) return;
  await lockServerChains(sql, clinicId);
  const known = await recordedNumbers(
    sql,
    clinicId,
    documents.map(({ opId }) => opId),
  );
  const chains = new ServerChains(sql, context);
  for (const document of documents) if (!known.has(document.number)) await chains.issue(document);
  for (const one of cancelled) await chains.cancel(one);
  await chains.write();
}

/**
 * Cancels a record. The caller holds the server's chains.
 *
 * @param isAgain true where the agency has rejected a cancellation of the document
 */
export async function appendCancellation(
  sql: Sql,
  context: RecordContext,
  cancelled: CancelledRecord,
  options?: { isAgain: boolean },
): Promise<void> {
  const chains = new ServerChains(sql, context);
  await chains.cancel(cancelled, options);
  await chains.write();
}

/** The server's own chains, while records are appended to them. */
class ServerChains {
  private readonly heads = new Map<string, ChainHead | null>();
  private readonly records: Omit<NewSending, 'deviceId'>[] = [];

  constructor(
    private readonly sql: Sql,
    private readonly context: RecordContext,
  ) {}

  issue(document: IssuedDocument): Promise<void> {
    const { settings } = this.context;
    return this.append(codeOfNumber(document.number)!, {}, (place) =>
      recordOfDocument(document, { ...place, settings, sha256 }),
    );
  }

  /**
   * A record that is held back never goes out once it is cancelled. The agency has no record of it, nor of one that it has
   * rejected; a server that was restored asks it first (`inquiry.ts`). Of a document that is not sent, or whose number the agency
   * has, or will have, of another document, the agency hears no cancellation: it would be of that document.
   */
  async cancel(
    { recordId, record, state, heldFor, code, isNumberTaken }: CancelledRecord,
    { isAgain = false }: { isAgain?: boolean } = {},
  ): Promise<void> {
    const { clinicId, receivedAtMs, settings } = this.context;
    const isUnregistered = heldFor !== null || (state === 'rejected' && !isNumberTaken);
    const asks =
      isUnregistered && heldFor !== 'code' && !isNumberTaken && (await hasForgotten(this.sql, record.fields.issuer));
    const isOfAnother =
      (state === 'rejected' && isDuplicate(code)) || (heldFor !== null && isNumberTaken) || heldFor === 'code';
    if (heldFor !== null && asks) await holdForAgency(this.sql, clinicId, recordId);
    else if (heldFor !== null) await endHold(this.sql, clinicId, { recordId, state: 'not_sent' });
    const generatedAt = zonedInstant(receivedAtMs, settings.time_zone);
    const withheld = asks ? 'agency' : state === 'not_sent' || isOfAnother ? 'not_sent' : null;
    await this.append(await this.chainFor(record), { withheld }, (place) =>
      cancelRecord(
        record,
        { ...place, documentOpId: record.document_op_id, generatedAt, sha256 },
        { isUnregistered, isAgain },
      ),
    );
  }

  /**
   * Returns the server's chain for the issuer of a record. Only the clinic's own taxpayer has one. A record that claims another issuer
   * goes to the chain of documents without an issuer.
   */
  private chainFor({ fields: { issuer } }: IssueRecord): Promise<string> {
    const { clinicId, receivedAtMs, settings } = this.context;
    const taxId = taxpayerOf(settings);
    return serverCodeOf(this.sql, clinicId, { taxId: issuer === taxId ? taxId : null, atMs: receivedAtMs });
  }

  private async append(
    chain: string,
    sending: Pick<NewSending, 'withheld'>,
    make: (place: { chain: string; previous: ChainHead | null }) => FiscalRecord,
  ): Promise<void> {
    const previous = this.heads.get(chain) ?? (await serverHead(this.sql, this.context.clinicId, chain));
    const record = make({ chain, previous });
    this.heads.set(chain, headOf(record));
    this.records.push({ record, ...sending });
  }

  write(): Promise<void> {
    return insertOwnRecords(this.sql, this.context, this.records);
  }
}
