import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { verifyChain } from '#tests/support/verify-chain.ts';
import type { FiscalRecord } from '#domain/fiscal/record.ts';
import { envelopeSchema, payloadSchemas } from '#domain/protocol/operation-schemas.ts';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import { defaultSettings } from '#domain/settings/settings.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import { takePayment } from '#src/db/commands/payments.ts';
import { refundTreatment } from '#src/db/commands/refunds.ts';
import { createTreatment } from '#src/db/commands/treatments.ts';
import { outboxEntries, outboxSummary } from '#src/db/queries/outbox.ts';
import { saveDevice } from '#src/db/singletons.ts';
import { sha256 } from '#tests/support/verifactu/records.ts';
import { deviceReply, openTablet, refusalOf, sell, valueOf } from './tablet.ts';
import type { OfflineTablet } from './tablet.ts';

let tablet: OfflineTablet;
beforeEach(async () => {
  tablet = await openTablet();
});
afterEach(() => tablet.close());

const sale = { services: [{ itemKey: 's1', quantity: 1 }] };

async function operationsOf(kind: AnyOperation['kind']): Promise<AnyOperation[]> {
  const all = await tablet.db.operations.toArray();
  return all.filter((operation) => operation.kind === kind).toSorted((a, b) => a.device_seq - b.device_seq);
}

const records = async () => (await operationsOf('fiscal.record')).map(({ payload }) => payload as FiscalRecord);

describe('the chain of a tablet', () => {
  test('each invoice and each credit note adds a record in its own transaction, behind its operation', async () => {
    const { orderId } = await sell(tablet, sale);
    valueOf(
      await refundTreatment(tablet, { orderId, amountMinor: 400, method: 'cash', reason: 'asked for by the patient' }),
    );
    const [issued, refunded] = await records();
    expect(issued).toMatchObject({
      chain: 'A7',
      sequence: 1,
      previous: null,
      type: 'issue',
      fields: {
        issuer: '',
        number: 'INV-A7-000001',
        issued_on: '12-05-2026',
        type: 'F2',
        description: 'Servicios odontológicos',
        breakdown: [{ exempt: 'E1', base: '10.00' }],
        tax_total: '0.00',
        total: '10.00',
        generated_at: '2026-05-12T12:00:00+02:00',
      },
    });
    expect(refunded).toMatchObject({
      sequence: 2,
      previous: { number: 'INV-A7-000001', hash: issued!.hash },
      fields: { number: 'R-A7-000001', type: 'R5', total: '-4.00' },
    });
    expect(verifyChain(await records(), sha256)).toEqual([]);
    const [pay] = await operationsOf('order.pay');
    const [operation] = await operationsOf('fiscal.record');
    expect(operation).toMatchObject({
      aggregate: 'chain:A7',
      depends_on: [],
      device_seq: pay!.device_seq + 1,
      payload: { document_op_id: pay!.op_id },
    });
    expect(await tablet.db.device.get('this')).toMatchObject({
      chain: { count: 2, number: 'R-A7-000001', issued_on: '12-05-2026', hash: refunded!.hash, seal: refunded!.seal },
    });
  });

  test('what is sent is well-formed and names no service and no patient', async () => {
    const { orderId } = valueOf(
      await createTreatment(tablet, { orderType: 'walk_in', customerName: 'Eva Peron', ...sale }),
    );
    valueOf(await takePayment(tablet, { orderId, method: 'cash', tenderedMinor: 1000 }));
    const [operation] = await operationsOf('fiscal.record');
    expect(envelopeSchema.safeParse(operation).error).toBeUndefined();
    expect(payloadSchemas['fiscal.record'].parse(operation!.payload)).toEqual(operation!.payload);
    expect(JSON.stringify(operation!.payload)).not.toMatch(/Eva|Service 1/);
  });

  test('a receipt and a refused sale add none', async () => {
    const { orderId } = valueOf(await createTreatment(tablet, { orderType: 'walk_in', ...sale }));
    valueOf(await takePayment(tablet, { orderId, method: 'cash', tenderedMinor: 500 }));
    expect(refusalOf(await takePayment(tablet, { orderId, method: 'card', tenderedMinor: 900 }))).not.toBeNull();
    expect(await records()).toEqual([]);
    expect((await tablet.db.device.get('this'))!.chain ?? null).toBeNull();
  });

  test('two tabs build one chain', async () => {
    const tabs = [tablet, tablet.otherTab()];
    await Promise.all(Array.from({ length: 20 }, (_, index) => sell(tabs[index % 2]!, sale)));
    const chain = await records();
    expect(chain).toHaveLength(20);
    expect(verifyChain(chain, sha256)).toEqual([]);
  });

  test('a clinic with a tax profile issues by it once the code is granted for its taxpayer, and sells before that', async () => {
    const settings: ClinicSettings = { ...defaultSettings, tax_profile: 'ES', tax_id: 'B65410011', legal_name: 'Luz' };
    await tablet.db.settings.put({ id: 'this', settings });
    const recipient = { name: 'Eva Ruiz', tax_id: '12345678Z', address: 'Sol 2', postal_code: '28013', city: 'Madrid' };
    const pay = async () => {
      const { orderId } = valueOf(await createTreatment(tablet, { orderType: 'walk_in', ...sale }));
      return valueOf(await takePayment(tablet, { orderId, method: 'cash', tenderedMinor: 1000, recipient })).document;
    };
    const plain = await pay();
    expect(plain.number).toBe('INV-A7-000001');
    expect(plain.invoice).not.toHaveProperty('issuer');
    const device = (await tablet.db.device.get('this'))!;
    await saveDevice(tablet.db, {
      ...deviceReply,
      ...device,
      code: 'KTMA1',
      tax_id: 'B65410011',
      counters: deviceReply.counters,
    });
    const full = await pay();
    expect(full.number).toBe('F-KTMA1-000001');
    expect(full.invoice).toMatchObject({ document_type: 'F1', issuer: { tax_id: 'B65410011' } });
    expect((await records()).map(({ chain, sequence, fields }) => [chain, sequence, fields.issuer])).toEqual([
      ['A7', 1, ''],
      ['KTMA1', 1, 'B65410011'],
    ]);
  });

  test('begins anew under a new code, and goes on under the same one', async () => {
    await sell(tablet, sale);
    await saveDevice(tablet.db, deviceReply);
    await sell(tablet, sale);
    await saveDevice(tablet.db, { ...deviceReply, code: 'B2' });
    await sell(tablet, sale);
    const places = (await records()).map(({ chain, sequence }) => [chain, sequence]);
    expect(places).toEqual([
      ['A7', 1],
      ['A7', 2],
      ['B2', 1],
    ]);
  });

  test('a record says what the settings say was sold', async () => {
    const settings = { ...defaultSettings, operation_description: 'Servicios de odontología' };
    await tablet.db.settings.put({ id: 'this', settings });
    await sell(tablet, sale);
    expect((await records())[0]).toMatchObject({ fields: { description: 'Servicios de odontología' } });
  });

  test('the outbox shows the sale and not its record', async () => {
    await sell(tablet, sale);
    const shown = await outboxEntries(tablet.db, { limit: 10 });
    expect(shown.map(({ operation }) => operation.kind)).toEqual(['order.create', 'order.pay']);
    expect((await outboxSummary(tablet.db)).waiting).toBe(2);
  });
});
