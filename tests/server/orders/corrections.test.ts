import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { headOf } from '#domain/fiscal/record.ts';
import type { ChainHead, FiscalRecord } from '#domain/fiscal/record.ts';
import { documentOfCreditNote, documentOfInvoice, recordOfDocument } from '#domain/fiscal/documents.ts';
import type { IssuedDocument } from '#domain/fiscal/documents.ts';
import { verifyChain } from '#tests/support/verify-chain.ts';
import { cancelNote, exchangeInvoice, issueInvoice } from '#domain/order/issue-documents.ts';
import type { Invoice, Order } from '#domain/order/order.ts';
import { orderFromResource } from '#domain/order/resource.ts';
import type { OrderResource } from '#domain/order/resource.ts';
import { grossOf, invoicedGross } from '#domain/order/tax-totals.ts';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import { TestDevice } from '#tests/support/device.ts';
import { newId } from '#tests/support/unique.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { context, issuer, recipient, settings } from '#tests/support/taxed-visit.ts';
import { sha256 } from '#tests/support/verifactu/records.ts';

let server: TestServer;
let headers: { authorization: string };
let items: { product_id: number; quantity: number }[];

type Method = 'GET' | 'POST' | 'PUT';
const call = async (method: Method, url: string, payload?: object) => {
  const reply = await server.app.inject({ method, url: `/api${url}`, headers, ...(payload && { payload }) });
  return { status: reply.statusCode, ...reply.json() };
};

beforeAll(async () => {
  server = await startTestServer({ demo: true });
  headers = { authorization: `Bearer ${await server.login('admin')}` };
  await call('PUT', '/settings', issuer);
  const product = async (body: object) => (await call('POST', '/products', body)).data.id;
  items = [
    { product_id: await product({ name: 'Filling', price: 60 }), quantity: 1 },
    { product_id: await product({ name: 'Toothbrush', price: 6.05, tax: 'standard' }), quantity: 1 },
  ];
});
afterAll(() => server.close());

const read = async (id: string): Promise<OrderResource> => (await call('GET', `/orders/${id}`)).data;
const order = async (id: string): Promise<Order> => orderFromResource(await read(id));

async function invoiced(): Promise<Order> {
  const { id } = (await call('POST', '/orders', { items })).data;
  expect(await call('POST', `/orders/${id}/invoices`, {})).toMatchObject({ status: 200 });
  return order(id);
}

/** The code of the clinic's server for its taxpayer. */
const serverCode = expect.stringMatching(/^[A-Z]+0$/);

/** A tablet with its chain of fiscal records. */
class Tablet {
  private head: ChainHead | null = null;
  private constructor(readonly device: TestDevice) {}

  static open = async (): Promise<Tablet> => new Tablet(await TestDevice.enrol(server));

  private record(document: IssuedDocument): AnyOperation {
    const { code } = this.device.info;
    const place = { chain: code, previous: this.head, settings, sha256 };
    const record = recordOfDocument(document, place);
    this.head = headOf(record);
    return this.device.operation('fiscal.record', record, { aggregate: `chain:${code}` });
  }

  /** @param secondsAgo when: of two of one millisecond either may count */
  cancel(known: Order, secondsAgo = 10): [cancel: AnyOperation, record: AnyOperation] {
    const number = this.device.number('credit_note');
    const corrected = cancelNote(context, { number, order: known, issuedAtMs: Date.now(), reason: '' });
    const payload = {
      order_id: known.id,
      status: 'cancelled' as const,
      credit_note_number: number,
      credit_note: corrected.note,
    };
    const occurred_at = new Date(Date.now() - secondsAgo * 1000).toISOString();
    const cancel = this.device.operation('order.cancel', payload, { occurred_at });
    return [cancel, this.record(documentOfCreditNote(cancel.op_id, corrected))];
  }

  /** @param atMs when the full invoice is issued */
  exchange(known: Order, atMs: number): [exchange: AnyOperation, record: AnyOperation] {
    const issue = { invoiceId: newId(), number: this.device.number('full_invoice'), issuedAtMs: atMs };
    const invoice = exchangeInvoice(context, { ...issue, order: known, invoice: known.invoices[0]!, recipient });
    const exchange = this.device.operation('order.invoice', { order_id: known.id, invoice });
    return [exchange, this.record(documentOfInvoice(exchange.op_id, invoice))];
  }

