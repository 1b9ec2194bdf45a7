import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { differingFields } from '#domain/fiscal/compare.ts';
import { chainAggregate } from '#domain/fiscal/operations.ts';
import { documentOf, recordOfDocument } from '#domain/fiscal/documents.ts';
import type { IssuedDocument } from '#domain/fiscal/documents.ts';
import { hashOf, sealOf } from '#domain/fiscal/record.ts';
import type { IssueRecord } from '#domain/fiscal/record.ts';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import type { Role } from '#domain/staff/roles.ts';
import { defaultSettings } from '#domain/settings/settings.ts';
import { tellMissing } from '#server/modules/fiscal/checks.ts';
import { verifyChains } from '#server/modules/fiscal/verify-chains.ts';
import { line, TestDevice } from '#tests/support/device.ts';
import { newId } from '#tests/support/unique.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { sha256 } from '#tests/support/verifactu/records.ts';

const dayMs = 86_400_000;
const hourMs = 3_600_000;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ demo: true });
});
afterAll(() => server.close());

interface Sale {
  device: TestDevice;
  created: AnyOperation;
  paid: AnyOperation;
  document: IssuedDocument;
  record: IssueRecord;
}

async function sale(role: Role = 'counter', clinicId?: number): Promise<Sale> {
  const device = await TestDevice.enrol(server, role, clinicId);
  const items = [line()];
  const created = device.create(items);
  const paid = device.pay(created, 60, { invoice: device.invoice(items) });
  const document = documentOf(paid)!;
  const place = { chain: device.info.code, previous: null, settings: defaultSettings, sha256 };
  const record = recordOfDocument(document, place);
  return { device, created, paid, document, record };
}

const sent = ({ device }: Sale, record: IssueRecord): AnyOperation =>
  device.operation('fiscal.record', record, { aggregate: chainAggregate(record.chain) });

const changed = (record: IssueRecord, fields: Partial<IssueRecord['fields']>): IssueRecord => {
  const { seal: _seal, hash: _hash, ...rest } = { ...record, fields: { ...record.fields, ...fields } };
  const hashed = { ...rest, hash: hashOf(rest, sha256) };
  return { ...hashed, seal: sealOf(hashed, sha256) };
};

const told = async (kind: string, { device }: Sale) => {
  const { rows } = await server.database.$client.query<{
    details: Record<string, string>;
    opKind: string;
    isOpen: boolean;
  }>(
    `select details, op_kind as "opKind", settled_at is null as "isOpen" from attention_items where kind = $1 and details ->> 'device' = $2 order by id`,
    [kind, device.info.code],
  );
  return rows;
};

describe('a record and its document', () => {
  test.each([
    ['in one batch', [[0, 1, 2]]],
    ['the document first', [[0, 1], [2]]],
    ['the record first', [[2], [0, 1]]],
  ])('that say the same raise nothing: %s', async (_, batches) => {
    const one = await sale();
    const operations = [one.created, one.paid, sent(one, one.record)];
    for (const batch of batches) await one.device.send(...batch.map((index) => operations[index]!));
    expect(await told('record_differs', one)).toEqual([]);
  });

  test.each([
    ['in one batch', [[0, 1, 2]]],
    ['the document first', [[0, 1], [2]]],
    ['the record first', [[2], [0, 1]]],
  ])('that differ are both accepted, and told once: %s', async (_, batches) => {
    const one = await sale();
    const forged = changed(one.record, { total: '61.00', breakdown: [{ exempt: 'E1', base: '61.00' }] });
    const operations = [one.created, one.paid, sent(one, forged)];
    for (const batch of batches) {
      const results = await one.device.send(...batch.map((index) => operations[index]!));
      expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['applied']));
    }
    expect(await told('record_differs', one)).toMatchObject([
      { details: { stated: `${one.document.number} · F2 · 61.00`, expected: `${one.document.number} · F2 · 60.00` } },
    ]);
  });

  test('differ by number, type, date, tax, issuer, recipient and other documents, but not by an erased recipient', async () => {
    const { document, record } = await sale();
    const by = { timeZone: defaultSettings.time_zone, sha256 };
    expect(differingFields(record, document, by)).toBeNull();
    const recipient = { name: 'Eva', tax_id: '12345678Z' };
    for (const fields of [
      { number: 'INV-A9-000001' },
      { type: 'F1' as const },
      { issued_on: '01-01-2020' },
      { generated_at: '2020-01-01T00:00:00+01:00' },
      { operation_on: '01-01-2020' },
      { corrects: [{ number: 'INV-A9-000001', issued_on: '01-01-2020' }] },
      { tax_total: '1.00' },
      { issuer: 'B65410011' },
      { breakdown: [{ exempt: 'E2', base: '60.00' }] },
    ])
      expect(differingFields(changed(record, fields), document, by), JSON.stringify(fields)).not.toBeNull();
    expect(differingFields(changed(record, { recipient }), document, by)).toBeNull();
    const named = {
      ...document,
      tax: { ...document.tax, recipient: { ...recipient, address: '', postal_code: '', city: '' } },
    };
    expect(differingFields(record, named, by)).not.toBeNull();
    expect(differingFields(changed(record, { recipient }), named, by)).toBeNull();
  });

  test('a record of an operation without a document is told', async () => {
    const one = await sale();
    await one.device.send(one.created, sent(one, changed({ ...one.record, document_op_id: one.created.op_id }, {})));
    expect(await told('record_differs', one)).toMatchObject([{ details: { expected: '–' } }]);
  });
});

