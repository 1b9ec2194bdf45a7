/** What is owed after discounts, refunds and added services (decision 042). Amounts in the tables are euros. */
import { describe, expect, test } from 'vitest';
import { decideInvoice } from '#domain/order/billing.ts';
import { decidePayment, decideRefund, refundOfLines } from '#domain/order/decisions.ts';
import { flagsOf } from '#domain/order/flags.ts';
import { linePrices } from '#domain/order/line-prices.ts';
import type { CreditNotePayload, InvoicePayload, Order } from '#domain/order/order.ts';
import { refundTerms, withAmount } from '#domain/order/refund-terms.ts';
import { invoicedMinor } from '#domain/order/tax-totals.ts';
import { statusOf, totals } from '#domain/order/totals.ts';
import type { TaxPayload } from '#domain/tax/wire.ts';
import { amounts, exempt, id, line, Visit } from '../support/taxed-visit.ts';

const [A, B, C] = [id(1), id(2), id(3)];
const brush: TaxPayload = { rate: 21 };
type Profile = 'ES' | 'none';
const profiles: Profile[] = ['ES', 'none'];

/** Services bear a tax only under a tax profile. */
const service = (profile: Profile, n: number, price: number, tax = exempt) =>
  line(n, price, profile === 'ES' ? tax : undefined);

/** A treatment of 200: services A and B of 100 each. */
const treatment = (profile: Profile = 'ES') =>
  new Visit(profile).create([service(profile, 1, 100), service(profile, 2, 100)]);

/** A paid treatment of 200. */
function paid(profile: Profile = 'ES'): Visit {
  const visit = treatment(profile);
  visit.pay(200);
  return visit;
}

const sums = ({ order }: Visit) => {
  const { totalMinor, reductionMinor, owedMinor, paidMinor, balanceMinor } = totals(order!);
  return [totalMinor, reductionMinor, owedMinor, paidMinor, balanceMinor].map((minor) => minor / 100);
};
const earned = ({ order }: Visit) =>
  linePrices(order!).map(({ line: { lineId }, earnedMinor }) => [lineId, earnedMinor / 100]);
const rows = ({ printed }: InvoicePayload | CreditNotePayload) =>
  printed.map(({ left = '', right }) => (right ? `${left} | ${right}` : left));

type Case = [what: string, visit: (profile: Profile) => Visit, sums: number[], status: string, flags?: string[]];
const cases: Case[] = [
  ['paid 200, B refunded', (profile) => refunded(profile, 100, [B]), [200, 100, 100, 100, 0], 'completed'],
  ['paid 200, 50 refunded without a service', (profile) => refunded(profile, 50), [200, 50, 150, 150, 0], 'completed'],
  [
    'paid 200, 50 refunded, still to be paid',
    (profile) => refunded(profile, 50, [], true),
    [200, 0, 200, 150, 50],
    'confirmed',
  ],
  ['paid 200, all refunded', (profile) => refunded(profile, 200), [200, 200, 0, 0, 0], 'cancelled'],
  [
    'paid 200, all refunded, still to be paid',
    (profile) => refunded(profile, 200, [], true),
    [200, 0, 200, 0, 200],
    'confirmed',
  ],
  ['paid 100 of 200, 100 refunded', partlyPaid, [200, 100, 100, 0, 100], 'cancelled'],
  ['two tablets take 200 each, 200 refunded', paidTwice, [200, 0, 200, 200, 0], 'completed'],
  ['50 refunded, then C of 80 added', extended, [280, 50, 230, 150, 80], 'confirmed'],
  ['paid 200, two tablets refund B, 100 each', refundedTwice, [200, 100, 100, 0, 100], 'confirmed', ['refunded_twice']],
  ['plan of A less 10, B added, paid 190, B refunded', discounted, [190, 100, 90, 90, 0], 'completed'],
];

function refunded(profile: Profile, amount: number, lineIds: string[] = [], isStillOwed = false): Visit {
  const visit = paid(profile);
  visit.refund(amount, lineIds, { isStillOwed });
  return visit;
}

function partlyPaid(profile: Profile): Visit {
  const visit = treatment(profile);
  visit.pay(100);
  visit.refund(100);
  return visit;
}

function paidTwice(profile: Profile): Visit {
  const visit = treatment(profile);
  const known = visit.order!;
  visit.pay(200);
  visit.pay(200, undefined, known);
  visit.refund(200);
  return visit;
}

