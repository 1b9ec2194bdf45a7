/** What `verify` proves: that records, documents, payments, Z reports and the answers of the tax agency fit each other. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { FiscalRecord } from '#domain/fiscal/record.ts';
import { hashOf, sealOf } from '#domain/fiscal/record.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { saveCertificate } from '#server/modules/fiscal/certificate-store.ts';
import { sealCertificate } from '#server/modules/fiscal/certificate.ts';
import { FiscalSender } from '#server/modules/fiscal/sender.ts';
import { verifyChains } from '#server/modules/fiscal/service.ts';
import { agencyOver } from '#server/modules/fiscal/transport.ts';
import { TestDevice } from '#tests/support/device.ts';
import { FiscalTill, issuerSettings } from '#tests/support/fiscal-till.ts';
import { forgetSendings } from '#tests/support/forget-sendings.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { startTaxAuthority } from '#tests/support/tax-authority.ts';
import type { TaxAuthority } from '#tests/support/tax-authority.ts';
import { sha256 } from '#tests/support/verifactu/records.ts';

const begin = Date.parse('2027-07-01T10:05:00+02:00');
const minute = 60_000;
const day = 24 * 60 * minute;

let nowMs = begin;
let server: TestServer;
let authority: TaxAuthority;
let clinicId: number;
let till: FiscalTill;
/** The numbers of the invoices of three days. */
let numbers: string[];

beforeAll(async () => {
  server = await startTestServer({ now: () => nowMs });
});
afterAll(() => server.close());

const query = async <T extends object>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await server.database.$client.query<T>(text, values)).rows;

const verified = () => verifyChains(server.database.$client, clinicId, { nowMs });

async function send(): Promise<void> {
  const faults: unknown[] = [];
  const { database, secret } = server;
  const ports = { database, secret, clock: () => nowMs, producer: { name: 'Maker', taxId: 'B65410011' } };
  const sender = new FiscalSender({ ...ports, agency: agencyOver(authority.url) }, (fault) => faults.push(fault));
  nowMs += 2 * minute;
  await sender.look();
  expect([...faults, ...authority.faults]).toEqual([]);
}

beforeEach(async () => {
  nowMs = begin;
  await forgetSendings(server.database.$client);
  clinicId = await server.addClinic();
  const headers = { authorization: `Bearer ${await server.login('admin', { clinicId })}` };
  const payload = { ...issuerSettings, verifactu_since: '2027-07-01' };
  expect((await server.app.inject({ method: 'PUT', url: '/api/settings', headers, payload })).statusCode).toBe(200);
  await saveCertificate(server.database.$client, clinicId, {
    sealed: sealCertificate({ pkcs12: Buffer.from('a file'), passphrase: 'open' }, clinicId, server.secret),
    holder: issuerSettings.legal_name,
    taxId: null,
    expiresAtMs: begin + 365 * day,
    atMs: begin,
  });
  authority = await startTaxAuthority({ clock: () => nowMs });
  numbers = [];
  for (const each of [0, 1, 2]) {
    nowMs = begin + each * day;
    // A session ends before the next day.
    till = new FiscalTill(await TestDevice.enrol(server, 'counter', clinicId), () => nowMs);
    for (const { created, paid, recorded, record } of [till.sale(), till.sale()]) {
      const results = await till.device.send(created, paid, recorded);
      expect(results.map(({ status }) => status)).toEqual(['applied', 'applied', 'applied']);
      numbers.push(record.fields.number);
    }
    await send();
  }
  nowMs = begin + 2 * day + 20 * 60 * minute;
});
afterEach(() => authority.close());

/** Changes rows as whoever owns the database can, without the triggers. */
const tamper = (table: string, statement: string, values: unknown[] = []): Promise<void> =>
  inTransaction(server.database.$client, async (sql) => {
    await sql.query(`alter table ${table} disable trigger user`);
    await sql.query(statement, [clinicId, ...values]);
    await sql.query(`alter table ${table} enable trigger user`);
  });

const ofRecord = (number: string) =>
  `record_id = (select id from fiscal_records where clinic_id = $1 and number = '${number}')`;

/** Writes a chain anew from a record on, with digests that fit, as somebody would who knows how they are made. */
async function rewrite(chain: string, change: (record: FiscalRecord, index: number) => FiscalRecord): Promise<void> {
  const rows = await query<{ id: string; record: FiscalRecord }>(
    'select id, record from fiscal_records where clinic_id = $1 and chain = $2 order by sequence',
    [clinicId, chain],
  );
  let before: FiscalRecord | null = null;
  for (const [index, { id, record }] of rows.entries()) {
    const { seal: _seal, ...rest } = change(record, index);
    const previous = before && {
      number: before.fields.number,
      issued_on: before.fields.issued_on,
      hash: before.hash,
      seal: before.seal,
    };
    const linked = { ...rest, previous } as Omit<FiscalRecord, 'seal'> as FiscalRecord;
    const hashed = { ...linked, hash: hashOf(linked, sha256) };
    const sealed = { ...hashed, seal: sealOf(hashed, sha256) };
    await tamper(
      'fiscal_records',
      'update fiscal_records set record = $3, hash = $4, seal = $5 where clinic_id = $1 and id = $2',
      [id, JSON.stringify(sealed), sealed.hash, sealed.seal],
    );
    before = sealed;
  }
}

