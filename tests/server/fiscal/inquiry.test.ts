/** After a restore the tax agency is asked what it has. Each test has a server of its own, whose data are replaced. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { restoreBackup } from '#server/db/backup/restore.ts';
import { takeBackup } from '#server/db/backup/take.ts';
import { saveCertificate } from '#server/modules/fiscal/certificate-store.ts';
import { sealCertificate } from '#server/modules/fiscal/certificate.ts';
import { FiscalSender } from '#server/modules/fiscal/sender.ts';
import { insertRecords, noteSendings } from '#server/modules/fiscal/store.ts';
import { verifyChains } from '#server/modules/fiscal/service.ts';
import { agencyOver } from '#server/modules/fiscal/transport.ts';
import { clinicSettings } from '#server/modules/clinics/service.ts';
import { TestDevice } from '#tests/support/device.ts';
import { FiscalTill, forged, issuerSettings } from '#tests/support/fiscal-till.ts';
import type { FiscalSale } from '#tests/support/fiscal-till.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { startTaxAuthority } from '#tests/support/tax-authority.ts';
import type { TaxAuthority } from '#tests/support/tax-authority.ts';

const begin = Date.parse('2027-07-01T10:05:00+02:00');
const minute = 60_000;
const hour = 60 * minute;

let nowMs: number;
let server: TestServer;
let authority: TaxAuthority;
let clinicId: number;
let till: FiscalTill;
let folder: string;
let faults: unknown[];

const query = async <T extends object>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await server.database.$client.query<T>(text, values)).rows;

const call = async (method: 'POST' | 'PUT', url: string, payload: object) => {
  const headers = { authorization: `Bearer ${await server.login('admin', { clinicId })}` };
  const reply = await server.app.inject({ method, url: `/api${url}`, headers, payload });
  expect(reply.statusCode, reply.body).toBeLessThan(300);
  return reply.json<{ data: { id: string } }>().data;
};

beforeEach(async () => {
  nowMs = begin;
  faults = [];
  server = await startTestServer({ now: () => nowMs });
  clinicId = server.clinicId;
  await call('PUT', '/settings', { ...issuerSettings, verifactu_since: '2027-07-01' });
  await saveCertificate(server.database.$client, clinicId, {
    sealed: sealCertificate({ pkcs12: Buffer.from('a file'), passphrase: 'open' }, clinicId, server.secret),
    holder: issuerSettings.legal_name,
    taxId: null,
    expiresAtMs: begin + 365 * 24 * hour,
    atMs: begin,
  });
  authority = await startTaxAuthority({ clock: () => nowMs });
  till = new FiscalTill(await TestDevice.enrol(server, 'counter', clinicId), () => nowMs);
  folder = await mkdtemp(path.join(tmpdir(), 'dental-counter-inquiry-'));
});
afterEach(async () => {
  await authority.close();
  await server.close();
  await rm(folder, { recursive: true });
});

const file = () => path.join(folder, 'backup');
const backUp = () => takeBackup(server.connectionString, { file: file(), passphrase: null, nowMs });
const restore = () => restoreBackup(server.connectionString, { file: file(), passphrase: null });

async function sell(at = till): Promise<FiscalSale> {
  const sale = at.sale();
  const results = await at.device.send(sale.created, sale.paid, sale.recorded);
  expect(results.map(({ status }) => status)).toEqual(['applied', 'applied', 'applied']);
  return sale;
}

/** Sells over REST: the server numbers the invoice. */
async function sellByRequest(): Promise<string> {
  const product = await call('POST', '/products', { name: `Cleaning ${nowMs}`, price: 10 });
  const order = await call('POST', '/orders', { items: [{ product_id: product.id, quantity: 1 }] });
  await call('POST', `/orders/${order.id}/payments`, { payment_method: 'card', amount: 10 });
  const [invoice] = await query<{ number: string }>('select number from invoices where order_id = $1', [order.id]);
  return invoice!.number;
}

/** Lets time pass in steps, with a new sender each time, as after a crash. */
async function pass(ms: number, stepMs = minute): Promise<void> {
  for (const end = nowMs + ms; nowMs < end; nowMs += stepMs) {
    const { database, secret } = server;
    const ports = { database, secret, clock: () => nowMs, producer: { name: 'Maker', taxId: 'B65410011' } };
    await new FiscalSender({ ...ports, agency: agencyOver(authority.url) }, (fault) => faults.push(fault)).look();
  }
}