function extended(profile: Profile): Visit {
  const visit = refunded(profile, 50);
  return visit.add([service(profile, 3, 80, brush)]);
}

function refundedTwice(profile: Profile): Visit {
  const visit = paid(profile);
  const known = visit.order!;
  visit.refund(100, [B]);
  visit.refund(100, [B], { known });
  return visit;
}

function discounted(profile: Profile): Visit {
  const visit = new Visit(profile)
    .create([service(profile, 1, 100)], { discount: 10 })
    .add([service(profile, 2, 100, brush)]);
  visit.pay(190);
  visit.refund(100, [B]);
  return visit;
}

describe.each(profiles)('SYNC-11 a refund, with the tax profile %s:', (profile) => {
  test.each(cases)('%s', (_what, visitOf, expected, status, flags = []) => {
    const visit = visitOf(profile);
    expect(sums(visit)).toEqual(expected);
    expect(statusOf(visit.order!)).toBe(status);
    expect(flagsOf(visit.order!)).toEqual(flags);
  });

  test('that is still owed is paid again with an invoice of its amount, in full and in part', () => {
    for (const amount of [200, 50]) {
      const visit = refunded(profile, amount, [], true);
      expect(invoicedMinor(visit.order!)).toBe((200 - amount) * 100);
      const invoice = visit.pay(amount)!;
      expect(invoice).toMatchObject({ total_amount: amount, line_ids: [] });
      expect(rows(invoice)).toContain(`On account of the treatment | EUR ${amount},00`);
      expect(invoicedMinor(visit.order!)).toBe(200_00);
      expect([statusOf(visit.order!), flagsOf(visit.order!)]).toEqual(['completed', []]);
    }
  });

  test('that is still owed is invoiced again together with a service that was added', () => {
    const visit = refunded(profile, 50, [], true).add([service(profile, 3, 80)]);
    const invoice = visit.pay(130)!;
    expect(invoice).toMatchObject({ subtotal: 80, total_amount: 130, line_ids: [C] });
    expect(rows(invoice)).toContain('Invoiced again | EUR 50,00');
    expect(flagsOf(visit.order!)).toEqual([]);
  });

  test('that two tablets made of one service leaves the other service to be paid, with an invoice', () => {
    const visit = refundedTwice(profile);
    expect(visit.pay(100)).toMatchObject({ total_amount: 100 });
    expect([statusOf(visit.order!), flagsOf(visit.order!)]).toEqual(['completed', ['refunded_twice']]);
  });

  test('before the invoice stands on it', () => {
    const visit = treatment(profile);
    visit.pay(150);
    visit.refund(20);
    expect(totals(visit.order!).balanceMinor).toBe(50_00);
    const invoice = visit.pay(50)!;
    const invoicedBefore = profile === 'ES' ? 130 : 0;
    expect(invoice).toMatchObject({ subtotal: 200, reduction_amount: 20, total_amount: 180 - invoicedBefore });
    expect(rows(invoice)).toContain('Reduction | EUR -20,00');
    expect(rows(invoice).filter((row) => row.startsWith('Already invoiced'))).toEqual(
      profile === 'ES' ? ['Already invoiced | EUR -130,00'] : [],
    );
    expect(flagsOf(visit.order!)).toEqual([]);
  });

  test('states in its credit note what it takes back of what is invoiced', () => {
    const visit = paid(profile);
    expect(visit.refund(50).total_amount).toBe(-50);
    const part = treatment(profile);
    part.pay(100);
    // Without a tax profile a part is on no invoice.
    expect(part.refund(30).total_amount).toBe(profile === 'ES' ? -30 : 0);
    expect(invoicedMinor(part.order!)).toBe(profile === 'ES' ? 70_00 : 0);
  });
});

