/** A Spanish taxpayer whose records are sent to the tax agency. */
import type { ClinicSettings } from '#domain/settings/settings.ts';
import { saveCertificate } from '#server/modules/fiscal/certificate-store.ts';
import { sealCertificate } from '#server/modules/fiscal/certificate.ts';
import type { Clinic } from '../cluster/clinic.ts';
import type { Cluster } from '../cluster/cluster.ts';

const controlLetters = 'TRWAGMYFPDXBNJZSQVHLCKE';

/** Returns the settings of a clinic with VERI*FACTU, with a tax number that no other clinic of the database has. */
export async function spanishSettings(cluster: Cluster): Promise<Partial<ClinicSettings>> {
  const [row] = await cluster.query<{ next: number }>('select coalesce(max(id), 0)::int + 1 as next from clinics');
  const { next } = row!;
  return {
    tax_profile: 'ES',
    legal_name: 'Clínica Ñandú & Hijos, S.L.',
    tax_id: `${String(next).padStart(8, '0')}${controlLetters[next % 23]}`,
    address: 'Calle Mayor 1',
    postal_code: '28013',
    city: 'Madrid',
    verifactu_since: '2026-01-01',
  };
}

/** The agency of this history is asked for nothing that an earlier history left. */
export async function forgetSendings(cluster: Cluster): Promise<void> {
  // No statement of the product may do this.
  await cluster.query(
    `do $$ begin
       alter table fiscal_sendings disable trigger user;
       update fiscal_sendings set state = 'not_sent' where state = 'unsent';
       alter table fiscal_sendings enable trigger user;
       delete from fiscal_inquiries;
     end $$`,
  );
}

export async function addCertificate({ id, cluster }: Clinic): Promise<void> {
  const certificate = { pkcs12: Buffer.from('a file'), passphrase: 'open' };
  await saveCertificate(cluster.databases[0]!.$client, id, {
    sealed: sealCertificate(certificate, id, cluster.secret),
    holder: 'Clínica Ñandú',
    taxId: null,
    expiresAtMs: Date.UTC(2030, 0, 1),
    atMs: 0,
  });
}
