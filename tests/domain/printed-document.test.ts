import { expect, test } from 'vitest';
import { invoiceRows, receiptRows } from '../../domain/order/printed-document.ts';
import type { DocumentContext } from '../../domain/order/printed-document.ts';
import type { Order, Payment } from '../../domain/order/order.ts';
import { defaultSettings } from '../../domain/settings/settings.ts';
import { documentLabels, noon } from '../src/db/tablet.ts';

const settings = {
  ...defaultSettings,
  practice_name: 'Clínica Luz',
  address: 'Calle Mayor 1\nMadrid',
  tax_note: 'Exento de IVA',
  currency: 'LKR' as const,
};
const context: DocumentContext = { settings, language: 'sp', labels: documentLabels, cashierName: 'Ana' };
const payment: Payment = {
  paymentId: 'p',
  opId: 'o',
  method: 'cash',
  amountMinor: 12_050,
  tenderedMinor: 15_000,
  changeMinor: 2950,
  reference: '',
  creditNoteNumber: null,
  creditNote: null,
  reason: '',
  refundedLines: [],
  allowances: [],
  reductionMinor: 0,
  isStillOwed: false,
  actorId: 7,
  deviceId: 3,
  atMs: noon,
};
const lines = [
  {
    lineId: 'l',
    stockId: 1,
    productId: null,
    name: 'Limpieza',
    quantityMilli: 2500,
    unitPriceMinor: 5000,
    notes: '',
    opId: 'o',
    position: 0,
    replaces: null,
  },
];
const order: Order = {
  id: 'x',
  opId: 'o',
  number: 'T-A7-000001',
  type: 'walk_in',
  customerName: 'Eva',
  patientId: null,
  roomId: null,
  roomNumber: '',
  notes: '',
  currency: 'EUR',
  discountMinor: 950,
  agreedDiscountMinor: 950,
  discountReason: '',
  chargeMinor: 500,
  createdAtMs: Date.UTC(2026, 4, 11, 23, 30),
  createdBy: 7,
  deviceId: 3,
  lines,
  payments: [payment],
  removedLines: [],
  cancels: [],
  changes: [],
  invoices: [],
};
const invoice = {
  invoice_id: 'i',
  invoice_number: 'INV-A7-000001',
  issued_at: new Date(noon).toISOString(),
  currency: 'EUR',
  subtotal: 125,
  discount_amount: 9.5,
  service_charge_amount: 5,
  service_charge_percentage: 4,
  total_amount: 120.5,
  line_ids: ['l'],
  language: 'sp',
};

test('an invoice contains all required data, in the clinic’s time zone and the treatment’s currency', () => {
  const rows = invoiceRows(context, { order, invoice, lines, payments: [payment] });
  expect(
    rows.map(({ style, left, right }) => [style, left, right].filter((part) => part !== undefined).join(' | ')),
  ).toEqual([
    'title | Clínica Luz',
    'small | Calle Mayor 1',
    'small | Madrid',
    'text | Thank you for choosing our dental practice!',
    'rule',
    'title | Invoice',
    'pair | No. | INV-A7-000001',
    'pair | Issued | 12 may 2026, 12:00',
    'pair | Treatment | T-A7-000001',
    'pair | Date of treatment | 12\u00a0may\u00a02026',
    'pair | Customer | Eva',
    'pair | Served by | Ana',
    'rule',
    'item | Limpieza | EUR 125,00',
    'small | 2,5 × EUR 50,00',
    'rule',
    'pair | Subtotal | EUR 125,00',
    'pair | Discount | EUR -9,50',
    'pair | Service charge | EUR 5,00',
    'total | Total | EUR 120,50',
    'pair | Cash | EUR 120,50',
    'pair | Tendered | EUR 150,00',
    'pair | Change | EUR 29,50',
    'small | Exento de IVA',
    'text | Visit again soon!',
  ]);
});

test('a receipt states the amounts paid and still due', () => {
  const rows = receiptRows(context, {
    order: { ...order, payments: [{ ...payment, amountMinor: 5000 }] },
    payment: { ...payment, amountMinor: 5000, changeMinor: 0 },
  });
  const amounts = Object.fromEntries(rows.flatMap(({ left, right }) => (right ? [[left, right]] : [])));
  expect(amounts).toMatchObject({ Cash: 'EUR 50,00', Total: 'EUR 120,50', Paid: 'EUR 50,00', Balance: 'EUR 70,50' });
  expect(amounts).not.toHaveProperty('Change');
});

test('SYNC-2 rows are cut to the limit of the API, without splitting a character', () => {
  const long = { ...settings, receipt_header: 'x'.repeat(498) + '😀😀' };
  const rows = invoiceRows({ ...context, settings: long }, { order, invoice, lines, payments: [payment] });
  expect(Math.max(...rows.map(({ left = '' }) => left.length))).toBeLessThanOrEqual(500);
  expect(rows.some(({ left = '' }) => /\p{Cs}/u.test(left))).toBe(false);
});