describe('what a line is charged', () => {
  const added = () => {
    const visit = new Visit().create([line(1, 100, exempt)], { discount: 10 }).add([line(2, 100, brush)]);
    visit.pay(190);
    return visit;
  };

  test('has the discount of the plan, and a service that was added has none', () => {
    const { order } = added();
    expect([refundOfLines(order!, [A]), refundOfLines(order!, [B]), refundOfLines(order!, [A, B])]).toEqual([
      90_00, 100_00, 190_00,
    ]);
    // 100 of 21 % are 82.64 and 17.36.
    expect(amounts(added().refund(100, [B]))).toEqual([['21 %', -82.64, -17.36, -100]]);
    expect(amounts(added().refund(90, [A]))).toEqual([['E1', -90, 0, -90]]);
  });

  test('has the charge of the plan likewise', () => {
    const visit = new Visit().create([line(1, 100, exempt)], { charge: 5 }).add([line(2, 100, brush)]);
    visit.pay(205);
    expect([refundOfLines(visit.order!, [A]), refundOfLines(visit.order!, [B])]).toEqual([105_00, 100_00]);
  });

  test('stays when a service is added to a plan without prices, which shares its charge equally', () => {
    const visit = new Visit().create([line(1, 0, exempt), line(2, 0, brush)], { charge: 5 }).add([line(3, 100, brush)]);
    expect(earned(visit)).toEqual([
      [A, 2.5],
      [B, 2.5],
      [C, 100],
    ]);
  });

  test('is never less than nothing, whatever discount a device states', () => {
    const visit = new Visit().create([line(1, 60, exempt)], { discount: 9_999_999.99 });
    expect(sums(visit)).toEqual([0, 0, 0, 0, 0]);
  });

  test('is what a second refund finds less by the first', () => {
    const visit = refunded('ES', 30, [B]);
    expect(refundOfLines(visit.order!, [B])).toBe(70_00);
    expect(refundOfLines(visit.order!, [A, B])).toBe(170_00);
    const tooMuch = { amountMinor: 70_01, reason: 'Not done', lineIds: [B], statedMinor: new Map([[B, 70_01]]) };
    expect(decideRefund(visit.order!, tooMuch)).toMatchObject({ refusal: { code: 'REFUND_EXCEEDS_SERVICE' } });
    visit.refund(70, [B]);
    expect(decideRefund(visit.order!, { amountMinor: 1, reason: 'Not done', lineIds: [B] })).toMatchObject({
      refusal: { code: 'REFUND_EXCEEDS_SERVICE' },
    });
  });

  test('stays given back when the line gets another note or quantity', () => {
    const visit = treatment();
    visit.pay(150);
    visit.refund(100, [B]);
    const { order } = visit;
    const kept = { ...order!.lines[1]!, lineId: C, notes: 'Left side', replaces: B, opId: id(9990) };
    const changed: Order = { ...order!, lines: [order!.lines[0]!, kept], removedLines: [order!.lines[1]!] };
    expect(totals(changed)).toMatchObject({ owedMinor: 100_00, reductionMinor: 100_00, balanceMinor: 50_00 });
    // Whoever takes it away takes its refund with it.
    expect(totals({ ...order!, lines: [order!.lines[0]!], removedLines: [order!.lines[1]!] })).toMatchObject({
      totalMinor: 100_00,
      owedMinor: 100_00,
    });
  });
});

test('what a refund names for a service that the treatment never had is taken off the others', () => {
  const { order } = refunded('ES', 50, [B]);
  const payments = order!.payments.map((payment) =>
    payment.amountMinor < 0 ? { ...payment, refundedLines: [{ lineId: id(77), amountMinor: 50_00 }] } : payment,
  );
  expect(totals({ ...order!, payments })).toMatchObject({ owedMinor: 150_00, balanceMinor: 0 });
});

