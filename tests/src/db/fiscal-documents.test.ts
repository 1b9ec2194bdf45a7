/**
 * The records of random documents, as tablets make them: whatever names, amounts and taxes they are of, the tax agency's
 * schemas take them, and a changed character anywhere is found.
 */
import { describe, expect, test } from 'vitest';
import { maxMinor } from '#domain/limits.ts';
import { cancelRecord, headOf } from '#domain/fiscal/record.ts';
import type { ChainHead, FiscalRecord, IssueRecord } from '#domain/fiscal/record.ts';
import { faultOf } from '#domain/fiscal/verify.ts';
import { verifyChain } from '#tests/support/verify-chain.ts';
import { recipientLimits, recipientProblems, tidyRecipient } from '#domain/tax/recipient.ts';
import type { Recipient } from '#domain/tax/document.ts';
import { isValid } from '#domain/problems.ts';
import { payloadSchemas } from '#domain/protocol/operation-schemas.ts';
import { defaultSettings } from '#domain/settings/settings.ts';
import { taxCodes } from '#domain/tax/codes.ts';
import { maxRecordsPerCall, submissionXml } from '#server/modules/fiscal/xml.ts';
import { exchangeForFull, invoiceTreatment } from '#src/db/commands/invoices.ts';
import { takePayment } from '#src/db/commands/payments.ts';
import { refundTreatment } from '#src/db/commands/refunds.ts';
import { addServices, cancelTreatment, createTreatment } from '#src/db/commands/treatments.ts';
import { orderById } from '#src/db/queries/orders.ts';
import { inLongRun } from '#tests/support/long-run.ts';
import { seededRandom } from '#tests/support/random.ts';
import type { Random } from '#tests/support/random.ts';
import { sha256 } from '#tests/support/verifactu/records.ts';
import { schemaErrors } from '#tests/support/xmllint.ts';
import { openTablet, service } from './tablet.ts';
import type { OfflineTablet } from './tablet.ts';

const chains = inLongRun(4, { otherwise: 2 });
const recordsPerChain = inLongRun(1000, { otherwise: 100 });
const seed = Number(process.env['TEST_LONG_SEED'] ?? 20_261_123);

const words = [
  'Clínica',
  'Ñandú',
  '& Hijos',
  '<b>',
  '</sf:NombreRazon>',
  '&amp;',
  "O'Neill",
  '"S.L."',
  '😀',
  '👩‍⚕️',
  'L·lúcia',
  '\u0001',
  '\u007F',
  '\uFFFE',
  ']]>',
  'Ærø',
  'ﬁ',
  '\n',
  '\t',
  'مريم',
  '李',
];

/** Returns a name of a given length at most, such as somebody may have typed or pasted. */
function randomName(random: Random, most: number): string {
  const length = random.pick([1, 12, 60, 120, 121, most]);
  let name = random.pick(['Ana', '李', 'ñ', '&', '😀']);
  while (name.length < length) name += `${random.pick([' ', '', '  '])}${random.pick(words)}`;
  return name.slice(0, length).replace(/\p{Cs}$/u, '');
}

const taxIds = ['12345678Z', 'X1234567L', 'B65410011', 'K0867756N', 'A58818501'];

function randomRecipient(random: Random): Recipient | undefined {
  if (random.happens(0.5)) return undefined;
  const recipient = tidyRecipient({
    name: randomName(random, recipientLimits.name),
    tax_id: random.pick(taxIds),
    address: randomName(random, recipientLimits.address),
    postal_code: '28013',
    city: 'Madrid',
  });
  return isValid(recipientProblems(recipient)) ? recipient : undefined;
}

async function openClinic(random: Random, index: number): Promise<OfflineTablet> {
  const tablet = await openTablet(index + 1);
  const legalName = randomName(random, 200);
  const percent = random.between(0, 25) + random.pick([0, 0.5, 0.25]);
  const taxRates = defaultSettings.tax_rates.map(({ code, rates }) => ({
    code,
    rates: [...rates, { from: '2026-06-01', percent }],
  }));
  const settings = {
    ...defaultSettings,
    tax_profile: 'ES' as const,
    legal_name: legalName,
    tax_id: 'B65410011',
    verifactu_since: '2026-01-01',
    tax_rates: taxRates,
  };
  await tablet.db.settings.put({ id: 'this', settings });
  await tablet.db.device.update('this', { code: `KTMA${index % 10}`, tax_id: settings.tax_id });
  const prices = [1, 2, 3, 99, 12_345, 400_01, 99_999_99, maxMinor / 200];
  await tablet.db.catalogue.bulkPut(
    taxCodes.flatMap((tax, row) =>
      prices.map((price_minor, column) =>
        service(row * prices.length + column + 1, { tax, price_minor, name: randomName(random, 200) }),
      ),
    ),
  );
  return tablet;
}

