/** A refund corrects the invoices of one person, by at most what is left of them. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decideRefund } from '#domain/order/decisions.ts';
import { creditOf } from '#domain/order/credited.ts';
import { refundTerms } from '#domain/order/refund-terms.ts';
import { invoicedGross } from '#domain/order/tax-totals.ts';
import { totals } from '#domain/order/totals.ts';
import { statedAmounts } from '#domain/tax/document.ts';
import type { TaxDocumentFields } from '#domain/tax/document.ts';
import { runSeed } from '../support/fixed-run/fixed-run.ts';
import { amounts, exempt, id, insurer, line, recipient, Visit } from '../support/taxed-visit.ts';

const brush = { rate: 21 };

/** The patient has paid 100 of 300 in advance, and the insurer the rest. */
function shared(to?: typeof recipient): Visit {
  const visit = new Visit().create([line(1, 300, exempt)]);
  visit.pay(100, to);
  visit.bill(insurer);
  visit.pay(200);
  return visit;
}
const refused = (visit: Visit, amountMinor: number, lineIds: string[] = []) =>
  decideRefund(visit.order!, { amountMinor, lineIds, reason: 'Not done' });

describe('where patient and payer each have an invoice', () => {
  test('a refund of the treatment as a whole goes to the patient first, and then to the payer', () => {
    const visit = shared();
    expect(refused(visit, 100_01)).toMatchObject({ refusal: { code: 'REFUND_EXCEEDS_INVOICE' } });
    expect(visit.refund(60)).toMatchObject({ document_type: 'R5', corrects: [{ number: 'INV-A7-000001' }] });
    expect(refused(visit, 40_01)).toMatchObject({ refusal: { code: 'REFUND_EXCEEDS_INVOICE' } });
    expect(visit.refund(40)).toMatchObject({ document_type: 'R5', corrects: [{ number: 'INV-A7-000001' }] });
    const rest = visit.refund(200);
    expect(rest).toMatchObject({ document_type: 'R1', recipient: insurer, corrects: [{ number: 'F-A7-000002' }] });
    expect(amounts(rest)).toEqual([['E1', -200, 0, -200]]);
    expect(JSON.stringify(rest.printed)).not.toContain('INV-A7-000001');
  });

  test('a refund of services goes to whom they were billed', () => {
    const visit = shared();
    expect(refused(visit, 200_01, [id(1)])).toMatchObject({ refusal: { code: 'REFUND_EXCEEDS_INVOICE' } });
    expect(visit.refund(200, [id(1)])).toMatchObject({ document_type: 'R1', recipient: insurer });
    expect(visit.refund(100)).toMatchObject({ document_type: 'R5' });
    expect([...invoicedGross(visit.order!)]).toEqual([['E1', 0]]);
  });

  test('a full invoice of the patient has an R1 of its own', () => {
    const visit = shared(recipient);
    expect(visit.refund(100)).toMatchObject({ document_type: 'R1', recipient, corrects: [{ number: 'F-A7-000001' }] });
    expect(visit.refund(200)).toMatchObject({ document_type: 'R1', recipient: insurer });
  });

  test('the cancel of what is left corrects that alone', () => {
    const visit = new Visit().create([line(1, 300, exempt)]);
    visit.pay(100);
    visit.bill(insurer);
    visit.refund(100, [], { isStillOwed: true });
    expect(visit.cancel()).toMatchObject({
      document_type: 'R4',
      recipient: insurer,
      corrects: [{ number: 'F-A7-000002' }],
      total_amount: -200,
    });
  });
});

test('an advance and its final invoice of one person are corrected together where one alone is too small', () => {
  const visit = new Visit().create([line(1, 300, exempt)]);
  visit.pay(100);
  visit.pay(200);
  const both = [{ number: 'INV-A7-000001' }, { number: 'INV-A7-000002' }];
  expect(visit.refund(300, [id(1)])).toMatchObject({ document_type: 'R5', corrects: both });
});

