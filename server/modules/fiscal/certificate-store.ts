/** Clinics' certificates in SQL. */
import { isoOf } from '#domain/instant.ts';
import { msOf, rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';
import type { CertificateFacts } from './certificate.ts';

export async function saveCertificate(
  sql: Sql,
  clinicId: number,
  { sealed, holder, taxId, expiresAtMs, atMs }: CertificateFacts & { sealed: Buffer; atMs: number },
): Promise<void> {
  await sql.query({
    name: 'save certificate',
    text: `insert into fiscal_certificates (clinic_id, sealed, holder, expires_at, uploaded_at, tax_id)
           values ($1, $2, $3, $4, $5, $6)
           on conflict (clinic_id) do update set sealed = excluded.sealed, holder = excluded.holder,
             expires_at = excluded.expires_at, uploaded_at = excluded.uploaded_at,
             tax_id = excluded.tax_id`,
    values: [clinicId, sealed, holder, isoOf(expiresAtMs), isoOf(atMs), taxId],
  });
}

export async function certificateOf(sql: Sql, clinicId: number): Promise<CertificateFacts | null> {
  const [row] = await rowsOf<CertificateFacts>(
    sql,
    'certificate',
    `select holder, tax_id as "taxId", ${msOf('expires_at')}::float8 as "expiresAtMs" from fiscal_certificates where clinic_id = $1`,
    [clinicId],
  );
  return row ?? null;
}

/** Returns the certificates of clinics with VERI*FACTU that end before the given time. */
export function expiringCertificates(
  sql: Sql,
  beforeMs: number,
): Promise<(Omit<CertificateFacts, 'taxId'> & { clinicId: number })[]> {
  return rowsOf(
    sql,
    'expiring certificates',
    `select c.clinic_id as "clinicId", c.holder, ${msOf('c.expires_at')}::float8 as "expiresAtMs" from fiscal_certificates c
     join settings s using (clinic_id) where s.data ->> 'verifactu_since' <> '' and c.expires_at < $1`,
    [isoOf(beforeMs)],
  );
}