  /** Bills a service that is done and not paid. */
  invoice(known: Order): [invoice: AnyOperation, record: AnyOperation] {
    const issue = { invoiceId: newId(), number: this.device.number('invoice'), issuedAtMs: Date.now() };
    const invoice = issueInvoice(context, { ...issue, order: known, lines: known.lines, payment: null });
    const billed = this.device.operation('order.invoice', { order_id: known.id, invoice });
    return [billed, this.record(documentOfInvoice(billed.op_id, invoice))];
  }

  async send(...operations: AnyOperation[]): Promise<void> {
    const results = await this.device.send(...operations);
    expect(results.map(({ status }) => status)).toEqual(operations.map(() => 'applied'));
  }
}

function numberOf({ payload }: AnyOperation): string {
  const { credit_note_number, invoice } = payload as { credit_note_number?: string; invoice?: Invoice };
  return credit_note_number ?? invoice!.invoice_number;
}

const rows = async <Row>(text: string, values: unknown[]): Promise<Row[]> =>
  (await server.database.$client.query(text, values)).rows as Row[];

/** The chains in which a document is cancelled. */
const cancelledIn = async (operation: AnyOperation): Promise<string[]> => {
  const found = await rows<{ chain: string }>(
    `select chain from fiscal_records where type = 'cancel' and number = $1 and document_op_id = $2`,
    [numberOf(operation), operation.op_id],
  );
  return found.map(({ chain }) => chain);
};
const told = (kind: string, of: Order) =>
  rows<{ details: { number?: string } }>('select details from attention_items where kind = $1 and order_id = $2', [
    kind,
    of.id,
  ]);
describe('two tablets cancel one invoiced treatment', () => {
  test.each(['with the cancel', 'after it'])('one credit note counts; the record arrives %s', async (when) => {
    const known = await invoiced();
    const [first, second] = [await Tablet.open(), await Tablet.open()];
    const [cancel, record] = first.cancel(known);
    const [repeated, repeatedRecord] = second.cancel(known, 5);
    await first.send(cancel, record);
    if (when === 'after it') {
      await second.send(repeated);
      await second.send(repeatedRecord);
    } else await second.send(repeated, repeatedRecord);
    const { Cancels, status } = await read(known.id);
    expect(status).toBe('cancelled');
    expect(Cancels.map(({ correction }) => correction!.annulled)).toEqual([false, true]);
    expect(await cancelledIn(cancel)).toEqual([]);
    expect(await cancelledIn(repeated)).toEqual([serverCode]);
    expect(await told('document_annulled', known)).toMatchObject([{ details: { number: numberOf(repeated) } }]);
    // A replay annuls nothing twice.
    await second.send(repeated, repeatedRecord);
    expect(await cancelledIn(repeated)).toEqual([serverCode]);
    const chain = await rows<{ record: FiscalRecord }>(
      'select record from fiscal_records where clinic_id = $1 and chain = $2 order by sequence',
      [server.clinicId, (await cancelledIn(repeated))[0]],
    );
    expect(
      verifyChain(
        chain.map(({ record: each }) => each),
        sha256,
      ),
    ).toEqual([]);
  });
});

test('a payment of another tablet overrules the cancel, and the credit note is annulled', async () => {
  const known = await invoiced();
  const [first, second] = [await Tablet.open(), await Tablet.open()];
  const [cancel, record] = first.cancel(known);
  await first.send(cancel, record);
  const pay = {
    order_id: known.id,
    payment_id: newId(),
    payment_method: 'card' as const,
    amount: 66.05,
    tendered: 66.05,
    change: 0,
  };
  await second.send(second.device.operation('order.pay', pay));
  expect(await read(known.id)).toMatchObject({ status: 'completed', Cancels: [{ correction: { annulled: true } }] });
  expect(await cancelledIn(cancel)).toEqual([serverCode]);
  expect(await told('document_annulled', known)).toHaveLength(1);
  expect(await told('cancel_overruled', known)).toHaveLength(1);
  await call('POST', `/orders/${known.id}/refunds`, { amount: 66.05, reason: 'Not done' });
  expect((await read(known.id)).Payments.at(-1)!.credit_note).toMatchObject({
    tax_totals: [{ gross: -60 }, { base: -5, tax: -1.05, gross: -6.05 }],
  });
});