const states = async () =>
  (
    await query<{ state: string }>(
      `select concat_ws(' ', state, code) as state from fiscal_sendings where clinic_id = $1 order by record_id`,
      [clinicId],
    )
  ).map(({ state }) => state);
const open = async (kind: string) =>
  (
    await query<{ details: object }>(
      'select details from attention_items where kind = $1 and clinic_id = $2 and settled_at is null',
      [kind, clinicId],
    )
  ).map(({ details }) => details);
const outcomes = () => authority.calls.map(({ outcome }) => outcome);
const number = ({ record }: FiscalSale) => record.fields.number;

/** Stores a record that a tablet sends again. @param withheld null where its document is there */
async function arrive(record: FiscalSale['record'], withheld: 'document' | null = null): Promise<void> {
  const sql = server.database.$client;
  const context = { clinicId, receivedAtMs: nowMs, settings: await clinicSettings(sql, clinicId) };
  const arrived = [{ deviceId: till.device.info.device_id, record, withheld }];
  await insertRecords(sql, context, arrived);
  await noteSendings(sql, context, arrived);
}

/** Annuls the last record, as a manager does when its document does not come. */
async function annul(): Promise<void> {
  const [last] = await query<{ id: string }>('select max(id) as id from fiscal_records where clinic_id = $1', [
    clinicId,
  ]);
  await call('POST', `/fiscal/records/${last!.id}/annul`, {});
}

/** Lets the agency answer no questions. @returns a function that ends this */
function refuseQuestions(): () => void {
  const receive = authority.receive.bind(authority);
  authority.receive = async (message, each) =>
    message.includes('ConsultaFactu') ? { status: 500, message: '<Fault/>' } : receive(message, each);
  return () => (authority.receive = receive);
}

const atAgency = () => authority.records.map(({ type, number: each }) => `${type} ${each}`);

describe('a restore', () => {
  test('asks the agency before anything is sent; what it has is accepted, and lost invoices of the server are named', async () => {
    const [first, second] = [await sell(), await sell()];
    await backUp();
    await pass(2 * minute);
    const lost = [await sellByRequest(), await sellByRequest()];
    const third = await sell();
    await pass(2 * minute);
    expect(authority.records).toHaveLength(5);
    await restore();
    expect(await states()).toEqual(['unsent', 'unsent']);
    authority.calls.length = 0;
    await pass(3 * minute);
    expect(outcomes()).toEqual(['query']);
    expect(await states()).toEqual(['accepted', 'accepted']);
    expect(await open('documents_lost')).toEqual([{ count: 2, numbers: lost.sort().join(', ') }]);
    const origins = await query('select distinct origin, csv from fiscal_answers');
    expect(origins).toEqual([{ origin: 'query', csv: null }]);
    // The tablet sends the third sale again, whose record is there.
    await arrive(third.record);
    await pass(3 * minute);
    expect(await states()).toEqual(['accepted', 'accepted', 'accepted']);
    expect(await open('record_rejected')).toEqual([]);
    expect([number(first), number(second)].every((one) => authority.records.some((each) => each.number === one))).toBe(
      true,
    );
    expect(authority.records).toHaveLength(5);
    expect([...authority.faults, ...faults]).toEqual([]);
  });

  test('of several months reads page after page, and goes on where it was', async () => {
    const numbers: string[] = [];
    await backUp();
    for (let month = 0; month < 2; month++) {
      for (let sale = 0; sale < 3; sale++) numbers.push(await sellByRequest());
      await pass(2 * minute);
      nowMs += 31 * 24 * hour;
    }
    authority.mostPerQuery = 2;
    authority.calls.length = 0;
    await restore();
    const months = await query<{ month: string }>('select month from fiscal_inquiries');
    // The clock of the process is before that of the test.
    expect(months).toEqual([{ month: '2027-07' }]);
    await query(`insert into fiscal_inquiries (tax_id, month, next_at) values ($1, '2027-08', $2)`, [
      issuerSettings.tax_id,
      new Date(nowMs),
    ]);
    await pass(6 * minute);
    expect(outcomes()).toEqual(['query', 'query', 'query', 'query']);
    expect(await open('documents_lost')).toEqual([{ count: 6, numbers: numbers.sort().join(', ') }]);
    expect(await query('select from fiscal_inquiries')).toEqual([]);
  });

  test('during an outage of the agency harms nothing: it is asked when it is back, and nothing is rejected', async () => {
    await sell();
    await backUp();
    await pass(2 * minute);
    await restore();
    authority.mood = 'down';
    await pass(6 * hour);
    expect(await states()).toEqual(['unsent']);
    authority.mood = 'well';
    await pass(3 * hour);
    expect((await states())[0]).toMatch(/^accepted/);
    expect(await query('select from fiscal_inquiries')).toEqual([]);
    expect(await open('record_rejected')).toEqual([]);
    expect(authority.records).toHaveLength(1);
  });

  test('does not hold up records for long where the agency answers no questions', async () => {
    await backUp();
    await restore();
    till = new FiscalTill(await TestDevice.enrol(server, 'counter', clinicId), () => nowMs);
    await sell();
    const answer = refuseQuestions();
    await pass(40 * minute);
    expect(await states()).toEqual(['accepted']);
    expect(authority.calls.length).toBeLessThan(10);
    answer();
    await pass(2 * hour);
    expect(await query('select from fiscal_inquiries')).toEqual([]);
  });
});

