import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isTaxId, normalTaxId } from '#domain/tax/tax-id.ts';
import { baseOf, shareOut, taxedPart } from '#domain/tax/tax.ts';
import { taxTotals, taxedParts } from '#tests/support/tax-totals.ts';
import type { TaxCategory } from '#domain/tax/tax.ts';

const seeded = { seed: 20_261_122, numRuns: 1000 };
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

const categories = fc.constantFrom<TaxCategory>(
  { exempt: 'E1' },
  { rateBps: 2100 },
  { rateBps: 1000 },
  { rateBps: 400 },
);
const amounts = fc.integer({ min: -10_000_000_00, max: 10_000_000_00 });
const parts = fc.array(fc.record({ category: categories, grossMinor: amounts }), { maxLength: 20 });

describe('tax that prices include', () => {
  test.each([
    [121_00, 2100, 100_00],
    [10_00, 2100, 8_26],
    [-10_00, 2100, -8_26],
    [1, 2100, 1],
    [11_00, 1000, 10_00],
    [60_00, 0, 60_00],
  ])('the base of %i at %i basis points is %i', (gross, rate, base) => expect(baseOf(gross, rate)).toBe(base));

  test('the parts of a rate add up to the base and the tax of their sum, and base and tax to the amount', () => {
    fc.assert(
      fc.property(parts, (given) => {
        const split = taxedParts(given);
        for (const { grossMinor, baseMinor, taxMinor } of split) expect(baseMinor + taxMinor).toBe(grossMinor);
        for (const total of taxTotals(given)) {
          const rate = 'rateBps' in total.category ? total.category.rateBps : 0;
          expect(total.baseMinor).toBe(baseOf(total.grossMinor, rate));
          expect(total.baseMinor + total.taxMinor).toBe(total.grossMinor);
        }
        expect(sum(taxTotals(given).map(({ grossMinor }) => grossMinor))).toBe(
          sum(given.map(({ grossMinor }) => grossMinor)),
        );
      }),
      seeded,
    );
  });

  test('refunds in any parts give back the base and the tax that were billed', () => {
    fc.assert(
      fc.property(categories, fc.array(fc.nat(100_000), { minLength: 1, maxLength: 10 }), (category, refunds) => {
        const billed = sum(refunds);
        let left = billed;
        const bases = refunds.map((refund) => {
          const { baseMinor } = taxedPart(category, left, left - refund);
          left -= refund;
          return baseMinor;
        });
        expect(sum(bases) + taxedPart(category, 0, billed).baseMinor).toBe(0);
      }),
      seeded,
    );
  });

  test('a discount is shared out to the cent, and no share is a cent off its proportion', () => {
    fc.assert(
      fc.property(amounts, fc.array(fc.nat(10_000_000_00), { minLength: 1, maxLength: 20 }), (amount, weights) => {
        const shares = shareOut(amount, weights);
        const whole = sum(weights);
        expect(sum(shares)).toBe(amount);
        if (whole > 0)
          for (const [index, share] of shares.entries())
            expect(Math.abs(share - (amount * weights[index]!) / whole)).toBeLessThanOrEqual(1.001);
      }),
      seeded,
    );
  });
});

describe('Spanish tax numbers', () => {
  test.each(['12345678Z', '00000000T', 'X1234567L', 'Y1234567X', 'Z1234567R', 'A58818501', 'B65410011', 'P2807900B'])(
    'accepts %s, and refuses it with any other last character',
    (id) => {
      expect(isTaxId(id)).toBe(true);
      for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789') {
        if (character === id.at(-1)) continue;
        expect(isTaxId(id.slice(0, -1) + character)).toBe(false);
      }
    },
  );

  test.each(['', '12345678', 'I1234567A', 'ABCDEFGHI', '123456789Z', 'X12345678L'])('refuses %j', (id) =>
    expect(isTaxId(id)).toBe(false),
  );

  test('reads a number as people write it', () => {
    for (const typed of ['12.345.678-Z', ' 12345678 z', 'ES12345678Z']) expect(normalTaxId(typed)).toBe('12345678Z');
  });
});