test('finds nothing in what was sold, sent and accepted', async () => {
  expect(await verified()).toMatchObject({ intact: true, contradictions: [], days: [], unrecorded: [] });
  const csv = await query(
    'select count(*)::int as count from fiscal_answers where clinic_id = $1 and csv is not null',
    [clinicId],
  );
  expect(csv).toEqual([{ count: 6 }]);
});

describe('finds what whoever owns the database has changed', () => {
  test('a chain that was written anew, by its documents and the Z report of the day', async () => {
    await rewrite(numbers[2]!.split('-')[1]!, (record, index) =>
      index === 0
        ? ({
            ...record,
            fields: { ...record.fields, total: '6.00', breakdown: [{ exempt: 'E1', base: '6.00' }] },
          } as FiscalRecord)
        : record,
    );
    const found = await verified();
    expect(found.chains.flatMap(({ faults }) => faults)).toEqual([]);
    expect(found.contradictions).toEqual([{ number: numbers[2], fault: 'document' }]);
    expect(found.days).toEqual([{ day: '2027-07-02', recorded: 66, reported: 120 }]);
    expect(found.intact).toBe(false);
  });

  test('a document, whose amounts no longer fit', async () => {
    await tamper(
      'invoices',
      `update invoices set document = jsonb_set(document, '{total_amount}', '6') where clinic_id = $1 and number = $2`,
      [numbers[3]],
    );
    expect((await verified()).contradictions).toContainEqual({ number: numbers[3], fault: 'totals' });
    await tamper(
      'invoices',
      `update invoices set document = jsonb_set(document, '{tax_totals}', '[{"exempt":"E1","base":6,"tax":0,"gross":6}]') where clinic_id = $1 and number = $2`,
      [numbers[3]],
    );
    expect(await verified()).toMatchObject({
      intact: false,
      contradictions: [{ number: numbers[3], fault: 'document' }],
      days: [{ day: '2027-07-02', recorded: 120, reported: 66 }],
    });
  });

  test('a document that is gone, and a record that is of none', async () => {
    await tamper('invoices', 'delete from invoices where clinic_id = $1 and number = $2', [numbers[0]]);
    expect((await verified()).contradictions).toEqual([{ number: numbers[0], fault: 'no_document' }]);
  });

  test('a payment, of which the treatment and the invoice tell', async () => {
    await tamper('payments', 'update payments set amount_minor = 100 where clinic_id = $1 and effective_at < $2', [
      new Date(begin + day / 2),
    ]);
    const [first, second] = await query<{ number: string }>(
      'select number from orders where clinic_id = $1 order by created_at, number limit 2',
      [clinicId],
    );
    expect((await verified()).contradictions).toEqual(
      expect.arrayContaining([first, second].map((treatment) => ({ number: treatment!.number, fault: 'paid' }))),
    );
    await tamper('payments', 'delete from payments where clinic_id = $1 and effective_at < $2', [
      new Date(begin + day / 2),
    ]);
    expect((await verified()).contradictions).toContainEqual({ number: numbers[0], fault: 'payment' });
  });

  test('an answer of the agency that is gone or another, and a state that none explains', async () => {
    await tamper('fiscal_answers', `delete from fiscal_answers where clinic_id = $1 and ${ofRecord(numbers[0]!)}`);
    await tamper(
      'fiscal_answers',
      `update fiscal_answers set csv = null where clinic_id = $1 and ${ofRecord(numbers[1]!)}`,
    );
    await tamper(
      'fiscal_sendings',
      `update fiscal_sendings set state = 'unsent' where clinic_id = $1 and ${ofRecord(numbers[2]!)}`,
    );
    await tamper(
      'fiscal_sendings',
      `update fiscal_sendings set state = 'rejected', code = 1100 where clinic_id = $1 and ${ofRecord(numbers[3]!)}`,
    );
    expect((await verified()).contradictions).toEqual(
      numbers.slice(0, 4).map((number) => ({ number, fault: 'reply' })),
    );
  });

  test('a state that is no longer stored', async () => {
    await tamper('fiscal_sendings', `delete from fiscal_sendings where clinic_id = $1 and ${ofRecord(numbers[5]!)}`);
    expect((await verified()).contradictions).toContainEqual({ number: numbers[5], fault: 'noted' });
  });
});

describe('the database refuses', () => {
  const refused = (statement: string, values: unknown[] = []) =>
    expect(query(statement, values), statement).rejects.toThrow(/only grows|follows the answers/);

  test.each([
    `update fiscal_sendings set state = 'unsent'`,
    `update fiscal_sendings set state = 'rejected', code = 1100`,
    'update fiscal_sendings set code = 2000',
    `update fiscal_sendings set message = 'all is well'`,
    'update fiscal_sendings set attempts = 0',
    `update fiscal_sendings set tax_id = 'A58818501'`,
    'delete from fiscal_sendings',
    'truncate fiscal_sendings cascade',
    'update fiscal_answers set csv = null',
    'delete from fiscal_answers',
    'truncate fiscal_answers',
  ])('to change what became of a record: %s', (statement) => refused(statement));

  test('to accept a record that the agency has not answered for, and to send no record that nothing holds back', async () => {
    nowMs = begin + 2 * day + 60 * minute;
    const { created, paid, recorded } = till.sale();
    await till.device.send(created, paid, recorded);
    for (const state of ['accepted', 'accepted_with_errors', 'rejected', 'not_sent'])
      await refused(`update fiscal_sendings set state = '${state}' where state = 'unsent' and clinic_id = ${clinicId}`);
  });
});