describe('what a refund takes off the treatment as a whole', () => {
  test('is taken off the services of that time, not off one that is added later', () => {
    const visit = extended('ES');
    expect(earned(visit)).toEqual([
      [A, 75],
      [B, 75],
      [C, 80],
    ]);
    // 80 of 21 % are 66.12 and 13.88.
    expect(amounts(visit.pay(80)!)).toEqual([['21 %', 66.12, 13.88, 80]]);
  });

  test('is by tax as its credit note says, whatever the id of its operation', () => {
    const visit = new Visit().create([line(1, 100, exempt)]).add([line(2, 100, brush)]);
    visit.pay(200);
    expect(amounts(visit.refund(50))).toEqual([
      ['E1', -25, 0, -25],
      ['21 %', -20.66, -4.34, -25],
    ]);
    const payments = visit.order!.payments.map((payment) => ({ ...payment, opId: `00${payment.paymentId}` }));
    expect(linePrices({ ...visit.order!, payments }).map(({ earnedMinor }) => earnedMinor)).toEqual([75_00, 75_00]);
  });

  test('is taken off the services that its tablet knew', () => {
    const visit = paid();
    const known = visit.order!;
    visit.add([line(3, 80, brush)]);
    visit.refund(50, [], { known });
    expect(earned(visit)).toEqual([
      [A, 75],
      [B, 75],
      [C, 80],
    ]);
  });

  test('leaves a service what it earns when the other one is refunded later', () => {
    const visit = new Visit().create([line(1, 100, brush), line(2, 100, exempt)]);
    visit.pay(200);
    visit.refund(50);
    expect(refundOfLines(visit.order!, [B])).toBe(75_00);
    expect(amounts(visit.refund(75, [B]))).toEqual([['E1', -75, 0, -75]]);
    expect(earned(visit)).toEqual([
      [A, 75],
      [B, 0],
    ]);
  });

  test('is taken off the other service where another tablet gives the first one back whole', () => {
    const visit = paid();
    const known = visit.order!;
    visit.refund(50);
    visit.refund(100, [B], { known });
    expect(earned(visit)).toEqual([
      [A, 50],
      [B, 0],
    ]);
    expect(sums(visit)).toEqual([200, 150, 50, 50, 0]);
    expect(flagsOf(visit.order!)).toEqual([]);
  });
});

test('a refund with services lowers the cost by them, gives back a surplus with the rest, and lowers the cost by what is left', () => {
  const visit = treatment();
  const known = visit.order!;
  visit.pay(200);
  visit.pay(120, undefined, known);
  const terms = (amountMinor: number, lineIds: string[]) => {
    const { lines, reductionMinor } = refundTerms(visit.order!, { amountMinor, lineIds });
    return [lines.map((given) => [given.line.lineId, given.amountMinor]), reductionMinor];
  };
  expect(terms(100_00, [B])).toEqual([[[B, 100_00]], 100_00]);
  expect(terms(220_00, [B])).toEqual([[[B, 100_00]], 100_00]);
  expect(terms(230_00, [B])).toEqual([[[B, 100_00]], 110_00]);
  expect(terms(120_00, [])).toEqual([[], 0]);
  expect(terms(150_00, [])).toEqual([[], 30_00]);
  expect(terms(33_33, [A, B])).toEqual([
    [
      [A, 16_67],
      [B, 16_66],
    ],
    33_33,
  ]);
});

test('a refund of another amount keeps its services and its reduction within it', () => {
  const refund = {
    order_id: id(9),
    refund_id: id(8),
    payment_method: 'cash' as const,
    amount: 100,
    reason: 'Not done',
    credit_note_number: 'R-A7-000001',
    lines: [
      { line_id: A, amount: 30 },
      { line_id: B, amount: 60 },
    ],
    reduction: 95,
  };
  const resized = [120, 92, 45].map((amount) => withAmount(refund, amount * 100));
  expect(resized).toMatchObject([
    { amount: 120, reduction: 95, lines: refund.lines },
    { amount: 92, reduction: 92, lines: refund.lines },
    {
      amount: 45,
      reduction: 45,
      lines: [
        { line_id: A, amount: 15 },
        { line_id: B, amount: 30 },
      ],
    },
  ]);
});

test('a credit note prints what is given back for each service', () => {
  const visit = new Visit('none').create([line(1, 45.5), line(2, 10, undefined, 2)], { discount: 10 });
  visit.pay(55.5);
  // 10 of 65.50: 6.95 and 3.05.
  const printed = rows(visit.refund(55.5, [A, B]));
  expect(printed).toEqual(expect.arrayContaining(['Service 1 | EUR 38,55', 'Service 2 | EUR 16,95']));
  expect(printed.filter((row) => row.includes('×'))).toEqual([]);
  const whole = new Visit('none').create([line(1, 45.5), line(2, 10, undefined, 2)]);
  whole.pay(65.5);
  expect(rows(whole.refund(20, [B]))).toEqual(expect.arrayContaining(['Service 2 | EUR 20,00', '2 × EUR 10,00']));
});

