import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { drawerPayments } from '#domain/drawer/drawer-payments.ts';
import { drawerReport } from '#domain/drawer/report.ts';
import { reportFromResource, reportResource } from '#domain/drawer/resource.ts';
import { needsFullInvoice, nextInvoiceMinor } from '#domain/order/billing.ts';
import { exchangeInvoice, issueInvoice } from '#domain/order/issue-documents.ts';
import { creditNoteSeries } from '#domain/order/issue-tax.ts';
import { refundTerms } from '#domain/order/refund-terms.ts';
import { linePrices } from '#domain/order/line-prices.ts';
import { statusOf, totals } from '#domain/order/totals.ts';
import { recipientProblems, tidyRecipient } from '#domain/tax/recipient.ts';
import type { Recipient } from '#domain/tax/document.ts';
import { withoutPatientText } from '#domain/patient/erasure.ts';
import { invoicedGross, owedGross } from '#domain/order/tax-totals.ts';
import type { GrossByTax } from '#domain/order/tax-totals.ts';
import { flagsOf } from '#domain/order/flags.ts';
import type { Order } from '#domain/order/order.ts';
import { minorFromWire } from '#domain/money.ts';
import { baseOf, rateBpsOf, taxKey } from '#domain/tax/tax.ts';
import { taxTotalFromWire } from '#domain/tax/wire.ts';
import type { TaxPayload } from '#domain/tax/wire.ts';
import {
  amounts,
  context,
  drawer,
  exempt,
  firstDay,
  id,
  line,
  recipient,
  settings,
  Visit,
} from '../support/taxed-visit.ts';

