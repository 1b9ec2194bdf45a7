import { describe, expect, test } from 'vitest';
import { drawerPayments } from '#domain/drawer/drawer-payments.ts';
import { drawerReport } from '#domain/drawer/report.ts';
import { orderFromResource } from '#domain/order/resource.ts';
import { orderResource } from '#domain/order/to-resource.ts';
import { decideInvoice } from '#domain/order/billing.ts';
import { decideCancel, decideExchange } from '#domain/order/decisions.ts';
import { statusOf } from '#domain/order/totals.ts';
import type { Order } from '#domain/order/order.ts';
import { invoicedGross, overruledCorrections, repeatedExchanges } from '#domain/order/tax-totals.ts';
import { taxTotalFromWire } from '#domain/tax/wire.ts';
import type { TaxDocumentFields } from '#domain/tax/document.ts';
import { amounts, drawer, exempt, firstDay, id, line, recipient, settings, Visit } from '../support/taxed-visit.ts';

const brush = { rate: 21 };
const visit = () => new Visit().create([line(1, 60, exempt), line(2, 6.05, brush)], { discount: 10 });
const invoiced = (order: Order | null) => Object.fromEntries(invoicedGross(order!));

/** Adds up the bases, taxes and amounts of documents. */
const sum = (documents: readonly TaxDocumentFields[]) =>
  documents
    .flatMap(({ tax_totals = [] }) => tax_totals.map(taxTotalFromWire))
    .reduce(
      ([base, tax, gross], total) => [base! + total.baseMinor, tax! + total.taxMinor, gross! + total.grossMinor],
      [0, 0, 0],
    );

describe('the cancel of an invoiced treatment', () => {
  test('brings every base and tax to 0 by a credit note that names the invoice', () => {
    // 10 of 66.05 off: 60 − 9.08 = 50.92, and 6.05 − 0.92 = 5.13, of which 4.24 is the base.
    const done = visit();
    expect(amounts(done.invoice())).toEqual([
      ['E1', 50.92, 0, 50.92],
      ['21 %', 4.24, 0.89, 5.13],
    ]);
    done.atMs += 86_400_000;
    const note = done.cancel()!;
    expect(amounts(note)).toEqual([
      ['E1', -50.92, 0, -50.92],
      ['21 %', -4.24, -0.89, -5.13],
    ]);
    expect(note).toMatchObject({
      document_type: 'R5',
      corrects: [{ number: 'INV-A7-000001', issued_on: '2026-05-12' }],
      issuer: { tax_id: 'B65410011' },
    });
    expect(sum(done.documents)).toEqual([0, 0, 0]);
    expect(statusOf(done.order!)).toBe('cancelled');
    expect(invoiced(done.order)).toEqual({ E1: 0, '2100': 0 });
    const rows = note.printed.map(({ left = '', right }) => (right ? `${left} | ${right}` : left));

    expect(rows).toEqual(
      expect.arrayContaining([
        'Corrective invoice',
        'Corrects invoice | INV-A7-000001 (12\u00a0May\u00a02026)',
        'Reason: Not done',
        'Total | EUR -56,05',
        'VAT 21 % | EUR -0,89',
      ]),
    );
    expect(rows.join()).not.toMatch(/Refunded|Card|Cash/);
  });

  test('is an R4 with the recipient where the invoice is full, also in exchange', () => {
    const full = visit();
    full.invoice(recipient);
    expect(full.cancel()).toMatchObject({ document_type: 'R4', recipient });
    const exchanged = visit();
    exchanged.invoice();
    exchanged.exchange();
    expect(exchanged.cancel()).toMatchObject({ document_type: 'R4', corrects: [{ number: 'F-A7-000002' }] });
  });

  test('has none where nothing is invoiced, or all is refunded', () => {
    expect(visit().cancel()).toBeUndefined();
    const refunded = visit();
    refunded.pay(56.05);
    refunded.refund(56.05);
    expect(decideCancel(refunded.order!)).toMatchObject({ refusal: { code: 'ORDER_CANCELLED' } });
  });

  test('on two tablets has one correction that counts, whichever arrives first', () => {
    const [first, second] = [visit(), visit()].map((done) => {
      done.invoice();
      return done;
    }) as [Visit, Visit];
    const before = first.order!;
    first.cancel(before);
    first.atMs += 1000;
    first.cancel(before);
    second.atMs += 1000;
    second.cancel(before);
    second.atMs -= 1000;
    second.cancel(before);
    for (const { order } of [first, second]) {
      expect(invoiced(order)).toEqual({ E1: 0, '2100': 0 });
      expect(overruledCorrections(order!).map(({ atMs }) => atMs)).toEqual([firstDay + 1000]);
    }
  });

  test('on a tablet that knew less takes back nothing, when another takes back all', () => {
    const done = visit();
    done.invoice();
    const known = done.order!;
    done.add([line(3, 12.1, brush)]);
    done.invoice();
    done.cancel(known);
    expect(invoiced(done.order)).toEqual({ E1: 0, '2100': 1210 });
    // What another device has invoiced meanwhile needs a correction, too.
    const late = done.order!;
    expect(amounts(done.cancel(late)!)).toEqual([['21 %', -10, -2.1, -12.1]]);
    expect(invoiced(done.order)).toEqual({ E1: 0, '2100': 0 });
    expect(overruledCorrections(done.order!)).toEqual([]);
  });

  test('is overruled by a payment, with its correction', () => {
    const done = visit();
    done.invoice();
    const known = done.order!;
    expect(done.pay(56.05)).toBeUndefined();
    done.cancel(known);
    expect(statusOf(done.order!)).toBe('completed');
    expect(overruledCorrections(done.order!)).toHaveLength(1);
    expect(invoiced(done.order)).toEqual({ E1: 5092, '2100': 513 });
    expect(amounts(done.refund(56.05))).toEqual([
      ['E1', -50.92, 0, -50.92],
      ['21 %', -4.24, -0.89, -5.13],
    ]);
  });

  test('survives the wire', () => {
    const done = visit();
    done.invoice();
    done.cancel();
    expect(orderFromResource(JSON.parse(JSON.stringify(orderResource(done.order!))))).toEqual(done.order);
  });
});

