/** A clinic of the Spanish tax profile: a server that is no demo, with the demo's data, and a stand-in for the tax agency. */
import { expect } from '@playwright/test';
import { businessDay } from '#domain/business-day.ts';
import { verifyChain } from './verify-chain.ts';
import type { FiscalRecord } from '#domain/fiscal/record.ts';
import { defaultSettings } from '#domain/settings/settings.ts';
import { makeCertificate } from './client-certificate.ts';
import { ServerProcess } from './server-process.ts';
import { startTaxAuthority } from './tax-authority.ts';
import type { TaxAuthority } from './tax-authority.ts';
import { sha256 } from './verifactu/records.ts';

export interface FiscalClinic {
  clinic: ServerProcess;
  authority: TaxAuthority;
  /** Waits until the agency has every record, and checks that each chain and each number arrived there once. */
  expectAllAccepted: (numbers: readonly string[]) => Promise<void>;
  destroy: () => Promise<void>;
}

/** The issuer of the clinic's documents. Bound to nothing, because its books are at the tax agency. */
export const issuer = {
  tax_profile: 'ES',
  legal_name: 'Clínica Dental Fernández-Villaverde & Álvarez de Toledo, S.L.P.',
  tax_id: 'B65410011',
  address: 'Calle del Marqués de Santa Ana, 117, 3.º derecha',
  postal_code: '28013',
  city: 'Madrid',
  books_by_sii: true,
} as const;

const passphrase = 'of the test';

/** @param isOn false for a clinic that has not switched VERI*FACTU on, and has no certificate */
export async function startFiscalClinic({ isOn = true } = {}): Promise<FiscalClinic> {
  const authority = await startTaxAuthority({ clock: Date.now, waitSeconds: 1 });
  const clinic = await ServerProcess.create({
    DEMO: '0',
    VERIFACTU_URL: authority.url,
    PRODUCER_NAME: 'Productor & Cía',
    PRODUCER_TAX_ID: 'A58818501',
  });
  // A server that is no demo lets nobody in under the demo's addresses.
  clinic.emailDomain = 'clinic.test';
  await clinic.query(
    `update users set email = replace(email, '@demo.test', '@clinic.test'), status = 'active' where email like '%@demo.test'`,
  );
  const put = async (url: string, body: object) =>
    expect(await clinic.api(url, body, 'PUT'), url).toMatchObject({ success: true });
  await put('/settings', { ...issuer, books_by_sii: !isOn });
  if (isOn) {
    await put('/settings', { verifactu_since: businessDay(Date.now(), defaultSettings.time_zone) });
    const pkcs12 = makeCertificate({ passphrase }).pkcs12.toString('base64');
    await put('/fiscal/certificate', { pkcs12, passphrase });
  }
  return {
    clinic,
    authority,
    expectAllAccepted: (numbers) => expectAllAccepted(clinic, authority, numbers),
    destroy: async () => {
      await clinic.destroy();
      await authority.close();
    },
  };
}

async function expectAllAccepted(
  clinic: ServerProcess,
  authority: TaxAuthority,
  numbers: readonly string[],
): Promise<void> {
  // A process that is killed during a call leaves a pause of two minutes behind. `tests/server/fiscal` is about the pace.
  await clinic.query(
    `update fiscal_senders set next_call_at = least(next_call_at, $1::timestamptz + interval '1 second')`,
    [new Date()],
  );
  const unsent = () => clinic.query(`select * from fiscal_sendings where state <> 'accepted'`);
  await expect.poll(unsent, { timeout: 60_000 }).toEqual([]);
  const accepted = () => authority.records.map(({ number }) => number).toSorted();
  await expect.poll(accepted, { timeout: 60_000 }).toEqual(numbers.toSorted());
  expect(authority.faults).toEqual([]);
  const rows = await clinic.query<{ record: FiscalRecord }>('select record from fiscal_records order by sequence');
  expect(rows.map(({ record }) => record.fields.number).toSorted()).toEqual(numbers.toSorted());
  for (const chain of new Set(rows.map(({ record }) => record.chain))) {
    const records = rows.flatMap(({ record }) => (record.chain === chain ? [record] : []));
    expect(verifyChain(records, sha256), `faults of the chain ${chain}`).toEqual([]);
  }
}
