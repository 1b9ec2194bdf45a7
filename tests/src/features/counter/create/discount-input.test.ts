import { describe, expect, test } from 'vitest';
import { discountInputOf, parseDiscount } from '#src/features/counter/create/discount-input.ts';

describe('discount input', () => {
  test.each([
    ['percent', '10', { kind: 'percent', bps: 1000 }],
    ['percent', ' 7,5 ', { kind: 'percent', bps: 750 }],
    ['percent', '0.01', { kind: 'percent', bps: 1 }],
    ['percent', '100', { kind: 'percent', bps: 10_000 }],
    ['percent', '100,01', null],
    ['percent', '1.005', null],
    ['amount', '12.3', { kind: 'amount', minor: 1230 }],
    ['amount', '1999,99', { kind: 'amount', minor: 199_999 }],
    ['amount', '0', null],
    ['amount', '', null],
    ['amount', '-5', null],
    ['amount', '1e3', null],
    ['amount', '1.000,00', { kind: 'amount', minor: 100_000 }],
    ['amount', '12,345', null],
    ['percent', '12,5 %', { kind: 'percent', bps: 1250 }],
  ] as const)('parses %s “%s”', (kind, text, expected) => {
    expect(parseDiscount({ kind, text })).toEqual(expected);
  });

  test('parses the text that it made of a discount', () => {
    for (const discount of [
      { kind: 'percent', bps: 1250 },
      { kind: 'amount', minor: 199_999 },
    ] as const) {
      expect(parseDiscount(discountInputOf(discount))).toEqual(discount);
    }
    expect(discountInputOf(undefined)).toEqual({ kind: 'percent', text: '' });
  });
});