/** Makes one treatment and up to five documents of it. Commands may refuse what makes no sense. */
async function makeTreatment(tablet: OfflineTablet, random: Random, items: number): Promise<void> {
  const services = (most: number) =>
    Array.from({ length: random.between(1, most) }, () => ({
      itemKey: `s${random.between(1, items)}`,
      quantity: random.pick([1, 2, 0.333]),
    }));
  const discount = random.happens(0.3)
    ? { kind: 'percent' as const, bps: random.between(1, 10_000), reason: 'For a friend', mayExceed: true }
    : undefined;
  const created = await createTreatment(tablet, { orderType: 'walk_in', services: services(6), discount });
  if (!created.ok) return;
  const { orderId } = created.value;
  const known = async () => (await orderById(tablet.db, orderId))!;
  const pay = async (share: number) => {
    const { balanceMinor } = await known();
    const tenderedMinor = Math.ceil(balanceMinor * share);
    return takePayment(tablet, { orderId, method: 'card', tenderedMinor, recipient: randomRecipient(random) });
  };
  const wait = () => (tablet.clock.now += random.pick([1000, 3_600_000, 20 * 3_600_000]));
  if (random.happens(0.2)) await invoiceTreatment(tablet, { orderId, recipient: randomRecipient(random) });
  if (random.happens(0.1)) await cancelTreatment(tablet, { orderId });
  if (random.happens(0.3)) await pay(random.next());
  wait();
  if (random.happens(0.2)) await addServices(tablet, { orderId, services: services(2) });
  await pay(1);
  if (random.happens(0.3)) {
    const simplified = (await known()).invoices.find(({ document_type: type }) => type === 'F2');
    const recipient = randomRecipient(random);
    if (simplified && recipient)
      await exchangeForFull(tablet, { orderId, number: simplified.invoice_number, recipient });
  }
  wait();
  if (random.happens(0.5)) {
    const { paidMinor, lines } = await known();
    const about = random.happens(0.3) ? { lineIds: [random.pick(lines).lineId] } : {};
    const amountMinor = random.happens(0.4) ? paidMinor : random.between(1, Math.max(1, paidMinor));
    await refundTreatment(tablet, { orderId, amountMinor, method: 'card', reason: randomName(random, 500), ...about });
  }
}

/** Returns the records of a tablet, and cancellations of some of its documents as the server makes them. */
async function randomChain(index: number): Promise<FiscalRecord[]> {
  const random = seededRandom(seed, `documents ${index}`);
  const tablet = await openClinic(random, index);
  try {
    const items = await tablet.db.catalogue.count();
    const made = async () => (await tablet.db.device.get('this'))!.chain?.count ?? 0;
    while ((await made()) < recordsPerChain) await makeTreatment(tablet, random, items);
    const operations = await tablet.db.operations.filter(({ kind }) => kind === 'fiscal.record').toArray();
    const sorted = operations.toSorted((a, b) => a.device_seq - b.device_seq);
    // What arrives at the server is what its schema lets through.
    const issued = sorted.map(({ payload }) =>
      payloadSchemas['fiscal.record'].parse(JSON.parse(JSON.stringify(payload))),
    ) as IssueRecord[];
    return [...issued, ...cancellations(issued, random)];
  } finally {
    tablet.close();
  }
}

function cancellations(issued: readonly IssueRecord[], random: Random): FiscalRecord[] {
  let previous: ChainHead = headOf(issued.at(-1)!);
  return issued.flatMap((record) => {
    if (!random.happens(0.05)) return [];
    const { chain, document_op_id: documentOpId } = record;
    const cancel = cancelRecord(record, {
      chain,
      previous,
      documentOpId,
      generatedAt: '2027-07-01T10:00:00+02:00',
      sha256,
    });
    previous = headOf(cancel);
    return [cancel];
  });
}

const cents = (decimal: string): number => Math.round(Number(decimal) * 100);
const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);