describe('two tablets invoice one unpaid treatment', () => {
  const unpaid = async (): Promise<Order> => order((await call('POST', '/orders', { items })).data.id);
  const open = (of: Order) =>
    rows<{ details: Record<string, unknown> }>(
      `select details from attention_items where kind = 'over_invoiced' and order_id = $1 and settled_at is null`,
      [of.id],
    );

  test('both invoices stand, and a manager is told of both until they are corrected', async () => {
    const known = await unpaid();
    const [first, second] = [await Tablet.open(), await Tablet.open()];
    const [invoice, record] = first.invoice(known);
    const [repeated, repeatedRecord] = second.invoice(known);
    await first.send(invoice, record);
    expect(await open(known)).toEqual([]);
    await second.send(repeated, repeatedRecord);
    expect((await read(known.id)).Invoices).toHaveLength(2);
    expect([await cancelledIn(invoice), await cancelledIn(repeated)]).toEqual([[], []]);
    expect(await open(known)).toMatchObject([
      { details: { invoices: `${numberOf(invoice)}, ${numberOf(repeated)}`, surplus: 66.05, number: known.number } },
    ]);
    // A cancel that knows of both corrects both.
    await first.send(...first.cancel(await order(known.id)));
    expect(await open(known)).toEqual([]);
  });

  test('what remains after it was paid and refunded is told until the treatment is cancelled', async () => {
    const known = await unpaid();
    const [first, second] = [await Tablet.open(), await Tablet.open()];
    await first.send(...first.invoice(known));
    await second.send(...second.invoice(known));
    await call('POST', `/orders/${known.id}/payments`, { amount: 66.05, payment_method: 'card' });
    expect(await open(known)).toMatchObject([{ details: { surplus: 66.05 } }]);
    await call('POST', `/orders/${known.id}/refunds`, { amount: 66.05, reason: 'Invoiced twice' });
    expect((await read(known.id)).status).toBe('cancelled');
    expect(await open(known)).toMatchObject([{ details: { surplus: 66.05 } }]);
    await first.send(...first.cancel(await order(known.id)));
    expect(await open(known)).toEqual([]);
  });

  test('an invoice of a treatment that another tablet has cancelled is told', async () => {
    const known = await unpaid();
    const [first, second] = [await Tablet.open(), await Tablet.open()];
    await first.send(first.device.operation('order.cancel', { order_id: known.id, status: 'cancelled' }));
    expect(await open(known)).toEqual([]);
    const [invoice, record] = second.invoice(known);
    await second.send(invoice, record);
    expect(await open(known)).toMatchObject([{ details: { invoices: numberOf(invoice), surplus: 66.05 } }]);
  });

  test('two that take the money are told of the surplus alone, whose refund corrects the second invoice', async () => {
    const known = await unpaid();
    const tablets = [await Tablet.open(), await Tablet.open()];
    for (const { device } of tablets) {
      const issue = { invoiceId: newId(), number: device.number('invoice'), issuedAtMs: Date.now() };
      const invoice = issueInvoice(context, { ...issue, order: known, lines: known.lines, payment: null });
      const payment = { order_id: known.id, payment_id: newId(), payment_method: 'card' as const };
      const [paid] = await device.send(
        device.operation('order.pay', { ...payment, amount: 66.05, tendered: 66.05, change: 0, invoice }),
      );
      expect(paid).toMatchObject({ status: 'applied' });
    }
    expect(await told('overpaid', known)).toHaveLength(1);
    expect(await open(known)).toEqual([]);
    await call('POST', `/orders/${known.id}/refunds`, { amount: 66.05, reason: 'Paid twice' });
    expect(await open(known)).toEqual([]);
  });
});