describe('a table worked out by hand', () => {
  const brush = { rate: 21 };

  test('an exempt treatment and a taxed toothbrush on one invoice', () => {
    const visit = new Visit().create([line(1, 60, exempt), line(2, 6.05, brush)]);
    const invoice = visit.pay(66.05)!;
    expect(amounts(invoice)).toEqual([
      ['E1', 60, 0, 60],
      ['21 %', 5, 1.05, 6.05],
    ]);
    expect(invoice).toMatchObject({ document_type: 'F2', total_amount: 66.05, issuer: { tax_id: 'B65410011' } });
    expect(invoice).not.toHaveProperty('recipient');
  });

  test('a discount over both', () => {
    // 10 of 66.05: 60 / 66.05 × 10 = 9.08 of the treatment, and 0.92 of the toothbrush. 5.13 / 1.21 = 4.24.
    const visit = new Visit().create([line(1, 60, exempt), line(2, 6.05, brush)], { discount: 10 });
    const invoice = visit.pay(56.05)!;
    expect(amounts(invoice)).toEqual([
      ['E1', 50.92, 0, 50.92],
      ['21 %', 4.24, 0.89, 5.13],
    ]);
    expect(invoice).toMatchObject({ subtotal: 66.05, discount_amount: 10, total_amount: 56.05 });
  });

  test('a part refund, then the rest', () => {
    const visit = new Visit().create([line(1, 60, exempt), line(2, 12.1, brush)], { discount: 0 });
    visit.pay(72.1);
    // The toothbrush comes back: 12.10 is 10.00 and 2.10.
    const part = visit.refund(12.1, [id(2)]);
    expect(amounts(part)).toEqual([['21 %', -10, -2.1, -12.1]]);
    expect(part).toMatchObject({
      document_type: 'R5',
      corrects: [{ number: 'INV-A7-000001', issued_on: '2026-05-12' }],
    });
    expect(amounts(visit.refund(60))).toEqual([['E1', -60, 0, -60]]);
  });

  test('a refund without services is of all of them in proportion', () => {
    const visit = new Visit().create([line(1, 60, exempt), line(2, 12.1, brush)]);
    visit.pay(72.1);
    // 20 of 72.10: 60 / 72.10 × 20 = 16.64, and 3.36. The base of 8.74 is 7.22, so 10.00 − 7.22 = 2.78 goes.
    expect(amounts(visit.refund(20))).toEqual([
      ['E1', -16.64, 0, -16.64],
      ['21 %', -2.78, -0.58, -3.36],
    ]);
  });

  test('what the next invoice bills is known before it is issued', () => {
    const visit = new Visit().create([line(1, 3500, exempt)]);
    visit.pay(1000);
    expect(nextInvoiceMinor(visit.order!)).toBe(2500_00);
    visit.invoice();
    // Receipts follow.
    expect(nextInvoiceMinor(visit.order!)).toBe(0);
  });

  test('a treatment above 400 needs a full invoice, in whole and in parts', () => {
    const isFull = (visit: Visit, tax_profile: 'ES' | 'none' = 'ES') => needsFullInvoice({ tax_profile }, visit.order!);
    const visit = new Visit().create([line(1, 400, exempt)]);
    expect(isFull(visit)).toBe(false);
    visit.add([line(2, 0.01, exempt)]);
    expect([isFull(visit), isFull(visit, 'none')]).toEqual([true, false]);
    visit.pay(300);
    expect(isFull(visit)).toBe(true);
    visit.refund(100);
    expect(isFull(visit)).toBe(false);
  });

  test('money that no invoice has billed is what the next one bills', () => {
    const visit = new Visit().create([line(1, 500, exempt)]);
    const known = visit.order!;
    visit.pay(500);
    visit.refund(500);
    visit.pay(500, undefined, known);
    expect(nextInvoiceMinor(visit.order!)).toBe(0);
    visit.order = { ...visit.order!, invoices: [] };
    expect(needsFullInvoice({ tax_profile: 'ES' }, visit.order)).toBe(true);
  });

  test('an advance, and the final invoice of another day', () => {
    const visit = new Visit().create([line(1, 100, exempt), line(2, 21, brush)]);
    // 50 of 121: 100 / 121 × 50 = 41.32, and 8.68, of which 7.17 is the base.
    const advance = visit.pay(50)!;
    expect(amounts(advance)).toEqual([
      ['E1', 41.32, 0, 41.32],
      ['21 %', 7.17, 1.51, 8.68],
    ]);
    expect(advance).toMatchObject({ document_type: 'F2', line_ids: [], total_amount: 50 });
    expect(advance).not.toHaveProperty('operation_on');
    visit.atMs += 7 * 86_400_000;
    // 21 / 1.21 = 17.36; 17.36 − 7.17 = 10.19.
    const last = visit.pay(71)!;
    expect(amounts(last)).toEqual([
      ['E1', 58.68, 0, 58.68],
      ['21 %', 10.19, 2.13, 12.32],
    ]);
    expect(last).toMatchObject({ subtotal: 121, total_amount: 71, operation_on: '2026-05-12' });
    expect(last.printed).toContainEqual(
      expect.objectContaining({ style: 'pair', left: 'Already invoiced', right: 'EUR -50,00' }),
    );
  });
});

test('the late invoice of an advance says the day on which the money was taken', () => {
  const visit = new Visit().create([line(1, 100, exempt)]);
  visit.pay(50);
  const content = { invoiceId: id(77), number: 'INV-A7-000009', order: visit.order!, lines: [], advanceMinor: 10_00 };
  const issued = (days: number) =>
    issueInvoice(context, { ...content, issuedAtMs: visit.atMs + days * 86_400_000, payment: null });
  expect(issued(2)).toMatchObject({ operation_on: '2026-05-12' });
  expect(issued(0)).not.toHaveProperty('operation_on');
});

