import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { taxpayerOf } from '#domain/fiscal/taxpayer.ts';
import { defaultSettings } from '#domain/settings/settings.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import type { Recipient } from '#domain/tax/document.ts';
import { exchangeForFull, invoiceTreatment } from '#src/db/commands/invoices.ts';
import { takePayment } from '#src/db/commands/payments.ts';
import { refundTreatment } from '#src/db/commands/refunds.ts';
import { addServices, cancelTreatment, createTreatment } from '#src/db/commands/treatments.ts';
import { knownRecipient } from '#src/db/queries/recipients.ts';
import { detailsRow, patientRow } from '#src/db/rows.ts';
import { orderById } from '#src/db/queries/orders.ts';
import { openTablet, refusalOf, sell, service, valueOf } from './tablet.ts';
import type { OfflineTablet } from './tablet.ts';

const spain: ClinicSettings = {
  ...defaultSettings,
  tax_profile: 'ES',
  legal_name: 'Clínica Dental Luz, S.L.',
  tax_id: 'B65410011',
  address: 'Calle Mayor 1',
  postal_code: '28013',
  city: 'Madrid',
};
const recipient: Recipient = {
  name: 'Eva Ruiz',
  tax_id: '12345678Z',
  address: 'Calle Sol 2',
  postal_code: '28013',
  city: 'Madrid',
};

let tablet: OfflineTablet;
beforeEach(async () => {
  tablet = await openTablet();
});
afterEach(() => tablet.close());

/** Stores the settings, and a code that was granted for their taxpayer. */
async function setTax(settings: ClinicSettings): Promise<void> {
  await tablet.db.settings.put({ id: 'this', settings });
  await tablet.db.device.update('this', { tax_id: taxpayerOf(settings) });
}
const create = async () =>
  valueOf(
    await createTreatment(tablet, {
      orderType: 'walk_in',
      services: [
        { itemKey: 's1', quantity: 1 },
        { itemKey: 's2', quantity: 1 },
      ],
    }),
  ).orderId;
const order = async (id: string) => (await orderById(tablet.db, id))!;
const kinds = async () =>
  (await tablet.db.operations.toArray()).toSorted((a, b) => a.device_seq - b.device_seq).map(({ kind }) => kind);

test('a refund of an invoice from before the profile names the issuer in its record, so that the next record may follow it', async () => {
  const id = await create();
  valueOf(await takePayment(tablet, { orderId: id, method: 'card', tenderedMinor: 3000 }));
  await setTax(spain);
  valueOf(await refundTreatment(tablet, { orderId: id, amountMinor: 1000, method: 'card', reason: 'Not done' }));
  const records = (await tablet.db.operations.toArray()).flatMap((operation) =>
    operation.kind === 'fiscal.record' && operation.payload.type === 'issue' ? operation.payload.fields : [],
  );
  expect(records).toMatchObject([
    { issuer: '', type: 'F2' },
    { issuer: 'B65410011', issuer_name: 'Clínica Dental Luz, S.L.', type: 'R5', total: '-10.00' },
  ]);
});

test('a clinic that is bound to VERI*FACTU and has not begun takes money offline with a receipt, and has no record of it', async () => {
  await setTax(spain);
  tablet.clock.now = Date.parse('2026-12-31T23:59:59+01:00');
  const before = await create();
  expect(
    valueOf(await takePayment(tablet, { orderId: before, method: 'card', tenderedMinor: 3000 })).document.kind,
  ).toBe('invoice');
  tablet.clock.now += 1000;
  const id = await create();
  const { document, completed } = valueOf(
    await takePayment(tablet, { orderId: id, method: 'card', tenderedMinor: 3000 }),
  );
  expect([document.kind, document.number, completed]).toEqual(['receipt', null, true]);
  expect((await kinds()).filter((kind) => kind === 'fiscal.record')).toHaveLength(1);
  expect(refusalOf(await invoiceTreatment(tablet, { orderId: id }))).toBe('VERIFACTU_REQUIRED');
  const refund = { orderId: before, amountMinor: 1000, method: 'card' as const, reason: 'Not done' };
  expect(refusalOf(await refundTreatment(tablet, refund))).toBe('VERIFACTU_REQUIRED');
  valueOf(await refundTreatment(tablet, { ...refund, orderId: id }));
});

