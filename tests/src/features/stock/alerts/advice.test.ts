import { expect, test } from 'vitest';
import { adviceFor, restockQuantity } from '#src/features/stock/alerts/advice.ts';

test('gives each kind of alert its own advice, and none to a resolved alert', () => {
  expect(adviceFor({ alert_type: 'out_of_stock', severity: 'high', resolved: false })).toBe('out_of_stock');
  expect(adviceFor({ alert_type: 'low_stock', severity: 'medium', resolved: false })).toBe('low_stock');
  expect(adviceFor({ alert_type: 'expiring_soon', severity: 'medium', resolved: false })).toBe('expiring_soon');
  expect(adviceFor({ alert_type: 'expiring_soon', severity: 'high', resolved: false })).toBe('expired');
  expect(adviceFor({ alert_type: 'expiring_soon', severity: 'high', resolved: true })).toBe('ended');
});

test('returns the smallest quantity above the threshold, in whole steps of the unit', () => {
  expect(restockQuantity({ current_quantity: 3, threshold_quantity: 10, unit: 'boxes' })).toBe(8);
  expect(restockQuantity({ current_quantity: 3.5, threshold_quantity: 10, unit: 'boxes' })).toBe(7);
  expect(restockQuantity({ current_quantity: 0.25, threshold_quantity: 0.3, unit: 'kg' })).toBe(0.06);
  expect(restockQuantity({ current_quantity: 10, threshold_quantity: 10, unit: 'pcs' })).toBe(1);
});
