import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decideDiscount, discountOf, freeDiscount } from '#domain/order/discount.ts';

const seeded = { seed: 20_261_121, numRuns: 500 };
const subtotals = fc.integer({ min: 0, max: 100_000_000 });

describe('discountOf', () => {
  test('rounds a percentage half up to the cent, and returns at most the subtotal', () => {
    fc.assert(
      fc.property(subtotals, fc.integer({ min: 0, max: 10_000 }), (subtotalMinor, bps) => {
        const exact = (BigInt(subtotalMinor) * BigInt(bps) * 2n + 10_000n) / 20_000n;
        const minor = discountOf({ kind: 'percent', bps }, subtotalMinor);
        expect(BigInt(minor)).toBe(exact);
        expect(minor).toBeLessThanOrEqual(subtotalMinor);
      }),
      seeded,
    );
  });

  test('returns an amount unchanged up to the subtotal', () => {
    fc.assert(
      fc.property(subtotals, subtotals, (subtotalMinor, minor) => {
        expect(discountOf({ kind: 'amount', minor }, subtotalMinor)).toBe(
          minor < subtotalMinor ? minor : subtotalMinor,
        );
      }),
      seeded,
    );
  });

  test('is 0 when no discount is requested', () => expect(discountOf(undefined, 5000)).toBe(0));
});

const terms = { subtotalMinor: 10_000, limitPercent: 10, mayExceed: false, reason: '' };
const codeOf = (result: ReturnType<typeof decideDiscount>) => (result.ok ? null : result.refusal.code);

describe('decideDiscount', () => {
  test.each([
    ['at the limit', { discountMinor: 1000 }, null],
    ['a cent above it', { discountMinor: 1001 }, 'DISCOUNT_OVER_LIMIT'],
    ['above it with a reason', { discountMinor: 1001, reason: 'a friend' }, 'DISCOUNT_OVER_LIMIT'],
    ['above it by a manager', { discountMinor: 1001, mayExceed: true }, 'REASON_REQUIRED'],
    [
      'above it by a manager with a reason that is too short',
      { discountMinor: 1001, mayExceed: true, reason: ' ok ' },
      'REASON_REQUIRED',
    ],
    ['above it by a manager with a reason', { discountMinor: 10_000, mayExceed: true, reason: 'a friend' }, null],
    ['above the subtotal', { discountMinor: 10_001, mayExceed: true, reason: 'a friend' }, 'DISCOUNT_ABOVE_SUBTOTAL'],
    ['below 0', { discountMinor: -1 }, 'DISCOUNT_INVALID'],
    ['of a fraction of a cent', { discountMinor: 0.5 }, 'DISCOUNT_INVALID'],
    ['of 0', { discountMinor: 0 }, null],
    ['above a limit of 0', { discountMinor: 1, limitPercent: 0 }, 'DISCOUNT_OVER_LIMIT'],
    ['at a limit of 100 percent', { discountMinor: 10_000, limitPercent: 100 }, null],
  ])('%s', (_title, changes, code) => {
    expect(codeOf(decideDiscount({ ...terms, ...changes }))).toBe(code);
  });

  test('allows a percentage within the limit, however it is rounded', () => {
    fc.assert(
      fc.property(subtotals, fc.integer({ min: 0, max: 10_000 }), (subtotalMinor, bps) => {
        const limitPercent = bps / 100;
        expect(freeDiscount(subtotalMinor, limitPercent)).toBe(discountOf({ kind: 'percent', bps }, subtotalMinor));
        const discountMinor = discountOf({ kind: 'percent', bps }, subtotalMinor);
        expect(codeOf(decideDiscount({ ...terms, subtotalMinor, limitPercent, discountMinor }))).toBeNull();
      }),
      seeded,
    );
  });
});