/** Returns the rules of the agency's list of errors that a record breaks and that its schemas do not know. */
function brokenRules({ type: kind, fields }: FiscalRecord): string[] {
  if (kind === 'cancel') return [];
  const { number, type, breakdown, recipient, corrects, replaces, total, tax_total: taxTotal } = fields;
  const taxed = breakdown.flatMap((part) => ('rate' in part ? [part] : []));
  const isFull = type !== 'F2' && type !== 'R5';
  // The tax of a document is a difference of two rounded amounts.
  const differs = taxed.some(({ rate, base, tax }) => Math.abs(cents(tax) - (cents(base) * Number(rate)) / 100) > 2);
  const rules: Record<string, boolean> = {
    '1142 tax and rate': differs,
    '1143 signs': taxed.some(({ base, tax }) => cents(base) * cents(tax) < 0),
    '1117 corrected': corrects !== undefined && !type.startsWith('R'),
    '1116 replaced': (replaces !== undefined) !== (type === 'F3'),
    '1189 and 1190 recipient': (recipient !== undefined) !== isFull,
    '1210 total': sumOf([...breakdown.map(({ base }) => cents(base)), cents(taxTotal)]) !== cents(total),
    '1216 tax total': sumOf(taxed.map(({ tax }) => cents(tax))) !== cents(taxTotal),
  };
  return Object.entries(rules).flatMap(([rule, isBroken]) => (isBroken ? [`${number}: ${rule}`] : []));
}

type Leaf = { holder: Record<string, unknown>; key: string; text: string };

/** Returns every value of a record. */
function leavesOf(holder: Record<string, unknown>): Leaf[] {
  return Object.entries(holder).flatMap(([key, value]) =>
    typeof value === 'object' && value !== null
      ? leavesOf(value as Record<string, unknown>)
      : [{ holder, key, text: String(value) }],
  );
}

/** Changes one character of the record at a place of all its values together. */
function changeCharacter(record: FiscalRecord, at: number): void {
  let rest = at;
  const { holder, key, text } = leavesOf(record as unknown as Record<string, unknown>).find(
    (leaf) => (rest -= leaf.text.length) < 0,
  )!;
  const place = rest + text.length;
  const other = text[place] === '1' ? '2' : '1';
  const changed = text.slice(0, place) + other + text.slice(place + 1);
  holder[key] = typeof holder[key] === 'number' ? Number(changed) : changed;
}

const lengthOf = (record: FiscalRecord): number =>
  leavesOf(record as unknown as Record<string, unknown>).reduce((sum, { text }) => sum + text.length, 0);

describe('records of random documents', () => {
  const made = Array.from({ length: chains }, (_, index) => ({ index, name: `${index + 1} of ${chains}` }));

  test.each(made)(
    'chain $name is valid by the schemas, and a changed character anywhere is found',
    { timeout: 300_000 },
    async ({ index }) => {
      const records = await randomChain(index);
      expect(records.length).toBeGreaterThanOrEqual(recordsPerChain);
      const types = new Set(records.map(({ type, fields }) => ('type' in fields ? fields.type : type)));
      expect([...types]).toEqual(expect.arrayContaining(['F1', 'F2', 'F3', 'R1', 'R5', 'cancel']));
      expect(verifyChain(records, sha256)).toEqual([]);

      expect(records.flatMap(brokenRules)).toEqual([]);

      const { issuer, issuer_name } = records[0]!.fields;
      const system = { producer: { name: issuer_name, taxId: 'A58818501' }, version: '1.0.0', isShared: false };
      const calls = Array.from({ length: Math.ceil(records.length / maxRecordsPerCall) }, (_, call) =>
        submissionXml({
          issuer: { name: issuer_name, taxId: issuer },
          system,
          isLate: call % 2 === 0,
          records: records.slice(call * maxRecordsPerCall, (call + 1) * maxRecordsPerCall),
        }),
      );
      expect(await schemaErrors('SuministroLR.xsd', calls)).toEqual([]);

      const random = seededRandom(seed, `changes ${index}`);
      const unnoticed = records.flatMap((record, place) => {
        const changed = structuredClone(record);
        const at = random.between(0, lengthOf(record) - 1);
        changeCharacter(changed, at);
        return faultOf(changed, records[place - 1] ?? null, sha256) === null
          ? [`${record.fields.number} at ${at}`]
          : [];
      });
      expect(unnoticed).toEqual([]);
    },
  );

  test('every character of a record counts, and verifying the chain names its place', async () => {
    const records = (await randomChain(0)).slice(0, 12);
    const longest = records.toSorted((a, b) => lengthOf(b) - lengthOf(a))[0]!;
    const place = records.indexOf(longest);
    for (let at = 0; at < lengthOf(longest); at++) {
      const changed = structuredClone(records);
      changeCharacter(changed[place]!, at);
      const faults = verifyChain(changed, sha256);
      expect(faults[0]?.fault, `character ${at}`).toMatch(/^(hash|seal)$/);
      expect(faults[0]).toMatchObject({ chain: changed[place]!.chain, sequence: changed[place]!.sequence });
    }
  });
});