describe('the paper', () => {
  test('of a simplified invoice shows issuer, tax of each line, bases and taxes', () => {
    const visit = new Visit().create([line(1, 60, exempt), line(2, 6.05, { rate: 21 })]);
    const rows = visit.pay(66.05)!.printed.map(({ left = '', right }) => (right ? `${left} | ${right}` : left));
    expect(rows).toEqual(
      expect.arrayContaining([
        'Simplified invoice',
        'Clínica Dental Luz, S.L.',
        'NIF B65410011',
        '28013 Madrid',
        'VAT exempt',
        'VAT 21 %',
        'Exempt base (E1) | EUR 60,00',
        'Taxable base 21 % | EUR 5,00',
        'VAT 21 % | EUR 1,05',
      ]),
    );
  });

  test('repeats neither a tax note nor a postal code that the address has already', () => {
    const visit = new Visit().create([line(1, 60, exempt)]);
    const typed = { ...settings, tax_note: 'Exempt by article 20', address: 'Calle Mayor 1, 28013 Madrid' };
    const issue = {
      invoiceId: id(1),
      number: 'INV-A7-000001',
      issuedAtMs: firstDay,
      order: visit.order!,
      payment: null,
    };
    const lefts = (profile: 'none' | 'ES') =>
      issueInvoice(
        { ...context, settings: { ...typed, tax_profile: profile } },
        { ...issue, lines: visit.order!.lines },
      ).printed.map(({ left }) => left);
    expect(lefts('ES').filter((left) => left?.includes('28013'))).toEqual(['Calle Mayor 1, 28013 Madrid']);
    expect(lefts('ES')).not.toContain('Exempt by article 20');
    expect(lefts('none')).toContain('Exempt by article 20');
  });

  test('of a full invoice names its recipient, and its credit note has a series of its own', () => {
    const visit = new Visit().create([line(1, 600, exempt)]);
    const invoice = visit.pay(600, recipient)!;
    expect(invoice).toMatchObject({ document_type: 'F1', recipient });
    expect(invoice.printed).toContainEqual(
      expect.objectContaining({ style: 'pair', left: 'Recipient', right: 'Eva Ruiz' }),
    );
    expect(
      creditNoteSeries(visit.order!, { amountMinor: 600_00, ...refundTerms(visit.order!, { amountMinor: 600_00 }) }),
    ).toBe('full_credit_note');
    expect(visit.refund(600)).toMatchObject({ document_type: 'R1', recipient });
  });

  test('a full invoice in exchange for a simplified one bills nothing twice', () => {
    const visit = new Visit().create([line(1, 60, exempt), line(2, 6.05, { rate: 21 })]);
    const simplified = visit.pay(66.05)!;
    const order = visit.order!;
    const [invoice] = order.invoices;
    const full = exchangeInvoice(context, {
      invoiceId: id(77),
      number: 'F-A7-000001',
      issuedAtMs: firstDay,
      order,
      invoice: invoice!,
      recipient,
    });
    expect(full).toMatchObject({
      document_type: 'F3',
      recipient,
      replaces: { number: simplified.invoice_number, issued_on: '2026-05-12' },
      tax_totals: simplified.tax_totals,
    });
    const exchanged = { ...order, invoices: [...order.invoices, { ...full, op_id: id(78) }] };
    expect(invoicedGross(exchanged)).toEqual(invoicedGross(order));
  });

  test('without a tax profile is what it was', () => {
    const plain = { ...context, settings: { ...settings, tax_profile: 'none' as const } };
    const { order } = new Visit().create([line(1, 60, exempt)]);
    const issue = { invoiceId: id(1), number: 'INV-A7-000001', issuedAtMs: firstDay, order: order!, payment: null };
    const invoice = issueInvoice(plain, { ...issue, lines: order!.lines });
    for (const field of ['document_type', 'tax_totals', 'issuer', 'recipient'])
      expect(invoice).not.toHaveProperty(field);
  });
});

