import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { FiscalRecord, IssueRecord } from '#domain/fiscal/record.ts';
import { verifyChain } from '#tests/support/verify-chain.ts';
import { problemCatalogue } from '#domain/problems.ts';
import type { Role } from '#domain/staff/roles.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { openAttention, raiseAttention } from '#server/modules/attention/service.ts';
import { saveCertificate } from '#server/modules/fiscal/certificate-store.ts';
import { sealCertificate } from '#server/modules/fiscal/certificate.ts';
import { clinicSettings } from '#server/modules/clinics/service.ts';
import { listRecords } from '#server/modules/fiscal/records-store.ts';
import { FiscalSender } from '#server/modules/fiscal/sender.ts';
import { insertRecords, noteSendings, recordsPage } from '#server/modules/fiscal/store.ts';
import { agencyOver } from '#server/modules/fiscal/transport.ts';
import { forgetSendings } from '#tests/support/forget-sendings.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { startTaxAuthority } from '#tests/support/tax-authority.ts';
import type { TaxAuthority } from '#tests/support/tax-authority.ts';
import type { Verdict } from '#tests/support/tax-agency.ts';
import { chainOf, sha256, someDocument, testIssuer } from '#tests/support/verifactu/records.ts';

const begin = Date.parse('2027-07-01T10:05:00+02:00');
const minute = 60_000;
const recipient = { name: 'Eva Ruiz', tax_id: '12345678Z' };
const number = 'F-KTMA1-000001';
/** Far from the ids that the server gives. */
const tablet = 700;

let nowMs = begin;
let server: TestServer;
let authority: TaxAuthority;
let clinicId: number;
let faults: unknown[];

beforeAll(async () => {
  server = await startTestServer({ now: () => nowMs });
});
afterAll(() => server.close());

const call = async (
  method: 'POST' | 'PUT',
  url: string,
  payload: object,
  role: Role = 'manager',
  clinic = clinicId,
) => {
  const headers = { authorization: `Bearer ${await server.login(role, { clinicId: clinic })}` };
  const reply = await server.app.inject({ method, url: `/api${url}`, headers, payload });
  return { status: reply.statusCode, ...reply.json<{ code?: string; details?: object; data?: { id: number } }>() };
};

beforeEach(async () => {
  nowMs += 60 * minute;
  faults = [];
  await forgetSendings(server.database.$client);
  clinicId = await server.addClinic();
  const profile = {
    tax_profile: 'ES',
    legal_name: testIssuer.name,
    tax_id: testIssuer.taxId,
    address: 'Calle Mayor 1',
    postal_code: '28013',
    city: 'Madrid',
    verifactu_since: '2027-07-01',
  };
  expect(await call('PUT', '/settings', profile, 'admin')).toMatchObject({ status: 200 });
  const sql = server.database.$client;
  const certificate = { pkcs12: Buffer.from('a file'), passphrase: 'open' };
  await saveCertificate(sql, clinicId, {
    sealed: sealCertificate(certificate, clinicId, server.secret),
    holder: testIssuer.name,
    taxId: null,
    expiresAtMs: begin + 365 * 24 * 60 * minute,
    atMs: begin,
  });
  authority = await startTaxAuthority({ clock: () => nowMs });
});
afterEach(() => authority.close());

/** Stores the record of a full invoice as a tablet's, and lets the agency judge it. */
async function judged(verdict: Verdict, over: Partial<Parameters<typeof someDocument>[0]> = {}): Promise<number> {
  const settings = await clinicSettings(server.database.$client, clinicId);
  const document = someDocument({ number, documentType: 'F1', recipient, ...over });
  const [record] = chainOf([document], { chain: 'KTMA1' });
  await inTransaction(server.database.$client, async (sql) => {
    await sql.query(
      `insert into devices (clinic_id, id, code, key_hash, created_at) overriding system value values ($1, $2, 'KTMA1', '', $3)`,
      [clinicId, tablet, new Date(nowMs)],
    );
    await sql.query(`insert into device_codes (clinic_id, device_id, code, tax_id) values ($1, $2, 'KTMA1', $3)`, [
      clinicId,
      tablet,
      testIssuer.taxId,
    ]);
    const context = { clinicId, receivedAtMs: nowMs, settings };
    const arrived = [{ deviceId: tablet, record: record! }];
    await insertRecords(sql, context, arrived);
    await noteSendings(sql, context, arrived);
  });
  authority.judge = () => verdict;
  await look();
  authority.judge = () => undefined;
  return (await stored()).at(-1)!.id;
}

async function look(): Promise<void> {
  nowMs += 2 * minute;
  await new FiscalSender(
    {
      database: server.database,
      clock: () => nowMs,
      secret: server.secret,
      agency: agencyOver(authority.url),
      producer: { name: 'Maker', taxId: 'B65410011' },
    },
    (fault) => faults.push(fault),
  ).look();
}

const stored = () => recordsPage(server.database.$client, clinicId, { after: null, limit: 100 });
const states = async () => {
  const { rows } = await server.database.$client.query<{ state: string }>(
    'select state from fiscal_sendings where clinic_id = $1 order by record_id',
    [clinicId],
  );
  return rows.map(({ state }) => state);
};
const correct = (id: number, body: object = {}, role: Role = 'manager', clinic = clinicId) =>
  call('POST', `/fiscal/records/${id}/correct`, body, role, clinic);
const lastCorrection = () => authority.records.at(-1)?.correction;

const rejection: Verdict = { state: 'Incorrecto', code: 1100, message: 'Valor o tipo incorrecto' };
const withErrors: Verdict = { state: 'AceptadoConErrores', code: 2001, message: 'El NIF no está identificado' };