test('two tablets take the money of one invoice: the refund of the surplus leaves the invoice as it is', async () => {
  const known = await invoiced();
  for (const { device } of [await Tablet.open(), await Tablet.open()]) {
    const payment = { order_id: known.id, payment_id: newId(), payment_method: 'card' as const };
    const [paid] = await device.send(
      device.operation('order.pay', { ...payment, amount: 66.05, tendered: 66.05, change: 0 }),
    );
    expect(paid).toMatchObject({ status: 'applied' });
  }
  const refunded = async (amount: number) => {
    await call('POST', `/orders/${known.id}/refunds`, { amount, reason: 'Paid twice' });
    return (await read(known.id)).Payments.at(-1)!.credit_note!.tax_totals;
  };
  expect(await refunded(60)).toMatchObject([{ base: 0, tax: 0, gross: 0 }]);
  // The rest of the surplus, and the toothbrush.
  expect(await refunded(6.05 + 6.05)).toMatchObject([{ gross: -5.5 }, { gross: -0.55 }]);
  expect(grossOf(invoicedGross(await order(known.id)))).toBe(60_00);
});

test('a simplified invoice above 400 euros counts, and a manager is told; a full one and a smaller one are not', async () => {
  const tablet = await Tablet.open();
  const price = (of: number) => [{ ...items[0]!, quantity: of }];
  const of = async (quantity: number): Promise<Order> =>
    order((await call('POST', '/orders', { items: price(quantity) })).data.id);
  const [most, large, full] = [await of(6), await of(7), await of(7)];
  for (const known of [most, large]) await tablet.send(...tablet.invoice(known));
  await call('POST', `/orders/${full.id}/invoices`, { recipient });
  expect((await read(full.id)).Invoices).toMatchObject([{ document_type: 'F1' }]);
  expect([await told('simplified_too_large', most), await told('simplified_too_large', full)]).toEqual([[], []]);
  const [invoice] = (await read(large.id)).Invoices;
  expect(await told('simplified_too_large', large)).toMatchObject([
    { details: { number: invoice!.invoice_number, stated: 420 } },
  ]);
  const asked = await of(60);
  await call('POST', `/orders/${asked.id}/payments`, { amount: 3600, payment_method: 'card' });
  expect((await read(asked.id)).Invoices).toEqual([]);
  expect(await told('under_invoiced', asked)).toHaveLength(1);
});

test('a manager is told of cash from 1,000 euros, taken or given back, also over REST', async () => {
  const price = (of: number) => [{ ...items[0]!, quantity: of }];
  const of = async (quantity: number) => order((await call('POST', '/orders', { items: price(quantity) })).data.id);
  const known = await of(20);
  const pay = (amount: number, payment_method: string) =>
    call('POST', `/orders/${known.id}/payments`, { amount, payment_method, recipient });
  await pay(150, 'card');
  await pay(999.99, 'cash');
  expect(await told('cash_limit', known)).toEqual([]);
  await pay(0.01, 'cash');
  const told1000 = { details: { number: known.number, stated: 1000, currency: 'EUR' } };
  expect(await told('cash_limit', known)).toMatchObject([told1000]);
  const refund = (amount: number) =>
    call('POST', `/orders/${known.id}/refunds`, { amount, payment_method: 'cash', reason: 'Not done' });
  await refund(400);
  expect(await told('cash_limit', known)).toHaveLength(1);
  await refund(600);
  expect(await told('cash_limit', known)).toMatchObject([told1000, told1000]);
});

test('two tablets exchange one invoice: the later full invoice is annulled', async () => {
  const known = await invoiced();
  const [first, second] = [await Tablet.open(), await Tablet.open()];
  const [exchange, record] = first.exchange(known, Date.now() - 1000);
  const [repeated, repeatedRecord] = second.exchange(known, Date.now());
  await second.send(repeated, repeatedRecord);
  expect(await cancelledIn(repeated)).toEqual([]);
  await first.send(exchange, record);
  expect(await cancelledIn(exchange)).toEqual([]);
  expect(await cancelledIn(repeated)).toEqual([serverCode]);
  expect(await told('document_annulled', known)).toMatchObject([{ details: { number: numberOf(repeated) } }]);
});
