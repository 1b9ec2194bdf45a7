/**
 * A clinic that is bound to VERI*FACTU and has not begun issues no document. Its counter takes money all the same, and what was
 * taken is invoiced as soon as VERI*FACTU begins.
 */
import { describe, expect, test } from 'vitest';
import { composeCollective } from '#domain/order/compose-collective.ts';
import { composeCancel, composeInvoice, composePayment, composeRefund } from '#domain/order/compose-documents.ts';
import { nextInvoiceMinor } from '#domain/order/billing.ts';
import { flagsOf } from '#domain/order/flags.ts';
import { reduceOrder } from '#domain/order/operations.ts';
import type { OrderOperation } from '#domain/order/operations.ts';
import type { Order } from '#domain/order/order.ts';
import { statusOf } from '#domain/order/totals.ts';
import { mustNotInvoice } from '#domain/settings/verifactu.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import { context, exempt, id, line, recipient, settings } from '../support/taxed-visit.ts';

const obligatory = Date.parse('2027-01-01T00:00:00+01:00');
const company = { ...settings, tax_id: 'B65410011', postal_code: '28013' };

let ids = 500;
const issue = (atMs = obligatory, more: Partial<ClinicSettings> = {}) => ({
  ...context,
  settings: { ...company, ...more },
  atMs,
  newId: () => id(++ids),
});
const operation = (kind: string, payload: object): OrderOperation =>
  ({ op_id: id(++ids), device_id: 3, actor_id: 7, kind, payload }) as unknown as OrderOperation;
const after = (order: Order | null, kind: string, payload: object, atMs = obligatory): Order =>
  reduceOrder(order, operation(kind, payload), atMs)!;

const treatment = (price = 60): Order =>
  after(null, 'order.create', {
    order_id: id(1),
    number: 'T-A7-000001',
    order_type: 'walk_in',
    items: [line(1, price, exempt)],
    currency: 'EUR',
    service_charge: 0,
    discount: 0,
    total: price,
  });

/** Returns the payload of a composed operation; the number of its document is the first of its series. */
function made(composed: ReturnType<typeof composePayment>) {
  if (!composed.ok) throw new Error(composed.refusal.code);
  const { series, payload } = composed.value;
  return series === null ? payload : payload('X-A7-000001');
}
const pay = (order: Order, at = issue()) => made(composePayment(at, order, { method: 'card', tenderedMinor: 60_00 }));
const codeOf = (result: { ok: boolean; refusal?: { code: string } }) => (result.ok ? null : result.refusal?.code);
const refund = (order: Order, at = issue()) =>
  composeRefund(at, order, { amountMinor: 60_00, method: 'card', reason: 'Not done' });

test.each<[string, Partial<ClinicSettings>, string, boolean]>([
  ['a company on the eve', {}, '2026-12-31', false],
  ['a company from its day on', {}, '2027-01-01', true],
  ['a self-employed person before theirs', { tax_id: '12345678Z' }, '2027-06-30', false],
  ['a self-employed person from theirs on', { tax_id: '12345678Z' }, '2027-07-01', true],
  ['a company that has begun', { verifactu_since: '2027-01-01' }, '2027-01-01', false],
  ['a company that begins later', { verifactu_since: '2027-02-01' }, '2027-01-31', true],
  [
    'a company that began and left',
    { verifactu_since: '2026-07-01', verifactu_until: '2026-12-31' },
    '2027-01-01',
    false,
  ],
  ['a company with its books at SII', { books_by_sii: true }, '2027-01-01', false],
  ['a company in Bilbao', { postal_code: '48009' }, '2027-01-01', false],
  ['a company in Pamplona', { postal_code: '31001' }, '2027-01-01', false],
  ['a clinic without the profile', { tax_profile: 'none' }, '2027-01-01', false],
])('%s', (_who, more, day, isStopped) => {
  expect(mustNotInvoice({ ...company, ...more }, day)).toBe(isStopped);
});

describe('the counter', () => {
  test('takes money without an invoice, which waits', () => {
    const payload = pay(treatment());
    expect(payload).toMatchObject({ amount: 60 });
    expect(payload).not.toHaveProperty('invoice');
    const paid = after(treatment(), 'order.pay', payload);
    expect(statusOf(paid)).toBe('completed');
    expect(flagsOf(paid)).toEqual(['under_invoiced']);
    expect(nextInvoiceMinor(paid)).toBe(60_00);
  });

  test('takes a part and an advance without one', () => {
    const part = after(treatment(100), 'order.pay', pay(treatment(100)));
    expect(part.invoices).toEqual([]);
    expect(statusOf(part)).toBe('confirmed');
  });

  test('issues it once VERI*FACTU has begun, with the day of the service', () => {
    const paid = after(treatment(), 'order.pay', pay(treatment()));
    const later = issue(obligatory + 86_400_000, { verifactu_since: '2027-01-02' });
    const composed = composeInvoice(later, paid, {});
    if (!composed.ok || composed.value.series === null) throw new Error('refused');
    expect(composed.value.payload('INV-A7-000001').invoice).toMatchObject({
      document_type: 'F2',
      operation_on: '2027-01-01',
      total_amount: 60,
    });
  });

  test('gives money back that no invoice has billed, without a corrective invoice', () => {
    const paid = after(treatment(), 'order.pay', pay(treatment()));
    const composed = refund(paid);
    if (!composed.ok || composed.value.series === null) throw new Error('refused');
    expect(composed.value.payload('R-A7-000001').credit_note).not.toHaveProperty('document_type');
  });

  test('goes on as before where the books are at SII', () => {
    expect(pay(treatment(), issue(obligatory, { books_by_sii: true })).invoice).toMatchObject({ document_type: 'F2' });
  });
});

describe('refuses', () => {
  const invoiced = () => after(treatment(), 'order.pay', pay(treatment(), issue(obligatory - 1)));

  test('an invoice, one in exchange, and a collective one', () => {
    expect(codeOf(composeInvoice(issue(), treatment(), { recipient }))).toBe('VERIFACTU_REQUIRED');
    const replaces = invoiced().invoices[0]!.invoice_number;
    expect(codeOf(composeInvoice(issue(), invoiced(), { recipient, replaces }))).toBe('VERIFACTU_REQUIRED');
    expect(codeOf(composeCollective(issue(), [treatment()], { recipient }))).toBe('VERIFACTU_REQUIRED');
  });

  test('what corrects an invoice: its refund, and the cancel of its treatment', () => {
    expect(codeOf(refund(invoiced()))).toBe('VERIFACTU_REQUIRED');
    const composed = composeInvoice(issue(obligatory - 1), treatment(), {});
    if (!composed.ok || composed.value.series === null) throw new Error('refused');
    const billed = after(treatment(), 'order.invoice', composed.value.payload('INV-A7-000001'));
    expect(codeOf(composeCancel(issue(), billed, {}))).toBe('VERIFACTU_REQUIRED');
    expect(composeCancel(issue(), treatment(), {}).ok).toBe(true);
  });
});
