import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cancelledText, issuedText } from '#domain/fiscal/hashed-text.ts';
import { cancelRecord, fiscalText, headOf, issueRecord } from '#domain/fiscal/record.ts';
import type { FiscalRecord } from '#domain/fiscal/record.ts';
import { verificationUrl } from '#domain/fiscal/verification-url.ts';
import { verifyChain } from '#tests/support/verify-chain.ts';
import { fiscalDay, zonedInstant } from '#domain/fiscal/zoned.ts';
import { maxMinor } from '#domain/limits.ts';
import { canonicalJson } from '#domain/wire/canonical-json.ts';
import { chainOf, sha256, someDocument } from '../support/verifactu/records.ts';

describe('the hash of fiscal records', () => {
  const first = {
    issuerId: '89890001K',
    number: '12345678/G33',
    issueDate: '01-01-2024',
    invoiceType: 'F1',
    taxTotal: '12.35',
    total: '123.45',
    previousHash: null,
    generatedAt: '2024-01-01T19:20:30+01:00',
  };
  const firstHash = '3C464DAF61ACB827C65FDA19F352A4E3BDC2C640E9E9FC4CC058073F38F12F60';
  const secondHash = 'F7B94CFD8924EDFF273501B01EE5153E4CE8F259766F88CF6ACB8935802A2B97';
  const thirdHash = '177547C0D57AC74748561D054A9CEC14B4C4EA23D1BEFD6F2E69E3A388F90C68';

  test('matches the three official records', () => {
    expect(sha256(issuedText(first))).toBe(firstHash);
    const second = {
      ...first,
      number: '12345679/G34',
      previousHash: firstHash,
      generatedAt: '2024-01-01T19:20:35+01:00',
    };
    expect(sha256(issuedText(second))).toBe(secondHash);
    const cancelled = { ...second, previousHash: secondHash, generatedAt: '2024-01-01T19:20:40+01:00' };
    expect(sha256(cancelledText(cancelled))).toBe(thirdHash);
  });

  test('trims values, and keeps the name of a missing one', () => {
    expect(issuedText({ ...first, number: ' 12345678/G33 ' })).toBe(issuedText(first));
    expect(issuedText(first)).toContain('&Huella=&');
  });

  test('records made of documents have the hashes of the official ones', () => {
    const category = { rateBps: 1111 };
    const document = {
      number: '12345678/G33',
      issuedOn: '01-01-2024',
      documentType: 'F1',
      description: 'Servicios odontológicos',
      taxTotals: [{ category, baseMinor: 111_10, taxMinor: 12_35, grossMinor: 123_45 }],
      totalMinor: 123_45,
    } as const;
    const issuer = { taxId: '89890001K', name: 'Clínica' };
    const place = { chain: 'A1', previous: null, documentOpId: '1', generatedAt: '2024-01-01T19:20:30+01:00', sha256 };
    const one = issueRecord(document, issuer, place);
    expect(one.hash).toBe(firstHash);
    const after = (record: FiscalRecord, generatedAt: string) => ({ ...place, previous: headOf(record), generatedAt });
    const two = issueRecord({ ...document, number: '12345679/G34' }, issuer, after(one, '2024-01-01T19:20:35+01:00'));
    expect(two.hash).toBe(secondHash);
    const three = cancelRecord(two, after(two, '2024-01-01T19:20:40+01:00'));
    expect(three.hash).toBe(thirdHash);
    expect(verifyChain([one, two, three], sha256)).toEqual([]);
  });
});

describe('the fields of a record', () => {
  test('amounts are decimals with two places, also negative ones', () => {
    const refund = someDocument({
      documentType: 'R5',
      totalMinor: -10_05,
      taxTotals: [
        { category: { rateBps: 2100 }, grossMinor: -10_00, baseMinor: -8_26, taxMinor: -1_74 },
        { category: { exempt: 'E1' }, grossMinor: -5, baseMinor: -5, taxMinor: 0 },
      ],
      corrects: [{ number: 'INV-A1-000001', issued_on: '01-01-2027' }],
    });
    const [{ fields }] = chainOf([refund]) as [FiscalRecord & { type: 'issue' }];
    expect(fields).toMatchObject({
      type: 'R5',
      corrects: [{ number: 'INV-A1-000001', issued_on: '01-01-2027' }],
      breakdown: [
        { rate: '21.00', base: '-8.26', tax: '-1.74' },
        { exempt: 'E1', base: '-0.05' },
      ],
      tax_total: '-1.74',
      total: '-10.05',
    });
  });

  test('texts have no characters that XML forbids, no needless spaces, and the length that the agency takes', () => {
    expect(fiscalText(' Clínica\u0000 «Ñandú»\n & Cía. ', 120)).toBe('Clínica «Ñandú» & Cía.');
    expect(Array.from(fiscalText('😀'.repeat(130), 120))).toHaveLength(120);
    expect(fiscalText('\ud800 broken', 120)).toBe('broken');
  });

  test.each([
    [Date.UTC(2024, 0, 1, 18, 20, 30, 999), 'Europe/Madrid', '2024-01-01T19:20:30+01:00'],
    [Date.UTC(2027, 6, 1, 22, 0, 0), 'Europe/Madrid', '2027-07-02T00:00:00+02:00'],
    [Date.UTC(2027, 6, 1, 22, 0, 0), 'Atlantic/Canary', '2027-07-01T23:00:00+01:00'],
    [Date.UTC(2027, 6, 1, 2, 0, 0), 'America/Caracas', '2027-06-30T22:00:00-04:00'],
    [Date.UTC(2027, 6, 1, 2, 0, 0), 'UTC', '2027-07-01T02:00:00+00:00'],
  ])('the instant %i in %s is %s', (atMs, zone, text) => {
    expect(zonedInstant(atMs, zone)).toBe(text);
    expect(Date.parse(text)).toBe(Math.floor(atMs / 1000) * 1000);
  });

  test('the address in the QR code is encoded and names the record', () => {
    const fields = { issuer: '89890001K', number: '12345678&G33', issued_on: '01-01-2024', total: '241.40' };
    const page = '/wlpl/TIKE-CONT/ValidarQR?nif=89890001K&numserie=12345678%26G33&fecha=01-01-2024&importe=241.40';
    expect(verificationUrl(fields, 'production')).toBe(`https://www2.agenciatributaria.gob.es${page}`);
    expect(verificationUrl(fields, 'test')).toBe(`https://prewww2.aeat.es${page}`);
  });

  test('a day is written with the day first', () => expect(fiscalDay('2027-07-01')).toBe('01-07-2027'));
});