describe('a record with errors', () => {
  test('that was rejected is sent anew under its number, in the chain of the server', async () => {
    const id = await judged(rejection);
    expect(await correct(id, { recipient: { name: ' Eva Ruiz Sol ', tax_id: '12345678-z' } })).toMatchObject({
      status: 200,
      data: { number },
    });
    await look();
    expect(await states()).toEqual(['rejected', 'accepted']);
    expect(lastCorrection()).toBe('X');
    const records = (await stored()).map(({ record }) => record);
    const corrected = records.find(({ chain }) => chain !== 'KTMA1') as IssueRecord;
    expect(corrected.chain).toMatch(/0$/);
    expect(corrected.fields).toMatchObject({
      number,
      total: '60.00',
      recipient: { name: 'Eva Ruiz Sol', tax_id: '12345678Z' },
      correction: 'absent',
    });
    expect(verifyChain([corrected as FiscalRecord], sha256)).toEqual([]);
    expect([...authority.faults, ...faults]).toEqual([]);
  });

  test('that was accepted is corrected where it stands, and again after a rejected correction', async () => {
    const id = await judged(withErrors);
    await correct(id);
    authority.judge = () => rejection;
    await look();
    authority.judge = () => undefined;
    expect(await states()).toEqual(['accepted_with_errors', 'rejected']);
    expect(await correct(id)).toMatchObject({ status: 200 });
    await look();
    expect(lastCorrection()).toBe('S');
    expect(await states()).toEqual(['accepted_with_errors', 'rejected', 'accepted']);
    expect(await correct(id)).toMatchObject({ status: 409, code: 'RECORD_NOT_CORRECTABLE' });
    expect([...authority.faults, ...faults]).toEqual([]);
  });

  test('is corrected once, however many ask at the same time', async () => {
    const id = await judged(withErrors);
    const replies = await Promise.all([correct(id), correct(id), correct(id)]);
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
    await look();
    expect(lastCorrection()).toBe('N');
    expect([...authority.faults, ...faults]).toEqual([]);
  });
});

describe('the page of fiscal records', () => {
  const correctable = async () =>
    (await listRecords(server.database.$client, clinicId, { limit: 10 })).map((row) => row.is_correctable);

  test('offers the correction of the last record of a document, until the agency accepts one', async () => {
    const id = await judged(rejection);
    expect(await listRecords(server.database.$client, clinicId, { limit: 10 })).toMatchObject([
      { id, is_correctable: true, has_recipient: true },
    ]);
    await correct(id);
    expect(await correctable()).toEqual([false, false]);
    authority.judge = () => withErrors;
    await look();
    authority.judge = () => undefined;
    expect(await correctable()).toEqual([true, false]);
    await correct(id);
    await look();
    expect(await correctable()).toEqual([false, false, false]);
  });

  test('does not offer that of a record whose number another document has', async () => {
    await judged({ state: 'Incorrecto', code: 3000, message: `Registro duplicado ${'0'.repeat(64)}` });
    expect(await correctable()).toEqual([false]);
  });
});

test('what a manager reads of the errors is settled with the correction, and that of other records stays', async () => {
  const id = await judged(rejection);
  const sql = server.database.$client;
  const open = async () =>
    (await openAttention(sql, clinicId, 10)).map(({ kind, details }) => [kind, details['number']]);
  const [raised] = await openAttention(sql, clinicId, 10);
  const other = { opId: raised!.op_id, opKind: null, orderId: null, details: { number: 'F-KTMA1-000002' } };
  await raiseAttention(sql, clinicId, nowMs, [{ ...other, kind: 'record_with_errors' }]);
  await correct(id);
  expect(await open()).toEqual([['record_with_errors', 'F-KTMA1-000002']]);
  authority.judge = () => withErrors;
  await look();
  expect(await open()).toEqual([
    ['record_with_errors', number],
    ['record_with_errors', 'F-KTMA1-000002'],
  ]);
});

describe('is not corrected', () => {
  const refusal = { status: 409, code: 'RECORD_NOT_CORRECTABLE' };

  test('a record whose number another document has', async () => {
    const id = await judged({ state: 'Incorrecto', code: 3000, message: `Registro duplicado ${'0'.repeat(64)}` });
    expect(await correct(id)).toMatchObject(refusal);
  });

  test('a record of another clinic, or by somebody who is no manager', async () => {
    const id = await judged(withErrors);
    expect(await correct(id, {}, 'counter')).toMatchObject({ status: 403 });
    expect(await correct(id, {}, 'manager', await server.addClinic())).toMatchObject({ status: 404 });
    expect(await correct(id + 1_000_000)).toMatchObject({ status: 404 });
  });

  test('by a recipient that the document has not, or with a false number', async () => {
    const id = await judged(withErrors);
    expect(await correct(id, { recipient: { name: 'Eva', tax_id: '12345678A' } })).toMatchObject({ status: 400 });
    expect(await states()).toEqual(['accepted_with_errors']);
  });

  test.each(['   ', '\u0007', ' \n\t '])('by a recipient whose name is %j', async (name) => {
    const id = await judged(withErrors);
    expect(await correct(id, { recipient: { name, tax_id: '12345678Z' } })).toMatchObject({
      status: 400,
      details: { 'recipient.name': problemCatalogue.REQUIRED },
    });
    expect(await states()).toEqual(['accepted_with_errors']);
  });

  test('a simplified invoice by a recipient', async () => {
    const id = await judged(withErrors, { documentType: 'F2', recipient: undefined });
    const body = { recipient: { name: 'Eva', tax_id: '12345678Z' } };
    expect(await correct(id, body)).toMatchObject({ status: 400 });
  });
});
