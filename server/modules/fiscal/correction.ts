/**
 * Corrects the record of a document that the tax agency rejected or accepted with errors (subsanación), by another record in
 * the server's chain. What is wrong in the document itself takes a corrective invoice.
 */
import { correctedRecord, fieldLimits, fiscalText } from '#domain/fiscal/record.ts';
import type { Correction, IssueRecord } from '#domain/fiscal/record.ts';
import { isTaxId, normalTaxId } from '#domain/tax/tax-id.ts';
import { taxpayerOf } from '#domain/fiscal/taxpayer.ts';
import { isSentOn } from '#domain/settings/verifactu.ts';
import { zonedInstant } from '#domain/fiscal/zoned.ts';
import { problemMessages } from '#domain/problems.ts';
import { accept, refuse } from '#domain/result.ts';
import type { Result } from '#domain/result.ts';
import type { WriteContext } from '#server/context.ts';
import { clearDocumentConcerns } from '../attention/service.ts';
import { recordAudit } from '../audit/service.ts';
import { clinicSettings } from '../clinics/service.ts';
import { serverCodeOf } from '../devices/service.ts';
import { isCorrectable } from './outcome.ts';
import { recordsOfDocument } from './records-store.ts';
import type { DocumentRecord } from './records-store.ts';
import { sha256 } from './sha256.ts';
import { insertOwnRecords, lockServerChains, serverHead } from './store.ts';

/** Returns what the agency has of a document whose last record has errors; null where no correction is due. */
function correctionDue(records: readonly DocumentRecord[]): Correction | null {
  const last = records.at(-1);
  if (!last || records.some(({ record }) => record.type === 'cancel') || !isCorrectable(last)) return null;
  if (last.state === 'accepted_with_errors') return 'accepted';
  const isThere = records.some(({ state }) => state === 'accepted' || state === 'accepted_with_errors');
  return isThere ? 'rejected' : 'absent';
}

/**
 * @param id of a record of the document
 * @param recipient replaces the recipient that the record names; the issuer's name comes from the settings
 */
export async function correctRecord(
  { sql, session, clinicId, atMs }: WriteContext,
  { id, recipient: given }: { id: number; recipient?: { name: string; tax_id: string } | undefined },
): Promise<Result<{ id: number; number: string }>> {
  // Another correction of the same document waits here.
  await lockServerChains(sql, clinicId);
  const records = await recordsOfDocument(sql, clinicId, id);
  const last = records.at(-1);
  if (!last) return refuse('NOT_FOUND');
  const settings = await clinicSettings(sql, clinicId);
  const wrong = last.record as IssueRecord;
  const correction = correctionDue(records);
  const generatedAt = zonedInstant(atMs, settings.time_zone);
  const isOurs = wrong.fields.issuer === taxpayerOf(settings) && isSentOn(settings, generatedAt.slice(0, 10));
  if (correction === null || !isOurs) return refuse('RECORD_NOT_CORRECTABLE');
  const recipient = given
    ? { name: fiscalText(given.name, fieldLimits.name), tax_id: normalTaxId(given.tax_id) }
    : wrong.fields.recipient;
  if (given && !wrong.fields.recipient) return refuse('VALIDATION', { recipient: 'This document has no recipient' });
  if (given && recipient?.name === '') return refuse('VALIDATION', problemMessages({ 'recipient.name': 'REQUIRED' }));
  if (recipient && given && !isTaxId(recipient.tax_id))
    return refuse('VALIDATION', { recipient: 'is not a valid NIF' });

  const chain = await serverCodeOf(sql, clinicId, { taxId: wrong.fields.issuer, atMs });
  const previous = await serverHead(sql, clinicId, chain);
  const record = correctedRecord(
    wrong,
    { issuerName: settings.legal_name, recipient, correction },
    { chain, previous, documentOpId: wrong.document_op_id, generatedAt, sha256 },
  );
  await insertOwnRecords(sql, { clinicId, receivedAtMs: atMs, settings }, [{ record }]);
  const { number } = record.fields;
  await clearDocumentConcerns(sql, clinicId, { opId: wrong.document_op_id, number, atMs });
  await recordAudit(sql, session, { action: 'fiscal.corrected', subject: number, at: atMs });
  const corrected = (await recordsOfDocument(sql, clinicId, id)).at(-1)!;
  return accept({ id: corrected.id, number });
}