test('the Z report adds the bases and taxes of invoices and credit notes, and counts full invoices apart', () => {
  const visit = new Visit().create([line(1, 60, exempt), line(2, 12.1, { rate: 21 })]);
  visit.pay(20);
  visit.pay(52.1, recipient);
  visit.refund(12.1, [id(2)]);
  const report = drawerReport(drawer, drawerPayments(visit.order!), []);
  expect(report.invoices).toEqual([
    { first: 'INV-A7-000001', last: 'INV-A7-000001', count: 1 },
    { first: 'F-A7-000002', last: 'F-A7-000002', count: 1 },
  ]);
  expect(report.taxes).toEqual([
    { category: { exempt: 'E1' }, grossMinor: 60_00, baseMinor: 60_00, taxMinor: 0 },
    { category: { rateBps: 2100 }, grossMinor: 0, baseMinor: 0, taxMinor: 0 },
  ]);
  expect(reportFromResource(reportResource(report))).toEqual(report);
  expect(drawerReport(drawer, [], [])).not.toHaveProperty('taxes');
});

test('the Z report counts the discount of an invoice once when a full invoice takes its place', () => {
  const visit = new Visit().create([line(1, 60, exempt)], { discount: 20 });
  visit.pay(40);
  const { order } = visit;
  const [simplified] = order!.invoices;
  const issue = { invoiceId: id(77), number: 'F-A7-000001', issuedAtMs: firstDay };
  const full = exchangeInvoice(context, { ...issue, order: order!, invoice: simplified!, recipient });
  const exchanged = { ...order!, invoices: [simplified!, { ...full, op_id: id(78), device_id: 1 }] };
  const report = drawerReport(drawer, drawerPayments(exchanged), []);
  expect(report.discounts).toEqual({ count: 1, amountMinor: 20_00 });
  expect(report.invoices.map(({ first }) => first)).toEqual(['INV-A7-000001', 'F-A7-000001']);
});

test('the erasure of a patient leaves the recipient only on the stored document', () => {
  const payload = { invoice: { invoice_number: 'F-A7-000001', recipient } };
  expect(JSON.stringify(withoutPatientText(payload, { keepDocuments: false }))).not.toMatch(/Eva|12345678Z|Calle Sol/);
  expect(withoutPatientText(payload, { keepDocuments: true })).toEqual(payload);
});

test('a recipient needs a name, a valid NIF and an address', () => {
  expect(recipientProblems(tidyRecipient({ ...recipient, tax_id: ' 12.345.678-z ' }))).toEqual({});
  const none = { name: ' ', tax_id: '12345678A', address: '', postal_code: '99001', city: '' };
  expect(recipientProblems(tidyRecipient(none))).toEqual({
    name: 'REQUIRED',
    tax_id: 'TAX_ID_INVALID',
    address: 'REQUIRED',
    postal_code: 'POSTAL_CODE_INVALID',
    city: 'REQUIRED',
  });
});

test('a recipient without a NIF needs a number, its country and an address of any form', () => {
  const tourist = {
    name: 'Anne Martin',
    tax_id: ' x-123 4567',
    address: '3 rue Mercière, Lyon',
    postal_code: '',
    city: '',
  };
  const tidy = tidyRecipient({ ...tourist, id_type: '03', country: 'FR' });
  expect(tidy).toMatchObject({ tax_id: 'X1234567', id_type: '03', country: 'FR' });
  expect(recipientProblems(tidy)).toEqual({});
  const problems = (over: Partial<Recipient>) => recipientProblems({ ...tidy, ...over });
  expect(problems({ country: '' })).toEqual({ country: 'COUNTRY_REQUIRED' });
  expect(problems({ id_type: '04', country: 'ES' })).toEqual({ country: 'COUNTRY_REQUIRED' });
  expect(problems({ tax_id: '' })).toEqual({ tax_id: 'FOREIGN_ID_INVALID' });
  expect(problems({ id_type: '02', tax_id: 'FR1' })).toEqual({ tax_id: 'FOREIGN_ID_INVALID' });
  expect(problems({ id_type: '02', tax_id: 'FR40303265045' })).toEqual({});
  expect(problems({ address: '' })).toEqual({ address: 'REQUIRED' });
});

