/** Records that no document confirms never reach the tax agency (decision 044). Each test has a clinic of its own. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RecordResource } from '#domain/fiscal/resources.ts';
import { maxMinor } from '#domain/limits.ts';
import type { InvoicePayload } from '#domain/order/order.ts';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import type { Role } from '#domain/staff/roles.ts';
import { tellMissing } from '#server/modules/fiscal/checks.ts';
import { saveCertificate } from '#server/modules/fiscal/certificate-store.ts';
import { sealCertificate } from '#server/modules/fiscal/certificate.ts';
import { FiscalSender } from '#server/modules/fiscal/sender.ts';
import { agencyOver } from '#server/modules/fiscal/transport.ts';
import { TestDevice } from '#tests/support/device.ts';
import { FiscalTill, forged, issuerSettings } from '#tests/support/fiscal-till.ts';
import { forgetSendings } from '#tests/support/forget-sendings.ts';
import { newId } from '#tests/support/unique.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { startTaxAuthority } from '#tests/support/tax-authority.ts';
import type { TaxAuthority } from '#tests/support/tax-authority.ts';

const begin = Date.parse('2027-07-01T10:05:00+02:00');
const minute = 60_000;
const day = 24 * 60 * minute;

let nowMs = begin;
let server: TestServer;
let authority: TaxAuthority;
let clinicId: number;
let till: FiscalTill;
let manager: TestDevice;

beforeAll(async () => {
  server = await startTestServer({ now: () => nowMs });
});
afterAll(() => server.close());

const query = async <T extends object>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await server.database.$client.query<T>(text, values)).rows;

const call = async (
  method: 'GET' | 'POST' | 'PUT',
  url: string,
  payload?: object,
  role: Role = 'manager',
  of = clinicId,
) => {
  const headers = { authorization: `Bearer ${await server.login(role, { clinicId: of })}` };
  const reply = await server.app.inject({ method, url: `/api${url}`, headers, ...(payload && { payload }) });
  return { status: reply.statusCode, ...reply.json<{ code?: string; data?: unknown }>() };
};

const enrol = async (role: Role = 'counter', of = clinicId): Promise<FiscalTill> =>
  new FiscalTill(await TestDevice.enrol(server, role, of), () => nowMs);

beforeEach(async () => {
  nowMs = begin;
  await forgetSendings(server.database.$client);
  clinicId = await server.addClinic();
  const settings = { ...issuerSettings, verifactu_since: '2027-07-01' };
  expect(await call('PUT', '/settings', settings, 'admin')).toMatchObject({ status: 200 });
  await saveCertificate(server.database.$client, clinicId, {
    sealed: sealCertificate({ pkcs12: Buffer.from('a file'), passphrase: 'open' }, clinicId, server.secret),
    holder: issuerSettings.legal_name,
    taxId: null,
    expiresAtMs: begin + 365 * day,
    atMs: begin,
  });
  authority = await startTaxAuthority({ clock: () => nowMs });
  till = await enrol();
  manager = await TestDevice.enrol(server, 'manager', clinicId);
});
afterEach(() => authority.close());

/** Sends operations, all of which are applied. */
async function send(operations: readonly AnyOperation[], by = till): Promise<void> {
  const results = await by.device.send(...operations);
  expect(results.map(({ status, reply }) => (status === 'applied' ? status : reply))).toEqual(
    operations.map(() => 'applied'),
  );
}

/** Lets the sender look, and returns what the agency has. */
async function atAgency(): Promise<string[]> {
  nowMs += 2 * minute;
  const faults: unknown[] = [];
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
  expect(faults).toEqual([]);
  return authority.records.map(({ type, number }) => `${type} ${number}`);
}

const open = async (): Promise<string[]> => {
  const items = await query<{ kind: string }>(
    // The clinic sells nothing of its catalogue.
    `select kind from attention_items where clinic_id = $1 and settled_at is null and kind <> 'price_differs' order by id`,
    [clinicId],
  );
  return items.map(({ kind }) => kind);
};

const listed = async (filter = 'held'): Promise<RecordResource[]> =>
  (await call('GET', `/fiscal/records?state=${filter}`)).data as RecordResource[];

const decide = async (decision: 'release' | 'annul', role: Role = 'manager', of = clinicId) => {
  const [record] = await listed();
  return call('POST', `/fiscal/records/${record!.id}/${decision}`, undefined, role, of);
};

const number = ({ record }: { record: { fields: { number: string } } }) => record.fields.number;