test('records that a restored server gets in another order go out in the order of their chain', async () => {
  await backUp();
  const sales = [await sell(), await sell(), await sell()];
  await restore();
  const [first, second, third] = sales.map(({ record }) => record);
  await arrive(third!);
  await arrive(first!);
  await arrive(second!);
  await pass(4 * minute);
  expect(atAgency()).toEqual(sales.map((sale) => `issue ${number(sale)}`));
  expect(await states()).toEqual(['accepted', 'accepted', 'accepted']);
  expect([...authority.faults, ...faults]).toEqual([]);
});

describe('a number that the agency has', () => {
  test('of another record stays rejected, and a manager is told', async () => {
    const sale = await sell();
    await pass(2 * minute);
    await arrive(forged(sale.record, { fields: { ...sale.record.fields, description: 'Otra', total: '61.00' } }));
    await pass(5 * minute);
    expect(await states()).toEqual(['accepted', 'rejected 3000']);
    expect(await open('record_rejected')).toHaveLength(1);
    expect(outcomes()).toEqual(['answered', 'answered', 'query']);
  });

  test('holds up its own chain until it is answered, and no other clinic or chain', async () => {
    const sale = await sell();
    await pass(2 * minute);
    const copied = forged(sale.record, { fields: { ...sale.record.fields, total: '61.00' } });
    await arrive(copied);
    const answer = refuseQuestions();
    await pass(2 * minute);
    const next = await sell();
    const other = new FiscalTill(await TestDevice.enrol(server, 'counter', clinicId), () => nowMs);
    const unharmed = await sell(other);
    await pass(4 * minute);
    expect(await states()).toEqual(['accepted', 'rejected 3000', 'unsent', 'accepted']);
    expect(atAgency()).toEqual([sale, unharmed].map((each) => `issue ${number(each)}`));
    answer();
    await pass(8 * minute);
    expect(await states()).toEqual(['accepted', 'rejected 3000', 'accepted', 'accepted']);
    expect(atAgency().at(-1)).toBe(`issue ${number(next)}`);
    expect(await query('select from fiscal_inquiries')).toEqual([]);
  });

  test('holds up its chain for half an hour where the agency answers no questions', async () => {
    const sale = await sell();
    await pass(2 * minute);
    await arrive(forged(sale.record, { fields: { ...sale.record.fields, total: '61.00' } }));
    refuseQuestions();
    await pass(2 * minute);
    const next = await sell();
    await pass(10 * minute);
    expect(await states()).toEqual(['accepted', 'rejected 3000', 'unsent']);
    await pass(25 * minute);
    expect(atAgency().at(-1)).toBe(`issue ${number(next)}`);
  });

  test('is looked for from the first page again when another one comes', async () => {
    const [first, second] = [await sell(), await sell()];
    await pass(2 * minute);
    authority.mostPerQuery = 1;
    await query('insert into fiscal_inquiries values ($1, $2, $3, $4, $5, 0, $5)', [
      issuerSettings.tax_id,
      '2027-07',
      number(second),
      second.record.fields.issued_on,
      new Date(nowMs + 10 * minute),
    ]);
    await arrive(forged(first.record, { fields: { ...first.record.fields, total: '61.00' } }));
    await pass(minute);
    expect(await states()).toEqual(['accepted', 'accepted', 'rejected 3000']);
    expect(await query('select after_number from fiscal_inquiries')).toEqual([{ after_number: null }]);
  });
});

