import { describe, expect, test } from 'vitest';
import { oddInvoice, oddPayment, oddTreatment } from '#domain/order/odd-facts.ts';
import { reduceOrder } from '#domain/order/operations.ts';
import type { CreatePayload, OrderOperation, PayPayload } from '#domain/order/operations.ts';
import type { InvoicePayload } from '#domain/order/order.ts';

const payload: CreatePayload = {
  order_id: 'treatment',
  number: 'T-A7-000001',
  order_type: 'walk_in',
  items: [{ line_id: 'a', stock_id: 1, name: 'Check-up', quantity: 2, unit_price: 50 }],
  currency: 'EUR',
  service_charge: 5,
  discount: 20,
  total: 85,
};
const order = reduceOrder(
  null,
  {
    op_id: 'op-0',
    device_id: 3,
    device_seq: 1,
    aggregate: 'order:treatment',
    depends_on: [],
    v: 1,
    actor_id: 7,
    occurred_at: '2026-05-12T10:00:00.000Z',
    clock_offset_ms: null,
    kind: 'order.create',
    payload,
  } satisfies OrderOperation,
  0,
)!;

const invoice = {
  invoice_number: 'INV-A7-000001',
  currency: 'EUR',
  subtotal: 100,
  discount_amount: 20,
  service_charge_amount: 5,
  total_amount: 85,
  line_ids: ['a'],
} as InvoicePayload;
const payment: PayPayload = {
  order_id: 'treatment',
  payment_id: 'payment',
  payment_method: 'cash',
  amount: 85,
  tendered: 100,
  change: 15,
};
/** What a manager is told of a sum. */
const told = (stated: number, expected: number) => [
  { kind: 'sum_differs', details: { stated, expected, currency: 'EUR' } },
];

describe('the sum of a treatment', () => {
  test.each([
    [85, []],
    [84.99, told(84.99, 85)],
  ])('%d', (total, odd) => expect(oddTreatment({ ...payload, total }, 'EUR')).toEqual(odd));

  test('in another currency than the clinic has is told', () => {
    expect(oddTreatment(payload, 'USD')).toEqual([{ kind: 'currency_differs', details: { currency: 'EUR' } }]);
  });
});

describe('the sums of an invoice', () => {
  const billed = { ...order, invoices: [{ ...invoice, op_id: 'op-1' }] };
  test.each<[string, Partial<InvoicePayload>, unknown[]]>([
    ['of all', {}, []],
    ['of all, after a refund', { total_amount: 65, reduction_amount: 20 }, []],
    ['with another total', { total_amount: 84 }, told(84, 85)],
    ['with another subtotal', { subtotal: 99 }, told(85, 85)],
    ['with another discount', { discount_amount: 19 }, told(85, 85)],
    ['with another charge', { service_charge_amount: 6 }, told(85, 85)],
    ['without discount and charge', { discount_amount: 0, service_charge_amount: 0, total_amount: 100 }, []],
  ])('%s', (_which, over, odd) => expect(oddInvoice({ ...invoice, ...over }, billed)).toEqual(odd));
});

describe('a payment', () => {
  test.each<[string, Partial<PayPayload>, unknown[]]>([
    ['adds up', {}, []],
    ['does not add up', { tendered: 90 }, told(90, 100)],
    ['gives back two of the largest note', { tendered: 1085, change: 1000 }, []],
    [
      'gives back more than two of the largest note',
      { tendered: 1085.01, change: 1000.01 },
      [{ kind: 'change_high', details: { change: 1000.01, currency: 'EUR' } }],
    ],
    [
      'by card gives back money',
      { payment_method: 'card', tendered: 85.01, change: 0.01 },
      [{ kind: 'change_high', details: { change: 0.01, currency: 'EUR' } }],
    ],
  ])('that %s', (_which, over, odd) => expect(oddPayment({ ...payment, ...over }, order)).toEqual(odd));
});