describe('an exchange for a full invoice', () => {
  test('of a partly refunded invoice leaves the refund as it is; of one wholly refunded there is none', () => {
    const done = visit();
    done.pay(56.05);
    done.refund(5.13, [id(2)]);
    expect(amounts(done.exchange())).toEqual([
      ['E1', 50.92, 0, 50.92],
      ['21 %', 4.24, 0.89, 5.13],
    ]);
    expect(invoiced(done.order)).toEqual({ E1: 5092, '2100': 0 });
    expect(done.refund(50.92)).toMatchObject({ document_type: 'R1', corrects: [{ number: 'F-A7-000003' }] });
    const gone = visit();
    gone.pay(56.05);
    gone.refund(56.05);
    expect(decideExchange(gone.order!, 'INV-A7-000001')).toMatchObject({ refusal: { code: 'NOT_EXCHANGEABLE' } });
  });

  test('of an advance bills the advance, and the final invoice the rest', () => {
    const done = visit();
    const advance = done.pay(20)!;
    const full = done.exchange();
    expect(full.tax_totals).toEqual(advance.tax_totals);
    expect(decideExchange(done.order!, advance.invoice_number)).toMatchObject({ ok: false });
    expect(done.pay(36.05)).toMatchObject({ document_type: 'F2', total_amount: 36.05 });
  });

  test('on two tablets counts once', () => {
    const done = visit();
    done.pay(56.05);
    const known = done.order!;
    const first = done.exchange();
    done.order = { ...known };
    done.atMs += 1000;
    const second = done.exchange();
    const both = { ...known, invoices: [...known.invoices, { ...second, op_id: id(71) }, { ...first, op_id: id(70) }] };
    expect(repeatedExchanges(both).map(({ op_id }) => op_id)).toEqual([id(71)]);
    expect(invoiced(both)).toEqual(invoiced(known));
  });
});

describe('of documents of one instant the one with the lower number counts, whatever the ids of their operations', () => {
  test('of two exchanges', () => {
    const done = visit();
    done.pay(56.05);
    const known = done.order!;
    const first = done.exchange();
    done.order = { ...known };
    const second = done.exchange();
    const exchanged = [
      { ...second, op_id: id(70), invoice_id: id(80), invoice_number: 'F-A8-000001' },
      { ...first, op_id: id(71), invoice_id: id(81), invoice_number: 'F-A7-000002' },
    ];
    for (const pair of [exchanged, exchanged.toReversed()]) {
      const both = { ...known, invoices: [...known.invoices, ...pair] };
      expect(repeatedExchanges(both).map(({ invoice_number }) => invoice_number)).toEqual(['F-A8-000001']);
    }
  });

  test('of two corrections', () => {
    const done = visit();
    done.invoice();
    const known = done.order!;
    done.cancel();
    const [first] = done.order!.cancels;
    done.order = { ...known };
    done.cancel();
    const [second] = done.order.cancels;
    const cancels = [
      { ...second!, opId: id(70), correction: { ...second!.correction!, number: 'R-A8-000001' } },
      { ...first!, opId: id(71), correction: { ...first!.correction!, number: 'R-A7-000001' } },
    ];
    for (const pair of [cancels, cancels.toReversed()])
      expect(overruledCorrections({ ...known, cancels: pair })).toMatchObject([
        { correction: { number: 'R-A8-000001' } },
      ]);
  });
});

test('an invoice that a refund took back can be issued again', () => {
  const done = visit();
  done.pay(56.05);
  expect(decideInvoice(settings, done.order!)).toMatchObject({ ok: false });
  done.refund(5.13, [id(2)]);
  expect(decideInvoice(settings, done.order!)).toMatchObject({ ok: false });
  // 50.92 are left: money that was taken by mistake is owed again.
  done.refund(50.92, [], { isStillOwed: true });
  expect(amounts(done.invoice())).toEqual([['E1', 50.92, 0, 50.92]]);
});

test('the Z report has the documents that no payment issued, and counts no sale for them', () => {
  const done = visit();
  done.invoice();
  const report = () => drawerReport(drawer, drawerPayments(done.order!), []);
  expect(report()).toMatchObject({
    sales: { count: 0, amountMinor: 0 },
    discounts: { count: 1, amountMinor: 1000 },
    invoices: [{ first: 'INV-A7-000001', count: 1 }],
    taxes: [
      { category: { exempt: 'E1' }, baseMinor: 5092, taxMinor: 0, grossMinor: 5092 },
      { category: { rateBps: 2100 }, baseMinor: 424, taxMinor: 89, grossMinor: 513 },
    ],
  });
  done.exchange();
  expect(report()).toMatchObject({
    invoices: [{ count: 1 }, { first: 'F-A7-000002', count: 1 }],
    taxes: [{ grossMinor: 5092 }, { grossMinor: 513 }],
  });
  done.cancel();
  expect(report()).toMatchObject({
    sales: { count: 0 },
    refunds: { count: 0 },
    taxes: [{ grossMinor: 0 }, { grossMinor: 0, taxMinor: 0 }],
  });
});