describe('honest work', () => {
  test.each([
    ['in one batch', [[0, 1, 2]]],
    ['the document first', [[0, 1], [2]]],
    ['the record days before its document', [[2], [0, 1]]],
  ])('is sent, and raises nothing: %s', async (_, batches) => {
    const sale = till.sale();
    const operations = [sale.created, sale.paid, sale.recorded];
    for (const batch of batches) {
      // Days later every session has ended.
      const carrier = await TestDevice.enrol(server, 'manager', clinicId);
      const results = await carrier.send(...till.device.signed(batch.map((index) => operations[index]!)));
      expect(results.map(({ status }) => status)).toEqual(batch.map(() => 'applied'));
      expect(await atAgency()).toEqual(batch === batches.at(-1) ? [`issue ${number(sale)}`] : []);
      nowMs += 2.5 * day;
      await tellMissing(server.database.$client, nowMs);
    }
    expect(await open()).toEqual([]);
    expect(authority.faults).toEqual([]);
  });

  test('waits behind a record whose document is on its way, in its own chain only', async () => {
    const [first, second] = [till.sale(), till.sale()];
    const other = await enrol();
    const elsewhere = other.sale();
    await send([first.recorded, second.created, second.paid, second.recorded]);
    await send([elsewhere.created, elsewhere.paid, elsewhere.recorded], other);
    expect(await atAgency()).toEqual([`issue ${number(elsewhere)}`]);
    expect(await listed()).toMatchObject([{ number: number(first), held_for: 'document', is_annullable: true }]);
    await send([first.created, first.paid]);
    expect(await atAgency()).toEqual([elsewhere, first, second].map((sale) => `issue ${number(sale)}`));
    expect(await open()).toEqual([]);
    expect(authority.faults).toEqual([]);
  });

  test('whose payment was refused is sent once a replacement is applied', async () => {
    const { created, paid, recorded, record } = till.sale();
    const refused = { ...paid, payload: { ...(paid.payload as object), amount: -1 } } as AnyOperation;
    await till.device.send(created, refused, recorded);
    expect(await atAgency()).toEqual([]);
    await send([{ ...paid, op_id: newId(), device_seq: paid.device_seq + 10, supersedes: paid.op_id }]);
    expect(await atAgency()).toEqual([`issue ${record.fields.number}`]);
  });

  test('that is given up by a manager is sent and cancelled', async () => {
    const { created, paid, recorded, record } = till.sale();
    const revoke = (at: Date | null) =>
      query('update devices set revoked_at = $3 where clinic_id = $1 and id = $2', [
        clinicId,
        till.device.info.device_id,
        at,
      ]);
    await revoke(new Date(nowMs));
    const results = await manager.send(...till.device.signed([{ ...paid, depends_on: [] }]));
    expect(results).toMatchObject([{ status: 'refused', reply: { code: 'DEVICE_REVOKED' } }]);
    await revoke(null);
    await send([created, recorded]);
    expect(await atAgency()).toEqual([]);
    const voiding = { op_id: paid.op_id, reason: 'Not sold' };
    const [result] = await manager.send(
      manager.operation('operation.void', voiding, { aggregate: paid.aggregate, supersedes: paid.op_id }),
    );
    expect(result!.status).toBe('applied');
    expect(await atAgency()).toEqual([`issue ${record.fields.number}`, `cancel ${record.fields.number}`]);
    expect(authority.faults).toEqual([]);
  });
});

