/** What a clinic's manager sees of the sending of fiscal records, and the upload of its certificate. */
import type { CertificateResource, SendingStatus } from '#domain/fiscal/resources.ts';
import { problemMessages } from '#domain/problems.ts';
import { accept, refuse } from '#domain/result.ts';
import type { Result } from '#domain/result.ts';
import { changedSince } from '#domain/seen.ts';
import type { Seen } from '#domain/seen.ts';
import { isoOf, isoOrNull } from '#domain/instant.ts';
import type { Sql } from '#server/db/sql.ts';
import { lockAggregates } from '#server/operations/store.ts';
import type { Session } from '#server/context.ts';
import { clearClinicConcern } from '../attention/service.ts';
import { recordAudit } from '../audit/service.ts';
import { clinicSettings } from '../clinics/service.ts';
import { certificateOf, saveCertificate } from './certificate-store.ts';
import { sealCertificate } from './certificate.ts';
import type { CertificateFacts, ClientCertificate } from './certificate.ts';
import { countsByState, lastReplyMs } from './answers-store.ts';
import { paceOf, unsentSince } from './queue-store.ts';

/** @param canSend false on an installation without the agency's address */
export async function sendingStatus(sql: Sql, clinicId: number, canSend: boolean): Promise<SendingStatus> {
  const { tax_id: taxId } = await clinicSettings(sql, clinicId);
  const pace = await paceOf(sql, taxId);
  const repliedMs = await lastReplyMs(sql, clinicId);
  const sinceMs = await unsentSince(sql, clinicId);
  const certificate = await certificateOf(sql, clinicId);
  return {
    can_send: canSend,
    unsent_since: isoOrNull(sinceMs),
    counts: await countsByState(sql, clinicId),
    last_reply_at: isoOrNull(repliedMs),
    next_call_at: pace ? isoOf(pace.nextCallAtMs) : null,
    failures: pace?.failures ?? 0,
    certificate: certificate && certificateResource(certificate, taxId),
  };
}

/** @param clinicTaxId the clinic's number; empty without a tax profile */
const certificateResource = (
  { holder, taxId, expiresAtMs }: CertificateFacts,
  clinicTaxId: string,
): CertificateResource => ({
  holder,
  expires_at: isoOf(expiresAtMs),
  other_tax_id: clinicTaxId !== '' && taxId !== clinicTaxId ? taxId : null,
});

export interface NewCertificate {
  certificate: ClientCertificate;
  /** What it says, or null when it cannot be opened. It is read before the transaction, because that takes seconds. */
  facts: CertificateFacts | null;
  secret: Uint8Array;
  atMs: number;
  /** What the screen showed of the certificate before; undefined for other programs. */
  seen?: Seen | undefined;
}

/** Keeps a clinic's certificate, encrypted. It takes the place of the one before, if that is the one that was seen. */
export async function storeCertificate(
  sql: Sql,
  session: Session,
  { certificate, facts, secret, atMs, seen }: NewCertificate,
): Promise<Result<CertificateResource>> {
  const { clinicId } = session;
  if (!facts) return refuse('VALIDATION', problemMessages({ pkcs12: 'CERTIFICATE_UNREADABLE' }));
  if (facts.expiresAtMs <= atMs) return refuse('VALIDATION', problemMessages({ pkcs12: 'CERTIFICATE_ENDED' }));
  const { tax_id: taxId } = await clinicSettings(sql, clinicId);
  if (seen) {
    await lockAggregates(sql, clinicId, ['fiscal certificate']);
    const before = await certificateOf(sql, clinicId);
    const changed = changedSince(seen, before ? certificateResource(before, taxId) : {});
    if (Object.keys(changed).length > 0) return refuse('CHANGED_MEANWHILE', changed);
  }
  await saveCertificate(sql, clinicId, { ...facts, sealed: sealCertificate(certificate, clinicId, secret), atMs });
  await clearClinicConcern(sql, clinicId, atMs, 'certificate_expires');
  const details = { holder: facts.holder };
  await recordAudit(sql, session, { action: 'settings.certificate', details, at: atMs });
  return accept(certificateResource(facts, taxId));
}
