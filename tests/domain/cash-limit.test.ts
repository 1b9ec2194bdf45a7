import { expect, test } from 'vitest';
import { reachesCashLimit, refundReachesCashLimit } from '#domain/order/cash-limit.ts';
import type { Payment } from '#domain/order/order.ts';

const paid = (...amounts: [method: Payment['method'], minor: number][]) => ({
  payments: amounts.map(([method, amountMinor]) => ({ method, amountMinor }) as Payment),
});

test.each([
  ['one cent less', paid(), 999_99, false],
  ['the limit itself', paid(), 1000_00, true],
  ['parts of it', paid(['cash', 600_00]), 400_00, true],
  ['what was paid by card', paid(['card', 600_00]), 400_00, false],
  ['cash that was given back', paid(['cash', 600_00], ['cash', -600_00]), 400_00, false],
])('cash of %s reaches the limit of 1,000 euros: %#', (_what, order, cashMinor, isReached) => {
  expect(reachesCashLimit({ tax_profile: 'ES' }, order, cashMinor)).toBe(isReached);
  expect(reachesCashLimit({ tax_profile: 'none' }, order, cashMinor)).toBe(false);
});

test.each([
  ['one cent less', paid(['cash', 2000_00]), 999_99, false],
  ['the limit itself', paid(['card', 2000_00]), 1000_00, true],
  ['parts of it', paid(['cash', 2000_00], ['cash', -600_00]), 400_00, true],
  ['what was given back by card', paid(['cash', 2000_00], ['card', -600_00]), 400_00, false],
  ['nothing', paid(['cash', 2000_00], ['cash', -1000_00]), 0, false],
])('cash given back of %s reaches the limit of 1,000 euros: %#', (_what, order, cashMinor, isReached) => {
  expect(refundReachesCashLimit({ tax_profile: 'ES' }, order, cashMinor)).toBe(isReached);
  expect(refundReachesCashLimit({ tax_profile: 'none' }, order, cashMinor)).toBe(false);
});