describe('a record that no document confirms', () => {
  const largest = {
    total: (maxMinor / 100).toFixed(2),
    breakdown: [{ exempt: 'E1', base: (maxMinor / 100).toFixed(2) }],
  };

  test('is not sent, and is told after three days', async () => {
    const invented = till.invented(largest);
    await send([invented.recorded]);
    expect(await atAgency()).toEqual([]);
    await tellMissing(server.database.$client, nowMs + 2 * day);
    expect(await open()).toEqual([]);
    await tellMissing(server.database.$client, nowMs + 4 * day);
    expect(await open()).toEqual(['record_without_document']);
    expect(await atAgency()).toEqual([]);
  });

  test('of a refused document is told after three days', async () => {
    const { created, paid, recorded } = till.sale();
    await till.device.send(
      created,
      { ...paid, payload: { ...(paid.payload as object), amount: -1 } } as AnyOperation,
      recorded,
    );
    await tellMissing(server.database.$client, nowMs + 4 * day);
    expect(await open()).toEqual(['refused', 'record_without_document']);
    expect(await atAgency()).toEqual([]);
  });

  test('is annulled by a manager, in the chain of the server, and lets the later ones go', async () => {
    const invented = till.invented(largest);
    const later = till.sale();
    await send([invented.recorded, later.created, later.paid, later.recorded]);
    await tellMissing(server.database.$client, nowMs + 4 * day);
    for (const role of ['counter', 'server', 'kitchen'] as const)
      for (const decision of ['annul', 'release'] as const)
        expect(await decide(decision, role)).toMatchObject({ status: 403 });
    const foreign = await server.addClinic();
    expect(await decide('annul', 'manager', foreign)).toMatchObject({ status: 404 });
    expect(await decide('annul')).toMatchObject({ status: 200, data: { number: number(invented) } });
    expect(await open()).toEqual([]);
    expect(await atAgency()).toEqual([`issue ${number(later)}`, `cancel ${number(invented)}`]);
    const [cancellation] = await query<{ device_id: number; fields: object }>(
      `select device_id, record -> 'fields' as fields from fiscal_records where clinic_id = $1 and type = 'cancel'`,
      [clinicId],
    );
    expect(cancellation).toMatchObject({ device_id: 0, fields: { unregistered: true } });
    const audited = await query(
      `select action, subject from audit_log where clinic_id = $1 and action = 'fiscal.annulled'`,
      [clinicId],
    );
    expect(audited).toEqual([{ action: 'fiscal.annulled', subject: number(invented) }]);
    expect(await listed()).toEqual([]);
    const [record] = await listed('not_sent');
    expect(await call('POST', `/fiscal/records/${record!.id}/annul`)).toMatchObject({
      status: 409,
      code: 'RECORD_NOT_HELD',
    });
  });

  test('whose document exists is sent when a manager says so', async () => {
    const lost = till.sale();
    await send([lost.recorded]);
    expect(await decide('release')).toMatchObject({ status: 200, data: { number: number(lost) } });
    expect(await atAgency()).toEqual([`issue ${number(lost)}`]);
    expect(
      await query(`select 1 from audit_log where clinic_id = $1 and action = 'fiscal.released'`, [clinicId]),
    ).toHaveLength(1);
  });

  test('and was annulled is told when its document comes after all', async () => {
    const late = till.sale();
    await send([late.recorded]);
    await decide('annul');
    await send([late.created, late.paid]);
    expect(await open()).toEqual(['record_differs']);
    expect(await atAgency()).toEqual([`cancel ${number(late)}`]);
  });

  test('and has the number of another document is annulled without a word to the agency', async () => {
    const real = till.sale();
    const copy = till.invented({ number: number(real) });
    await send([real.created, real.paid, real.recorded, copy.recorded]);
    expect(await decide('annul')).toMatchObject({ status: 200 });
    expect(await atAgency()).toEqual([`issue ${number(real)}`]);
  });

  test('cannot be annulled once its document is there', async () => {
    const sale = till.sale();
    await send([sale.created, sale.paid, sale.recorded]);
    const [record] = await listed('unsent');
    expect(record).toMatchObject({ held_for: null, is_annullable: false });
    for (const decision of ['annul', 'release'])
      expect(await call('POST', `/fiscal/records/${record!.id}/${decision}`)).toMatchObject({
        status: 409,
        code: 'RECORD_NOT_HELD',
      });
    expect(await atAgency()).toEqual([`issue ${number(sale)}`]);
  });
});

test('a request states no document in a series of the server, whose records are not held back', async () => {
  const { created, paid } = till.sale();
  await send([created]);
  const url = `/orders/${(created.payload as { order_id: string }).order_id}`;
  const largest = maxMinor / 100;
  const honest = await call('POST', `${url}/payments`, { payment_method: 'cash', amount: 10 }, 'counter');
  const { Invoice: issued, Invoices } = honest.data as { Invoice: InvoicePayload; Invoices: InvoicePayload[] };
  expect([honest.status, issued.invoice_number, Invoices.length]).toEqual([200, expect.stringMatching(/0-000001$/), 1]);
  const own = issued.invoice_number.slice('INV-'.length, -'-000001'.length);
  const { invoice } = paid.payload as { invoice: InvoicePayload };
  const totals = (gross: number) => [{ exempt: 'E1' as const, base: gross, tax: 0, gross }];
  const note = {
    issued_at: invoice.issued_at,
    language: 'en',
    printed: [],
    document_type: 'R5',
    issuer: invoice.issuer,
  };
  for (const code of [own, 'ZZZZ0']) {
    const stated = {
      ...invoice,
      invoice_id: newId(),
      invoice_number: `F-${code}-000900`,
      document_type: 'F1',
      recipient: {
        name: 'Ana Ruiz',
        tax_id: '12345678Z',
        address: 'Calle Sol 2',
        postal_code: '28013',
        city: 'Madrid',
      },
      total_amount: largest,
      tax_totals: totals(largest),
    };
    const credit_note_number = `R-${code}-000900`;
    const credit_note = { ...note, total_amount: -largest, tax_totals: totals(-largest) };
    const payment = { payment_id: newId(), payment_method: 'cash', amount: 0, tendered: 0, change: 0 };
    const refund = { refund_id: newId(), payment_method: 'cash', amount: 1, reduction: 1, reason: 'because' };
    const wrong = {
      status: 400,
      details: { 'invoice.invoice_number': expect.stringContaining('series of the server') },
    };
    const wrongNote = { status: 400, details: { credit_note_number: expect.stringContaining('series of the server') } };
    expect(await call('POST', `${url}/payments`, { ...payment, invoice: stated }, 'counter')).toMatchObject(wrong);
    expect(await call('POST', `${url}/invoices`, { invoice: stated }, 'counter')).toMatchObject(wrong);
    const cancel = { status: 'cancelled', credit_note_number, credit_note };
    expect(await call('PUT', `${url}/status`, cancel, 'counter')).toMatchObject(wrongNote);
    expect(await call('POST', `${url}/refunds`, { ...refund, credit_note_number, credit_note })).toMatchObject(
      wrongNote,
    );
  }
  expect(await atAgency()).toEqual([`issue ${issued.invoice_number}`]);
  expect(await open()).toEqual([]);
});