test.each([
  { kind: 'late_work', days: 0, deactivatedHours: 1 },
  { kind: 'backdated', days: 31, deactivatedHours: null },
])(
  'what is odd about the person or the time of a document is told once: $kind',
  async ({ kind, days, deactivatedHours }) => {
    const [one, carrier] = [await sale(), await TestDevice.enrol(server, 'manager')];
    const deactivate = (at: Date | null) =>
      server.database.$client.query('update users set deactivated_at = $2 where id = $1', [one.device.userId, at]);
    const occurred_at = new Date(Date.now() - days * dayMs).toISOString();
    const operations = [one.created, one.paid, sent(one, one.record)].map((each) => ({ ...each, occurred_at }));
    if (deactivatedHours !== null) await deactivate(new Date(Date.now() - deactivatedHours * hourMs));
    const results = await carrier.send(...one.device.signed(operations));
    await deactivate(null);
    expect(results.map(({ status }) => status)).toEqual(['applied', 'applied', 'applied']);
    expect((await told(kind, one)).map(({ opKind }) => opKind)).toEqual(['order.create', 'order.pay']);
  },
);

describe('a document that never arrives', () => {
  const look = (afterMs: number) => tellMissing(server.database.$client, Date.now() + afterMs);

  test('is told once after three days', async () => {
    const [lost, whole] = [await sale(), await sale()];
    await lost.device.send(sent(lost, lost.record));
    await whole.device.send(whole.created, whole.paid, sent(whole, whole.record));
    await look(2 * dayMs);
    expect(await told('record_without_document', lost)).toEqual([]);
    await Promise.all([look(4 * dayMs), look(4 * dayMs)]);
    await look(5 * dayMs);
    const item = { details: { number: lost.document.number } };
    expect(await told('record_without_document', lost)).toMatchObject([{ ...item, isOpen: true }]);
    expect(await told('record_without_document', whole)).toEqual([]);
    await lost.device.send(lost.created, lost.paid);
    await look(5 * dayMs);
    expect(await told('record_without_document', lost)).toMatchObject([{ ...item, isOpen: false }]);
  });

  test('is not told of a document that was refused, or voided', async () => {
    const one = await sale();
    const manager = await TestDevice.enrol(server, 'manager');
    const opId = one.paid.op_id;
    await one.device.send(sent(one, one.record));
    const { aggregate } = one.paid;
    await manager.send(
      manager.operation('operation.void', { op_id: opId, reason: 'never sold' }, { aggregate, supersedes: opId }),
    );
    await look(4 * dayMs);
    expect(await told('record_without_document', one)).toEqual([]);
  });
});