describe('a document that is cancelled after a restore', () => {
  beforeEach(backUp);
  const restoreAndAsk = async () => {
    await restore();
    await pass(3 * minute);
  };

  test('and that the agency has is cancelled there, although its record is held back here', async () => {
    const sale = await sell();
    await pass(2 * minute);
    await restoreAndAsk();
    await arrive(sale.record, 'document');
    await annul();
    await pass(4 * minute);
    expect(atAgency()).toEqual([`issue ${number(sale)}`, `cancel ${number(sale)}`]);
    expect(authority.records[1]).not.toHaveProperty('isUnregistered');
    expect(await states()).toEqual(['accepted', 'not_sent', 'accepted']);
    // The cancellation that is not sent is the first of the server's chain.
    expect(authority.faults).toEqual([expect.stringMatching(/does not follow the chain .*0$/)]);
    expect([...faults, ...(await open('record_rejected'))]).toEqual([]);
    const { contradictions } = await verifyChains(server.database.$client, clinicId, { nowMs: nowMs + 2 * hour });
    expect(contradictions).toEqual([]);
  });

  test('and that it has cancelled before is not cancelled again', async () => {
    const invented = till.invented();
    await arrive(invented.record, 'document');
    await annul();
    await pass(2 * minute);
    expect(atAgency()).toEqual([`cancel ${number(invented)}`]);
    await restoreAndAsk();
    await arrive(invented.record, 'document');
    await annul();
    authority.calls.length = 0;
    await pass(4 * minute);
    expect(outcomes()).toEqual(['query']);
    expect(await states()).toEqual(['not_sent', 'accepted']);
    expect([...authority.faults, ...faults, ...(await open('record_rejected'))]).toEqual([]);
  });

  test('and that it has taken and cancelled before is accepted with its cancellation', async () => {
    const invented = till.invented();
    await arrive(invented.record);
    await pass(2 * minute);
    await annul();
    await pass(2 * minute);
    expect(atAgency()).toEqual([`issue ${number(invented)}`, `cancel ${number(invented)}`]);
    await restoreAndAsk();
    await arrive(invented.record);
    await pass(minute);
    expect(await states()).toEqual(['rejected 3000']);
    await annul();
    await pass(4 * minute);
    expect(await states()).toEqual(['accepted', 'accepted']);
    expect([...authority.faults, ...faults, ...(await open('record_rejected'))]).toEqual([]);
  });

  test('and whose number it has of another document is not cancelled there', async () => {
    const sale = await sell();
    await pass(2 * minute);
    await restoreAndAsk();
    await arrive(forged(sale.record, { fields: { ...sale.record.fields, total: '61.00' } }), 'document');
    await annul();
    await pass(4 * minute);
    expect(atAgency()).toEqual([`issue ${number(sale)}`]);
    expect(await states()).toEqual(['not_sent', 'not_sent']);
    expect([...authority.faults, ...faults]).toEqual([]);
  });

  test('and that it never had is cancelled as such, and what stands behind it goes out', async () => {
    await restoreAndAsk();
    const invented = till.invented();
    await arrive(invented.record, 'document');
    await annul();
    const own = await sellByRequest();
    await pass(4 * minute);
    expect(atAgency()).toEqual([`cancel ${number(invented)}`, `issue ${own}`]);
    expect(authority.records[0]).toMatchObject({ isUnregistered: true });
    expect(await states()).toEqual(['not_sent', 'accepted', 'accepted']);
    expect([...authority.faults, ...faults]).toEqual([]);
  });

  test('is cancelled within the hour where the agency answers no questions', async () => {
    await restore();
    const invented = till.invented();
    await arrive(invented.record, 'document');
    await annul();
    refuseQuestions();
    await pass(50 * minute);
    expect(atAgency()).toEqual([`cancel ${number(invented)}`]);
  });
});

test('what was found so passes for verified', async () => {
  await sell();
  await backUp();
  await pass(2 * minute);
  await restore();
  await pass(2 * minute);
  const { contradictions } = await verifyChains(server.database.$client, clinicId, { nowMs: nowMs + 2 * hour });
  expect(contradictions).toEqual([]);
});
