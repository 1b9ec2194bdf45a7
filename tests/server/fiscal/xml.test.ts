import { describe, expect, test } from 'vitest';
import { maxMinor } from '#domain/limits.ts';
import type { FiscalDocument, FiscalRecord } from '#domain/fiscal/record.ts';
import { documentTypes } from '#domain/tax/document.ts';
import { taxTotals } from '#tests/support/tax-totals.ts';
import type { TaxCategory } from '#domain/tax/tax.ts';
import { maxRecordsPerCall, submissionXml } from '#server/modules/fiscal/xml.ts';
import { inLongRun } from '#tests/support/long-run.ts';
import { seededRandom } from '#tests/support/random.ts';
import type { Random } from '#tests/support/random.ts';
import { chainOf, someDocument, testIssuer } from '#tests/support/verifactu/records.ts';
import { schemaErrors } from '#tests/support/xmllint.ts';

const system = { producer: { name: 'Productor & Cía', taxId: 'A58818501' }, version: '1.0.0', isShared: false };

const xmlOf = (records: readonly FiscalRecord[], isLate = false): string =>
  submissionXml({ issuer: testIssuer, system, isLate, records });

const categories: TaxCategory[] = [{ exempt: 'E1' }, { rateBps: 2100 }, { rateBps: 1000 }, { rateBps: 400 }];
const words = [
  'Clínica',
  'Ñandú',
  '& Hijos',
  '<b>',
  "O'Neill",
  '"S.L."',
  '😀',
  'L·lúcia',
  '\u0001',
  ']]>',
  'Ærø',
  'ﬁ',
  '\n',
];

function randomText(random: Random, most: number): string {
  const text = Array.from({ length: random.between(1, 20) }, () => random.pick(words)).join(' ');
  return Array.from(text).slice(0, most).join('');
}

/** Returns a document of any type, with any number of tax categories and amounts up to the largest. */
function randomDocument(random: Random, index: number): FiscalDocument {
  const documentType = random.pick(documentTypes);
  const sign = documentType.startsWith('R') ? -1 : 1;
  const totals = taxTotals(
    Array.from({ length: random.between(1, 12) }, () => ({
      category: random.pick(categories),
      grossMinor: sign * random.between(0, random.pick([100, 100_00, maxMinor / 12])),
    })),
  );
  const number = `INV-KTMA7-${String(index + 1).padStart(6, '0')}`;
  const others = [{ number: 'INV-KTMA7-000001', issued_on: '01-07-2027' }];
  const isFull = ['F1', 'F3', 'R1', 'R4'].includes(documentType);
  return someDocument({
    number,
    issuedOn: `${String(random.between(1, 28)).padStart(2, '0')}-07-2027`,
    documentType,
    description:
      random.pick(['Servicios odontológicos', randomText(random, 60), 'ñ'.repeat(60), '&'.repeat(700)]) || 'x',
    taxTotals: totals,
    totalMinor: totals.reduce((sum, { grossMinor }) => sum + grossMinor, 0),
    ...(isFull && { recipient: { name: `A${randomText(random, 130)}`, tax_id: '12345678Z' } }),
    ...(sign < 0 && { corrects: others }),
    ...(documentType === 'F3' && { replaces: others }),
    ...(random.happens(0.2) && { operationOn: '30-06-2027' }),
  });
}

describe('records as XML', () => {
  const count = inLongRun(10_000, { otherwise: 2000 });

  test('records of any documents are valid by the schemas', async () => {
    const random = seededRandom(20_261_122, 'documents');
    const documents = Array.from({ length: count }, (_, index) => randomDocument(random, index));
    const cancels = documents.flatMap((_, index) => (index % 10 === 0 ? index : []));
    const records = chainOf(documents, { chain: 'KTMA7', cancels }).slice(0, count);
    const calls = Array.from({ length: count / maxRecordsPerCall }, (_, index) =>
      xmlOf(records.slice(index * maxRecordsPerCall, (index + 1) * maxRecordsPerCall), index % 2 === 0),
    );
    expect(await schemaErrors('SuministroLR.xsd', calls)).toEqual([]);
  });

  test('a chain of issued and cancelled records is valid', async () => {
    const records = chainOf([someDocument(), someDocument()], { chain: 'KTMA7', cancels: [1] });
    const xml = xmlOf(records, true);
    expect(await schemaErrors('SuministroLR.xsd', [xml])).toEqual([]);
    expect(xml).toContain('<sf:PrimerRegistro>S</sf:PrimerRegistro>');
    expect(xml).toContain(`<sf:Huella>${records[1]!.hash}</sf:Huella></sf:RegistroAnterior>`);
    expect(xml).toContain('<sf:Incidencia>S</sf:Incidencia>');
    expect(xml).toContain('<sf:NumeroInstalacion>KTMA7</sf:NumeroInstalacion>');
  });

  test('exempt amounts have neither rate nor tax', () => {
    const xml = xmlOf(chainOf([someDocument()]));
    expect(xml).toContain('<sf:OperacionExenta>E1</sf:OperacionExenta>');
    expect(xml).not.toContain('TipoImpositivo');
    expect(xml).not.toContain('CuotaRepercutida');
  });

  test('a record of a hundred millions says so', async () => {
    const totalsOf = (grossMinor: number) => taxTotals([{ category: { exempt: 'E1' }, grossMinor }]);
    const record = (totalMinor: number) => someDocument({ taxTotals: totalsOf(totalMinor), totalMinor });
    const large = xmlOf(chainOf([record(10_000_000_000)]));
    expect(large).toContain('<sf:Macrodato>S</sf:Macrodato>');
    expect(await schemaErrors('SuministroLR.xsd', [large])).toEqual([]);
    expect(xmlOf(chainOf([record(9_999_999_999)]))).not.toContain('Macrodato');
  });

  test('xmllint finds what the schemas forbid', async () => {
    const xml = xmlOf(chainOf([someDocument()]));
    const errors = await schemaErrors('SuministroLR.xsd', [
      xml,
      xml.replace('<sf:TipoFactura>F2', '<sf:TipoFactura>F9'),
      xml.replace('<sf:IDVersion>1.0</sf:IDVersion>', ''),
    ]);
    expect(errors.join('\n')).toContain("'F9' is not an element of the set");
    expect(errors.join('\n')).toContain('Expected is ( {');
  });
});