const person = ({ recipient: to }: TaxDocumentFields) => to?.tax_id ?? 'patient';

test('whatever is refunded, nobody gets back more than they were billed, to the cent, and all can be given back', () => {
  const taxes = fc.constantFrom(exempt, brush, { rate: 10 });
  const items = fc.array(fc.tuple(fc.integer({ min: 1, max: 40_000 }), taxes), { minLength: 1, maxLength: 4 });
  const refunds = fc.array(
    fc.record({ part: fc.double({ min: 0.01, max: 1, noNaN: true }), at: fc.option(fc.nat(5)) }),
    {
      maxLength: 5,
    },
  );
  fc.assert(
    fc.property(items, fc.double({ min: 0.01, max: 0.99, noNaN: true }), items, refunds, (first, part, more, then) => {
      let next = 0;
      const linesOf = (drawn: typeof first) => drawn.map(([minor, tax]) => line(++next, minor / 100, tax));
      const visit = new Visit().create(linesOf(first));
      const advanceMinor = Math.max(1, Math.floor(totals(visit.order!).owedMinor * part));
      visit.pay(advanceMinor / 100);
      const paysAll = () => totals(visit.order!).balanceMinor > 0 && visit.pay(totals(visit.order!).balanceMinor / 100);
      if (totals(visit.order!).balanceMinor > 0) visit.bill(insurer);
      paysAll();
      visit.add(linesOf(more));
      visit.invoice(recipient);
      paysAll();
      const check = () => {
        const sums = new Map<string, number>();
        for (const document of visit.documents)
          for (const [key, minor] of statedAmounts(document as Parameters<typeof statedAmounts>[0]))
            sums.set(`${person(document)} ${key}`, (sums.get(`${person(document)} ${key}`) ?? 0) + minor);
        // A simplified invoice is of the patient, who has a full one as well.
        const own = [...sums]
          .filter(([name]) => !name.startsWith(insurer.tax_id))
          .reduce((sum, [, minor]) => sum + minor, 0);
        expect(own).toBeGreaterThanOrEqual(0);
        for (const [name, minor] of sums) if (name.startsWith(insurer.tax_id)) expect(minor).toBeGreaterThanOrEqual(0);
        const invoiced = [...invoicedGross(visit.order!).values()].reduce((sum, minor) => sum + minor, 0);
        expect([...sums.values()].reduce((sum, minor) => sum + minor, 0)).toBe(invoiced);
        expect(invoiced).toBe(totals(visit.order!).paidMinor);
        for (const document of visit.documents.slice(-1))
          expect(document.corrects?.length ?? 1, 'a credit note names what it corrects').toBeGreaterThan(0);
      };
      const give = (amountMinor: number, lineIds: string[]) => {
        const decision = refused(visit, amountMinor, lineIds);
        if (!decision.ok) return decision.refusal.code;
        visit.refund(amountMinor / 100, lineIds);
        check();
        return null;
      };
      check();
      for (const { part: share, at } of then) {
        const { paidMinor } = totals(visit.order!);
        if (paidMinor === 0) return;
        const lineIds = at === null ? [] : [id((at % next) + 1)];
        give(Math.max(1, Math.floor(paidMinor * share)), lineIds);
      }
      for (let people = 0; people < 3 && totals(visit.order!).paidMinor > 0; people++) {
        const { paidMinor } = totals(visit.order!);
        const terms = refundTerms(visit.order!, { amountMinor: paidMinor });
        const { excessMinor } = creditOf(visit.order!, { amountMinor: paidMinor, ...terms });
        expect(give(paidMinor - excessMinor, [])).toBe(null);
      }
      expect(totals(visit.order!).paidMinor).toBe(0);
      expect([...invoicedGross(visit.order!).values()].every((minor) => minor === 0)).toBe(true);
    }),
    { seed: runSeed, numRuns: 300 },
  );
});