const taxes = fc.constantFrom<TaxPayload>(exempt, { rate: 21 }, { rate: 10 }, { rate: 4 });
const lines = fc.array(fc.tuple(fc.nat(50_000), taxes, fc.integer({ min: 1, max: 5 })), { minLength: 1, maxLength: 6 });
const steps = fc.array(
  fc.oneof(
    fc.record({ pay: fc.double({ min: 0.01, max: 1, noNaN: true }) }),
    fc.record({
      refund: fc.double({ min: 0.01, max: 1, noNaN: true }),
      line: fc.option(fc.nat(8)),
      isStillOwed: fc.boolean(),
    }),
    fc.record({ add: lines }),
  ),
  { maxLength: 8 },
);

test('the documents of a treatment add up, whatever happens, and a full refund leaves nothing', () => {
  fc.assert(
    fc.property(lines, fc.nat(100), fc.nat(5000), steps, (first, discountPercent, charge, then) => {
      let next = 0;
      const linesOf = (drawn: typeof first) =>
        drawn.map(([minor, tax, quantity]) => line(++next, minor / 100, tax, quantity));
      const items = linesOf(first);
      const subtotalMinor = items.reduce((sum, item) => sum + minorFromWire(item.unit_price) * item.quantity, 0);
      const discount = Math.floor((subtotalMinor * discountPercent) / 100) / 100;
      const visit = new Visit().create(items, { discount, charge: charge / 100 });
      const charged = (gross: (order: Order) => GrossByTax) =>
        Object.fromEntries([...gross(visit.order!)].filter(([, minor]) => minor !== 0));
      const check = () => {
        const { paidMinor } = totals(visit.order!);
        const bases = new Map<string, [gross: number, base: number]>();
        for (const document of visit.documents)
          for (const { category, grossMinor, baseMinor, taxMinor } of document.tax_totals!.map(taxTotalFromWire)) {
            expect(baseMinor + taxMinor).toBe(grossMinor);
            const [gross, base] = bases.get(taxKey(category)) ?? [0, 0];
            bases.set(taxKey(category), [gross + grossMinor, base + baseMinor]);
          }
        let invoicedMinor = 0;
        for (const [key, [gross, base]] of bases) {
          expect(base).toBe(baseOf(gross, /^\d/.test(key) ? Number(key) : rateBpsOf({ exempt: 'E1' })));
          invoicedMinor += gross;
        }
        // Every payment is invoiced at once, and nothing else is.
        expect(invoicedMinor).toBe(paidMinor);
        expect(flagsOf(visit.order!)).toEqual([]);
        // What is paid in full is invoiced by tax as the lines earn it.
        if (paidMinor > 0 && statusOf(visit.order!) === 'completed')
          expect(charged(invoicedGross)).toEqual(charged(owedGross));
        return bases;
      };
      const pay = (part: number) => {
        const { balanceMinor } = totals(visit.order!);
        if (balanceMinor > 0) visit.pay(Math.max(1, Math.floor(balanceMinor * part)) / 100);
      };
      for (const step of then) {
        const { paidMinor } = totals(visit.order!);
        if (visit.order!.cancels.length === 0 && 'add' in step) {
          if (totals(visit.order!).paidMinor > 0 || visit.order!.payments.length === 0) visit.add(linesOf(step.add));
        } else if ('pay' in step) {
          if (paidMinor > 0 || visit.order!.payments.length === 0) pay(step.pay);
        } else if ('refund' in step && paidMinor > 0) {
          const amount = Math.max(1, Math.floor(paidMinor * step.refund)) / 100;
          const named = linePrices(visit.order!)[step.line ?? -1];
          visit.refund(amount, named && named.earnedMinor > 0 ? [named.line.lineId] : [], step);
        }
        check();
      }
      const { paidMinor } = totals(visit.order!);
      if (paidMinor > 0) visit.refund(paidMinor / 100);
      for (const [gross, base] of check().values()) expect([gross, base]).toEqual([0, 0]);
    }),
    { seed: 20_261_122, numRuns: 150 },
  );
});
