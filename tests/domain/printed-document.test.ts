import { describe, expect, test } from 'vitest';
import { invoiceRows, receiptRows } from '#domain/order/printed-document.ts';
import type { PrintedRow } from '#domain/printed-row.ts';
import type { DocumentContext } from '#domain/order/document-writer.ts';
import type { Order, Payment } from '#domain/order/order.ts';
import { mostTableLines } from '#domain/order/printed-lines.ts';
import { printedRowSchema } from '#domain/order/schemas.ts';
import { maxBatchBytes } from '#domain/protocol/sync.ts';
import { defaultSettings } from '#domain/settings/settings.ts';
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
  addedNotes: [],
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
    'head',
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

describe('on a sheet', () => {
  const services = [
    { ...lines[0]!, lineId: 'a', name: 'Limpieza', quantityMilli: 2000, unitPriceMinor: 6000, tax: 'E1' },
    { ...lines[0]!, lineId: 'b', name: 'Cepillo', quantityMilli: 1000, unitPriceMinor: 4840, tax: '2100' },
    // It was added after the discount was agreed.
    {
      ...lines[0]!,
      lineId: 'c',
      name: 'Férula',
      quantityMilli: 1000,
      unitPriceMinor: 100_00,
      tax: 'E1',
      opId: 'later',
    },
  ];
  const taxed = { ...context, settings: { ...settings, tax_profile: 'ES' as const, legal_name: 'CLÍNICA LUZ ' } };
  const recipient = { name: 'eva', tax_id: '12345678Z', address: 'Calle Sol 2', postal_code: '28013', city: 'Madrid' };
  const printed = invoiceRows(taxed, {
    order: { ...order, lines: services },
    invoice: {
      ...invoice,
      discount_amount: 10.01,
      document_type: 'F1',
      recipient,
      tax_totals: [
        { exempt: 'E1', base: 212.87, tax: 0, gross: 212.87 },
        { rate: 21, base: 37.53, tax: 7.88, gross: 45.41 },
      ],
    },
    lines: services,
    payments: [payment],
  });
  const tableOf = (part: string) => printed.filter((row) => row.part === part && row.cells).map(({ cells }) => cells);

  test('an invoice has a table of its services, whose discounts add up to that of the document', () => {
    expect(tableOf('table')).toEqual([
      ['Service', 'Quantity', 'Price excl. VAT', 'Discount', 'VAT', 'Amount incl. VAT'],
      ['Limpieza', '2', 'EUR 60,00', 'EUR -7,13', 'Exempt', 'EUR 112,87'],
      ['Cepillo', '1', 'EUR 40,00', 'EUR -2,88', '21 %', 'EUR 45,52'],
      ['Férula', '1', 'EUR 100,00', '', 'Exempt', 'EUR 100,00'],
    ]);
  });

  test('the strip of a full invoice states the unit price without tax of taxed goods, that of a simplified one does not', () => {
    const net = (rows: readonly PrintedRow[]) => rows.filter(({ left }) => left?.startsWith('Price excl. VAT'));
    expect(net(printed)).toMatchObject([{ style: 'small', left: 'Price excl. VAT: EUR 40,00' }]);
    const simplified = invoiceRows(taxed, {
      order: { ...order, lines: services },
      invoice: { ...invoice, document_type: 'F2', tax_totals: [{ exempt: 'E1', base: 1, tax: 0, gross: 1 }] },
      lines: services,
      payments: [payment],
    });
    expect(net(simplified)).toEqual([]);
  });

  test('an invoice has a table of its amounts by tax, as the document states them', () => {
    expect(tableOf('taxes')).toEqual([
      ['Tax', 'Base', 'VAT', 'Total'],
      ['Exempt (E1)', 'EUR 212,87', '–', 'EUR 212,87'],
      ['VAT 21 %', 'EUR 37,53', 'EUR 7,88', 'EUR 45,41'],
    ]);
  });

  test('a full invoice names its recipient whole, however long name and address are', () => {
    const long = { ...recipient, name: 'N'.repeat(200), address: 'A'.repeat(200), city: 'C'.repeat(100) };
    const rows = invoiceRows(taxed, {
      order: { ...order, lines: services },
      invoice: { ...invoice, document_type: 'F1', recipient: long, tax_totals: [] },
      lines: services,
      payments: [payment],
    });
    const [name, , address] = rows.filter(({ part }) => part === 'recipient');
    expect(name!.right).toBe(long.name);
    expect(address!.right).toBe(`${long.address}, 28013 ${long.city}`);
    for (const row of rows) expect(printedRowSchema.safeParse(row).success).toBe(true);
  });

  test('columns without values are left out, and a strip has the same lines without the table', () => {
    const rows = invoiceRows(context, {
      order: { ...order, discountMinor: 0 },
      invoice: { ...invoice, discount_amount: 0 },
      lines,
      payments: [payment],
    });
    const cells = rows.filter(({ part }) => part === 'table').map((row) => row.cells);
    expect(cells).toEqual([
      ['Service', 'Quantity', 'Price', 'Amount'],
      ['Limpieza', '2,5', 'EUR 50,00', 'EUR 125,00'],
      undefined,
    ]);
  });

  test('an advance has no columns of quantity and price, and says what stays due after its payment', () => {
    const rows = invoiceRows(taxed, {
      order: { ...order, lines: services, payments: [] },
      invoice: { ...invoice, subtotal: 50, discount_amount: 0, service_charge_amount: 0, total_amount: 50 },
      lines: [],
      payments: [{ ...payment, amountMinor: 5000, changeMinor: 0 }],
    });
    expect(rows.filter(({ part }) => part === 'table').map(({ cells }) => cells)).toEqual([
      ['Service', 'Amount'],
      [documentLabels.tax.onAccount, 'EUR 50,00'],
    ]);
    // 268,40 less the discount, with the charge, less the advance.
    expect(rows).toContainEqual({ style: 'pair', left: 'Balance', right: 'EUR 213,90', part: 'sums' });
  });

  test('nobody is named twice: neither the practice under its legal name, nor the customer who receives the invoice', () => {
    const texts = printed.map(({ left = '', right = '' }) => `${left} ${right}`.toLowerCase());
    expect(texts.filter((each) => each.includes('clínica luz'))).toHaveLength(1);
    expect(texts.filter((each) => /\beva\b/.test(each))).toEqual(['recipient eva']);
  });

  test('an invoice of very many lines is a list, so that its operation fits a request', () => {
    const many = Array.from({ length: mostTableLines + 1 }, (_, n) => ({
      ...services[1]!,
      lineId: `l${n}`,
      name: 'x'.repeat(200),
      quantityMilli: 2000,
    }));
    const bytesOf = (some: typeof many) => {
      const rows = invoiceRows(taxed, { order: { ...order, lines: some }, invoice, lines: some, payments: [payment] });
      return { bytes: JSON.stringify(rows).length, hasTable: rows.some(({ style }) => style === 'head') };
    };
    expect(bytesOf(many).hasTable).toBe(false);
    const most = bytesOf(many.slice(1));
    expect(most.hasTable).toBe(true);
    expect(most.bytes).toBeLessThan(maxBatchBytes * 0.9);
  });

  test('each row fits the wire', () => {
    for (const row of printed) expect(printedRowSchema.parse(row)).toEqual(row);
  });
});