describe('a clinic with a tax profile', () => {
  beforeEach(async () => {
    await setTax(spain);
    await tablet.db.catalogue.put(service(2, { tax: 'standard' }));
  });

  test('agrees on the tax of each line by the rates of the day', async () => {
    const [standard, ...others] = spain.tax_rates;
    const rates = [...standard!.rates, { from: '2026-05-13', percent: 23 }];
    await setTax({ ...spain, tax_rates: [{ ...standard!, rates }, ...others] });
    const id = await create();
    expect((await order(id)).lines.map(({ tax }) => tax)).toEqual(['E1', '2100']);
    tablet.clock.now += 86_400_000;
    valueOf(await addServices(tablet, { orderId: id, services: [{ itemKey: 's2', quantity: 1 }] }));
    expect((await order(id)).lines.map(({ tax }) => tax)).toEqual(['E1', '2100', '2300']);
  });

  test('invoices an advance and, on the payment of the rest, what is left', async () => {
    const id = await create();
    const advance = valueOf(await takePayment(tablet, { orderId: id, method: 'card', tenderedMinor: 1000 }));
    expect(advance.document).toMatchObject({ kind: 'invoice', number: 'INV-A7-000001' });
    const last = valueOf(await takePayment(tablet, { orderId: id, method: 'card', tenderedMinor: 2000, recipient }));
    expect(last.document).toMatchObject({
      number: 'F-A7-000001',
      invoice: { document_type: 'F1', recipient, total_amount: 20 },
    });
    const refund = valueOf(
      await refundTreatment(tablet, { orderId: id, amountMinor: 3000, method: 'card', reason: 'Not done' }),
    );
    expect(refund.number).toBe('RF-A7-000001');
    expect((await order(id)).payments.at(-1)!.creditNote).toMatchObject({
      document_type: 'R1',
      corrects: [{ number: 'INV-A7-000001' }, { number: 'F-A7-000001' }],
    });
    expect((await tablet.db.device.get('this'))!.counters).toEqual({
      treatment: 1,
      invoice: 1,
      credit_note: 0,
      full_invoice: 1,
      full_credit_note: 1,
    });
  });

  test('invoices a service that is done and not paid; its payment then issues none', async () => {
    const id = await create();
    const { document } = valueOf(await invoiceTreatment(tablet, { orderId: id }));
    expect(document).toMatchObject({ kind: 'invoice', number: 'INV-A7-000001', invoice: { total_amount: 30 } });
    expect(refusalOf(await invoiceTreatment(tablet, { orderId: id }))).toBe('NOTHING_TO_INVOICE');
    const paid = valueOf(await takePayment(tablet, { orderId: id, method: 'card', tenderedMinor: 3000 }));
    expect(paid).toMatchObject({ completed: true, document: { kind: 'receipt', number: null } });
    expect(await kinds()).toEqual(['order.create', 'order.invoice', 'fiscal.record', 'order.pay']);
  });

  describe('above 400 euros', () => {
    const createLarge = async () =>
      valueOf(await createTreatment(tablet, { orderType: 'walk_in', services: [{ itemKey: 's1', quantity: 41 }] }))
        .orderId;

    test('takes the money without an invoice, and issues the full one when the recipient is known', async () => {
      const id = await createLarge();
      const paid = valueOf(await takePayment(tablet, { orderId: id, method: 'card', tenderedMinor: 41_000 }));
      expect(paid).toMatchObject({ completed: true, document: { kind: 'receipt', number: null } });
      expect((await order(id)).invoices).toEqual([]);
      expect(refusalOf(await invoiceTreatment(tablet, { orderId: id }))).toBe('RECIPIENT_REQUIRED');
      const { document } = valueOf(await invoiceTreatment(tablet, { orderId: id, recipient }));
      expect(document).toMatchObject({ number: 'F-A7-000001', invoice: { document_type: 'F1', total_amount: 410 } });
    });

    test('issues the full one to a tourist without a NIF', async () => {
      const id = await createLarge();
      const tourist: Recipient = {
        name: 'Anne Martin',
        tax_id: 'X1234567',
        id_type: '03',
        country: 'FR',
        address: '3 rue Mercière, 69002 Lyon',
        postal_code: '',
        city: '',
      };
      const paid = { orderId: id, method: 'card', tenderedMinor: 41_000, recipient: tourist } as const;
      const { document } = valueOf(await takePayment(tablet, paid));
      expect(document.printed).toContainEqual(expect.objectContaining({ left: 'ID document', right: 'X1234567' }));
      expect(JSON.stringify(document.printed)).toContain('3 rue Mercière, 69002 Lyon, FR');
      const record = (await tablet.db.operations.toArray()).find(({ kind }) => kind === 'fiscal.record');
      expect(record).toMatchObject({
        payload: {
          fields: { recipient: { name: 'Anne Martin', tax_id: 'X1234567', id_type: '03', country: 'FR' } },
        },
      });
    });

    test('issues no simplified invoice of a part either', async () => {
      const id = await createLarge();
      const advance = { orderId: id, method: 'card', tenderedMinor: 20_000 } as const;
      expect(valueOf(await takePayment(tablet, advance)).document.kind).toBe('receipt');
      const rest = valueOf(await takePayment(tablet, { ...advance, tenderedMinor: 21_000, recipient }));
      expect(rest.document.invoice).toMatchObject({ document_type: 'F1', total_amount: 410 });
    });
  });

  test('says the day of the service on what is issued later: a full invoice in exchange, and one of a service of the day before', async () => {
    const dayMs = 86_400_000;
    const id = await create();
    valueOf(await takePayment(tablet, { orderId: id, method: 'card', tenderedMinor: 3000 }));
    const { invoice_number: number, issued_at } = (await order(id)).invoices[0]!;
    tablet.clock.now += 3 * dayMs;
    const { document } = valueOf(await exchangeForFull(tablet, { orderId: id, number, recipient }));
    expect(document.invoice).toMatchObject({ document_type: 'F3', operation_on: issued_at.slice(0, 10) });
    expect(JSON.stringify(document.printed)).toContain('Date of service');
    const records = (await tablet.db.operations.toArray()).flatMap((operation) =>
      operation.kind === 'fiscal.record' && operation.payload.type === 'issue' ? operation.payload.fields : [],
    );
    expect(records.at(-1)).toMatchObject({
      type: 'F3',
      operation_on: issued_at.slice(0, 10).split('-').toReversed().join('-'),
    });

    const other = valueOf(
      await createTreatment(tablet, { orderType: 'walk_in', services: [{ itemKey: 's1', quantity: 41 }] }),
    ).orderId;
    valueOf(await takePayment(tablet, { orderId: other, method: 'card', tenderedMinor: 10_000 }));
    const takenOn = new Date(tablet.clock.now).toISOString().slice(0, 10);
    tablet.clock.now += dayMs;
    const late = valueOf(await invoiceTreatment(tablet, { orderId: other, recipient }));
    expect(late.document.invoice).toMatchObject({ operation_on: takenOn });
  });

  test('cancels an invoiced treatment with a credit note, its number and its record in one transaction', async () => {
    const id = await create();
    valueOf(await invoiceTreatment(tablet, { orderId: id, recipient }));
    const { document } = valueOf(await cancelTreatment(tablet, { orderId: id, notes: 'Not done' }));
    expect(document).toMatchObject({ kind: 'credit_note', number: 'RF-A7-000001', invoice: null });
    expect(await tablet.db.documents.get(document!.id)).toEqual(document);
    const operations = (await tablet.db.operations.toArray()).toSorted((a, b) => a.device_seq - b.device_seq);
    expect(operations.map(({ kind }) => kind)).toEqual([
      'order.create',
      'order.invoice',
      'fiscal.record',
      'order.cancel',
      'fiscal.record',
    ]);
    const [, , , cancel, recorded] = operations;
    expect(cancel!.op_id).toBe(document!.id);
    // 10.00 of the treatment is exempt. 20.00 of the item: 20.00 / 1.21 = 16.53, and 3.47.
    expect(recorded!.payload).toMatchObject({
      document_op_id: cancel!.op_id,
      type: 'issue',
      fields: {
        type: 'R4',
        corrects: [{ number: 'F-A7-000001', issued_on: '12-05-2026' }],
        breakdown: [
          { exempt: 'E1', base: '-10.00' },
          { rate: '21.00', base: '-16.53', tax: '-3.47' },
        ],
        tax_total: '-3.47',
        total: '-30.00',
      },
    });
    const row = await order(id);
    expect(row.status).toBe('cancelled');
    expect(row.cancels[0]!.correction).toMatchObject({ number: 'RF-A7-000001', isAnnulled: false });
    expect(refusalOf(await cancelTreatment(tablet, { orderId: id }))).toBe('ORDER_CANCELLED');
  });

  test('knows the recipient of a patient’s earlier full invoice, told by the server or not', async () => {
    const patient = { id: 'p1', name: 'Eva Ruiz', phone: '', isKnown: true };
    const treat = async () =>
      order(
        valueOf(
          await createTreatment(tablet, { orderType: 'walk_in', services: [{ itemKey: 's1', quantity: 1 }], patient }),
        ).orderId,
      );
    const first = await treat();
    const nobody = { name: 'Eva Ruiz', tax_id: '', address: '', postal_code: '', city: '' };
    expect(await knownRecipient(tablet.db, first)).toEqual(nobody);
    const told = { ...recipient, city: 'Toledo' };
    await tablet.db.patient_details.put(detailsRow({ id: 'p1', email: '', notes: '', recipient: told }));
    expect(await knownRecipient(tablet.db, first)).toEqual(told);
    valueOf(await invoiceTreatment(tablet, { orderId: first.id, recipient }));
    const second = await treat();
    expect(await knownRecipient(tablet.db, second)).toEqual(recipient);
    expect(await knownRecipient(tablet.db, { ...second, patientId: null })).toEqual(nobody);
    await tablet.db.patients.put(patientRow({ id: 'p1', name: '', phone: '', erased_at: '2026-05-12T10:00:00Z' }));
    expect(await knownRecipient(tablet.db, second)).toEqual(nobody);
  });

  test('exchanges a simplified invoice for a full one, once', async () => {
    const { orderId, document } = await sell(tablet, { services: [{ itemKey: 's1', quantity: 1 }] });
    const exchange = () => exchangeForFull(tablet, { orderId, number: document.number!, recipient });
    expect(valueOf(await exchange()).document).toMatchObject({
      number: 'F-A7-000001',
      invoice: { document_type: 'F3', replaces: { number: 'INV-A7-000001' } },
    });
    expect(refusalOf(await exchange())).toBe('NOT_EXCHANGEABLE');
  });
});

test('a clinic without one issues only what a payment issues, and writes no tax', async () => {
  await tablet.db.catalogue.put(service(2, { tax: 'standard' }));
  const id = await create();
  const part = valueOf(await takePayment(tablet, { orderId: id, method: 'card', tenderedMinor: 1000 }));
  expect(part.document.kind).toBe('receipt');
  expect(refusalOf(await invoiceTreatment(tablet, { orderId: id }))).toBe('NOTHING_TO_INVOICE');
  valueOf(await takePayment(tablet, { orderId: id, method: 'card', tenderedMinor: 2000 }));
  const [records, others] = await Promise.all([
    tablet.db.operations.filter(({ kind }) => kind === 'fiscal.record').toArray(),
    tablet.db.operations.filter(({ kind }) => kind !== 'fiscal.record').toArray(),
  ]);
  expect(JSON.stringify(others)).not.toMatch(/tax|issuer|document_type/);
  expect(records).toMatchObject([{ payload: { fields: { issuer: '', issuer_name: '', tax_total: '0.00' } } }]);
});
