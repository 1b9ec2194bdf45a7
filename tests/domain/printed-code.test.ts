import { describe, expect, test } from 'vitest';
import { codeRows } from '#domain/fiscal/printed-code.ts';
import type { TaxDocumentFields } from '#domain/tax/document.ts';
import { printedRowSchema } from '#domain/order/schemas.ts';
import { defaultSettings } from '#domain/settings/settings.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';

const settings: ClinicSettings = { ...defaultSettings, tax_profile: 'ES', verifactu_since: '2027-01-01' };
const tax: TaxDocumentFields = {
  document_type: 'F2',
  issuer: { legal_name: 'Luz, S.L.', tax_id: 'B65410011', address: 'Sol 1', postal_code: '28013', city: 'Madrid' },
  tax_totals: [
    { exempt: 'E1', base: 620, tax: 0, gross: 620 },
    { rate: 21, base: 40, tax: 8.4, gross: 48.4 },
  ],
};
const midnight = Date.UTC(2026, 11, 31, 23);
const document = { number: 'INV-KTMA7-000001', issuedAtMs: midnight, tax };

describe('the code of documents that the tax agency is told of', () => {
  test('stands between its caption and the words VERI*FACTU, with the amount of all tax together', () => {
    const rows = codeRows(settings, document);
    expect(rows).toEqual([
      { style: 'text', left: 'QR tributario:', part: 'code' },
      {
        style: 'qr',
        left: 'https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR?nif=B65410011&numserie=INV-KTMA7-000001&fecha=01-01-2027&importe=668.40',
        part: 'code',
      },
      { style: 'text', left: 'VERI*FACTU', part: 'code' },
    ]);
    for (const row of rows) expect(printedRowSchema.parse(row)).toEqual(row);
  });

  test('leads to the system that takes the records', () => {
    const rows = codeRows({ ...settings, verifactu_system: 'test' }, document);
    expect(rows[1]!.left).toMatch(/^https:\/\/prewww2\.aeat\.es\//);
  });

  test('begins at the first instant of the day in the clinic’s time zone', () => {
    expect(codeRows(settings, { ...document, issuedAtMs: midnight - 1 })).toEqual([]);
  });

  test('is missing where VERI*FACTU is not on, without a profile, and without an issuer', () => {
    for (const off of [{ verifactu_since: '' }, { verifactu_until: '2026-12-31' }, { tax_profile: 'none' }] as const)
      expect(codeRows({ ...settings, ...off }, document)).toEqual([]);
    expect(codeRows(settings, { ...document, tax: {} })).toEqual([]);
  });
});