describe('a record that contradicts its document', () => {
  test.each([
    ['total', { total: '61.00', breakdown: [{ exempt: 'E1', base: '61.00' }] }],
    ['taxpayer', { issuer: '12345678Z' }],
    ['date', { issued_on: '30-06-2027' }],
    ['type', { type: 'F1' as const }],
  ])('by its %s is not sent, and is told', async (what, fields) => {
    const sale = till.sale();
    const lie = forged(sale.record, { fields: { ...sale.record.fields, ...fields } });
    await send([sale.created, sale.paid, till.recorded(lie)]);
    expect(await open()).toEqual(['record_differs']);
    expect(await atAgency()).toEqual([]);
    // The code is not of that taxpayer, so nothing of it is ever sent.
    if (what !== 'taxpayer') expect(await listed()).toMatchObject([{ held_for: 'difference' }]);
  });

  test('of another device is not sent', async () => {
    const other = await enrol();
    const [sale, theirs] = [till.sale(), other.invented()];
    const lie = forged(theirs.record, { document_op_id: sale.paid.op_id, fields: theirs.record.fields });
    await send([sale.created, sale.paid, sale.recorded]);
    await send([other.recorded(lie)], other);
    expect(await open()).toEqual(['record_differs']);
    expect(await atAgency()).toEqual([`issue ${number(sale)}`]);
  });
});

test('a record whose recipient has a false NIF is told at once, and holds up nothing', async () => {
  const sale = till.invented({ type: 'F1', recipient: { name: 'Eva Ruiz', tax_id: '12345678A' } });
  await send([sale.recorded]);
  expect(await listed('rejected')).toMatchObject([{ number: number(sale), code: 1123, is_correctable: true }]);
  expect(await open()).toEqual(['record_rejected']);
  const after = till.sale();
  await send([after.created, after.paid, after.recorded]);
  expect(await atAgency()).toEqual([`issue ${number(after)}`]);
});

describe('a code', () => {
  /** Returns a sale whose documents are numbered under another code. */
  const under = (chain: string) => {
    const sale = till.sale();
    const rename = <T>(value: T): T =>
      JSON.parse(JSON.stringify(value).replaceAll(`-${till.device.info.code}-`, `-${chain}-`)) as T;
    const record = forged(sale.record, { chain, sequence: 1, previous: null, fields: rename(sale.record.fields) });
    const recorded = { ...sale.recorded, payload: record, aggregate: `chain:${chain}` } as AnyOperation;
    return { created: rename(sale.created), paid: rename(sale.paid), record, recorded };
  };

  test('that nobody was given sends nothing, even with a document, and is told', async () => {
    const { created, paid, recorded } = under('QQQQ1');
    await send([created, paid, recorded]);
    expect(await open()).toContain('number_foreign');
    expect(await listed()).toMatchObject([{ held_for: 'code' }]);
    expect(await atAgency()).toEqual([]);
    expect(await decide('annul')).toMatchObject({ status: 200 });
    expect(await atAgency()).toEqual([]);
  });

  test('that another device was given sends nothing, and is told', async () => {
    const victim = await enrol();
    const { created, paid, recorded } = under(victim.device.info.code);
    await send([created, paid, recorded]);
    expect(await open()).toContain('number_foreign');
    expect(await atAgency()).toEqual([]);
    const honest = victim.sale();
    await send([honest.created, honest.paid, honest.recorded], victim);
    expect(await atAgency()).toEqual([`issue ${number(honest)}`]);
  });

  test('that a restored server has forgotten is known by its letters', async () => {
    await query('insert into forgotten_prefixes (tax_id, prefix) values ($1, $2)', [issuerSettings.tax_id, 'RRR']);
    const { created, paid, record, recorded } = under('RRRA1');
    await send([created, paid, recorded]);
    expect(await atAgency()).toEqual([`issue ${record.fields.number}`]);
    await query('truncate forgotten_prefixes');
  });
});