/** Returns a value in all forms in which one character of a text, or one number, is another. */
function* alterations(value: unknown): Generator {
  if (typeof value === 'number') yield value + 1;
  if (typeof value === 'string')
    for (let at = 0; at < value.length; at += 1)
      yield `${value.slice(0, at)}${value[at] === '1' ? '2' : '1'}${value.slice(at + 1)}`;
  if (Array.isArray(value))
    for (const [index, each] of value.entries()) for (const other of alterations(each)) yield value.with(index, other);
  else if (value !== null && typeof value === 'object')
    for (const [key, each] of Object.entries(value))
      for (const other of alterations(each)) yield { ...value, [key]: other };
}

describe('verifying a chain', () => {
  const documents = [
    someDocument(),
    someDocument({ recipient: { name: 'José & Cía', tax_id: '12345678Z' } }),
    someDocument(),
  ];
  const records = chainOf(documents, { cancels: [1] });

  test('finds nothing in a whole chain, nor in an empty one', () => {
    expect(verifyChain(records, sha256)).toEqual([]);
    expect(verifyChain([], sha256)).toEqual([]);
  });

  test('finds a change of one character anywhere', () => {
    let changed = 0;
    for (const altered of alterations(records)) {
      changed += 1;
      expect(verifyChain(altered as FiscalRecord[], sha256), canonicalJson(altered)).not.toEqual([]);
    }
    expect(changed).toBeGreaterThan(1500);
  });

  test('finds a removed, a moved, a doubled and a foreign record', () => {
    for (let at = 0; at < records.length - 1; at += 1)
      expect(verifyChain(records.toSpliced(at, 1), sha256)).not.toEqual([]);
    expect(verifyChain(records.toReversed(), sha256)).not.toEqual([]);
    expect(verifyChain(records.toSpliced(1, 0, records[0]!), sha256)).not.toEqual([]);
    const foreign = chainOf([someDocument({ totalMinor: 1 }), ...documents.slice(1)]);
    expect(verifyChain([...records.slice(0, 2), foreign[2]!], sha256)).toEqual([
      { chain: 'A1', sequence: 3, fault: 'link' },
    ]);
  });

  test('finds that the end was removed or written anew, by a head that was told before', () => {
    const told = records.at(-1)!;
    const head = [{ sequence: told.sequence, seal: told.seal }];
    expect(verifyChain(records, sha256, head)).toEqual([]);
    expect(verifyChain(records.slice(0, -1), sha256, head)).toEqual([{ chain: 'A1', sequence: 4, fault: 'missing' }]);
    const rewritten = chainOf([...documents, someDocument({ description: 'Otros servicios' })]);
    expect(verifyChain(rewritten, sha256)).toEqual([]);
    expect(verifyChain(rewritten, sha256, head)).toEqual([{ chain: 'A1', sequence: 4, fault: 'missing' }]);
  });

  test('a fork is two records of one place', () => {
    const [one, two] = chainOf(documents);
    const other = chainOf([documents[0]!, someDocument({ totalMinor: 7 })])[1]!;
    expect(verifyChain([one!, two!, other], sha256)).toEqual([{ chain: 'A1', sequence: 2, fault: 'fork' }]);
  });

  test('holds for any documents', () => {
    const texts = fc.string({ unit: 'binary', maxLength: 60 });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(texts, fc.integer({ min: -maxMinor, max: maxMinor })), { maxLength: 8 }),
        (drawn) => {
          const drawnDocuments = drawn.map(([description, totalMinor]) => someDocument({ description, totalMinor }));
          expect(verifyChain(chainOf(drawnDocuments), sha256)).toEqual([]);
        },
      ),
      { seed: 20_261_122, numRuns: 200 },
    );
  });
});