describe('a record that never arrives', () => {
  const look = (afterMs: number) => tellMissing(server.database.$client, Date.now() + afterMs);
  const missing = async (afterMs: number, { device }: Sale): Promise<string[]> => {
    const { unrecorded, intact } = await verifyChains(server.database.$client, server.clinicId, {
      nowMs: Date.now() + afterMs,
    });
    const numbers = unrecorded.map(({ number }) => number).filter((number) => number.includes(`-${device.info.code}-`));
    if (numbers.length > 0) expect(intact).toBe(false);
    return numbers;
  };
  beforeAll(async () => {
    // The clinic keeps records before these documents.
    const first = await sale();
    await first.device.send(first.created, first.paid, sent(first, first.record));
  });

  test('is missed an hour after its document, and told once after three days', async () => {
    const [bare, whole] = [await sale(), await sale()];
    const { order_id } = bare.created.payload as { order_id: string };
    await bare.device.send(bare.created, bare.paid);
    await whole.device.send(whole.created, whole.paid, sent(whole, whole.record));
    expect(await missing(0.5 * hourMs, bare)).toEqual([]);
    expect(await missing(2 * hourMs, bare)).toEqual([bare.document.number]);
    expect(await missing(2 * hourMs, whole)).toEqual([]);
    await look(2 * dayMs);
    expect(await told('document_without_record', bare)).toEqual([]);
    await Promise.all([look(4 * dayMs), look(4 * dayMs)]);
    await look(5 * dayMs);
    const item = { details: { number: bare.document.number } };
    expect(await told('document_without_record', bare)).toMatchObject([{ ...item, isOpen: true }]);
    expect(await told('document_without_record', whole)).toEqual([]);
    const { rows } = await server.database.$client.query(
      `select order_id from attention_items where kind = 'document_without_record' and op_id = $1`,
      [bare.paid.op_id],
    );
    expect(rows).toEqual([{ order_id }]);
    await bare.device.send(sent(bare, bare.record));
    expect(await missing(2 * hourMs, bare)).toEqual([]);
    await look(5 * dayMs);
    expect(await told('document_without_record', bare)).toMatchObject([{ ...item, isOpen: false }]);
  });

  test('is missed of refunds, cancels and invoices without a payment', async () => {
    const bare = await sale('manager');
    const { device, created, paid } = bare;
    const { order_id } = created.payload as { order_id: string };
    const note = { issued_at: new Date().toISOString(), language: 'en', total_amount: -60, printed: [] };
    const refund = device.operation('order.refund', {
      order_id,
      refund_id: newId(),
      payment_method: 'cash',
      amount: 60,
      reason: 'Not done',
      reduction: 60,
      credit_note_number: device.number('credit_note'),
      credit_note: note,
    });
    const items = [line()];
    const unpaid = device.create(items);
    const of = { order_id: (unpaid.payload as { order_id: string }).order_id };
    const invoiced = device.operation('order.invoice', { ...of, invoice: device.invoice(items) });
    const cancelled = device.operation('order.cancel', {
      ...of,
      status: 'cancelled',
      credit_note_number: device.number('credit_note'),
      credit_note: note,
    });
    const results = await device.send(created, paid, refund, unpaid, invoiced, cancelled);
    expect(results.map(({ status, reply }) => (status === 'applied' ? status : reply))).toEqual(
      results.map(() => 'applied'),
    );
    const { code } = device.info;
    expect((await missing(2 * hourMs, bare)).toSorted()).toEqual([
      `INV-${code}-000001`,
      `INV-${code}-000002`,
      `R-${code}-000001`,
      `R-${code}-000002`,
    ]);
  });

  test('is not missed of a document whose operation was refused and sent again under another id', async () => {
    const one = await sale();
    const { device, created, paid } = one;
    const { order_id } = created.payload as { order_id: string };
    const refused = device.operation('order.pay', {
      ...(paid.payload as { order_id: string }),
      order_id,
      amount: -1,
    } as never);
    const replacement = { ...paid, op_id: newId(), device_seq: refused.device_seq + 1, supersedes: refused.op_id };
    const record = changed({ ...one.record, document_op_id: refused.op_id }, {});
    await device.send(created, refused);
    const [again] = await device.send(replacement);
    expect(again).toMatchObject({ status: 'applied' });
    await look(4 * dayMs);
    expect(await told('document_without_record', one)).toMatchObject([{ isOpen: true }]);
    await device.send(sent(one, record));
    expect(await missing(2 * hourMs, one)).toEqual([]);
    await look(4 * dayMs);
    expect(await told('document_without_record', one)).toMatchObject([{ isOpen: false }]);
  });

  test('is not missed of documents from before the first record of a clinic', async () => {
    const clinicId = await server.addClinic();
    const [before, after] = [await sale('counter', clinicId), await sale('counter', clinicId)];
    const verify = () => verifyChains(server.database.$client, clinicId, { nowMs: Date.now() + 2 * hourMs });
    await before.device.send(before.created, before.paid);
    expect(await verify()).toMatchObject({ intact: true, unrecorded: [] });
    await after.device.send(after.created, after.paid, sent(after, after.record));
    expect(await verify()).toMatchObject({ intact: true, unrecorded: [] });
  });
});