describe('under_invoiced', () => {
  /** One tablet issues the invoice unpaid; one takes 100; the first takes 100, too, and gives them back. */
  function unbilled(): Visit {
    const visit = new Visit().create([line(1, 100, exempt)]);
    visit.invoice();
    const known = visit.order!;
    visit.pay(100);
    visit.refund(100);
    visit.pay(100, undefined, known);
    return visit;
  }

  test('is told under a tax profile while more is paid than invoiced, until the money is given back or invoiced', () => {
    expect([totals(unbilled().order!).paidMinor, invoicedMinor(unbilled().order!)]).toEqual([100_00, 0]);
    expect(flagsOf(unbilled().order!)).toEqual(['overpaid', 'under_invoiced']);
    const back = unbilled();
    expect(back.refund(100).total_amount).toBe(0);
    expect(flagsOf(back.order!)).toEqual([]);
    const kept = unbilled();
    expect(kept.invoice()).toMatchObject({ total_amount: 100, line_ids: [] });
    expect(flagsOf(kept.order!)).toEqual(['overpaid']);
  });

  test('is told without a tax profile when two tablets have each cashed a part, until somebody invoices it', () => {
    const visit = treatment('none');
    const known = visit.order!;
    expect(visit.pay(100)).toBeUndefined();
    expect(decideInvoice({ tax_profile: 'none' }, visit.order!)).toMatchObject({
      refusal: { code: 'NOTHING_TO_INVOICE' },
    });
    expect(flagsOf(visit.order!)).toEqual([]);
    visit.pay(100, undefined, known);
    expect([statusOf(visit.order!), flagsOf(visit.order!)]).toEqual(['completed', ['under_invoiced']]);
    visit.atMs += 1;
    const invoice = visit.invoice();
    expect(invoice).toMatchObject({ total_amount: 200, line_ids: [A, B] });
    expect(rows(invoice).filter((row) => row === 'Card | EUR 100,00')).toHaveLength(2);
    expect(flagsOf(visit.order!)).toEqual([]);
    expect(decideInvoice({ tax_profile: 'none' }, visit.order!)).toMatchObject({ ok: false });
  });

  test('is told of documents that took back more than there was, and an invoice of a cancelled treatment restores them', () => {
    const visit = treatment();
    visit.invoice();
    const known = visit.order!;
    visit.pay(200);
    visit.refund(200);
    visit.pay(200, undefined, known);
    visit.refund(200, [], { known: { ...known, payments: [visit.order!.payments[2]!] } });
    expect([statusOf(visit.order!), invoicedMinor(visit.order!)]).toEqual(['cancelled', -200_00]);
    expect(flagsOf(visit.order!)).toEqual(['under_invoiced']);
    expect(visit.invoice()).toMatchObject({ total_amount: 200 });
    expect(flagsOf(visit.order!)).toEqual([]);
  });
});

describe('over_invoiced without a tax profile', () => {
  test('is told once a later service has used the surplus', () => {
    const visit = treatment('none');
    const known = visit.order!;
    visit.pay(200);
    visit.pay(200, undefined, known);
    expect(flagsOf(visit.order!)).toEqual(['overpaid']);
    expect(invoicedMinor(visit.order!)).toBe(400_00);
    // The later service is on no invoice, but its price is.
    visit.add([line(3, 250)]);
    expect(visit.pay(50)).toMatchObject({ subtotal: 250, total_amount: 50, line_ids: [C] });
    expect(flagsOf(visit.order!)).toEqual([]);
  });

  test('is told where a refund of one tablet meets the invoice of another, and the cancel corrects it', () => {
    const visit = treatment('none');
    visit.pay(150);
    const known = visit.order!;
    visit.refund(20);
    visit.pay(50, undefined, known);
    expect([invoicedMinor(visit.order!), totals(visit.order!).owedMinor]).toEqual([200_00, 180_00]);
    expect(flagsOf(visit.order!)).toEqual(['over_invoiced']);
    visit.refund(180);
    expect(flagsOf(visit.order!)).toEqual(['over_invoiced']);
    expect(visit.cancel()).toMatchObject({ total_amount: -20 });
    expect([flagsOf(visit.order!), invoicedMinor(visit.order!)]).toEqual([[], 0]);
  });
});

test('a payment after a full refund that is still owed is accepted, after another it is not', () => {
  const pay = ({ order }: Visit) => decidePayment(order!, { method: 'cash', tenderedMinor: 200_00 });
  expect(pay(refunded('ES', 200, [], true))).toMatchObject({ ok: true, value: { clears: true } });
  expect(pay(refunded('ES', 200))).toMatchObject({ refusal: { code: 'ORDER_CANCELLED' } });
});
