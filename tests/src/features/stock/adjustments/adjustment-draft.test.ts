import { describe, expect, test } from 'vitest';
import {
  adjustmentProblems,
  amountFor,
  blankAdjustment,
  canSubmit,
  previewOf,
  steppedAmount,
} from '#src/features/stock/adjustments/adjustment-draft.ts';
import type { AdjustmentDraft } from '#src/features/stock/adjustments/adjustment-draft.ts';

const draft = (changes: Partial<AdjustmentDraft>): AdjustmentDraft => ({ ...blankAdjustment, id: 1, ...changes });
const shelf = { quantity_milli: 5000, low_stock_threshold_milli: 2000 };

describe('an adjustment', () => {
  test('starts without an item and adds 0', () => {
    expect(blankAdjustment).toEqual({ id: 0, amount: 0, action: 'add', notes: '' });
  });

  test('requires an item and an amount other than 0', () => {
    expect(canSubmit(draft({ amount: 1 }))).toBe(true);
    expect(canSubmit(draft({ amount: 1, id: 0 }))).toBe(false);
    expect(canSubmit(draft({ amount: 0 }))).toBe(false);
    expect(canSubmit(draft({ amount: 0, action: 'subtract' }))).toBe(false);
    expect(canSubmit(draft({ amount: null }))).toBe(false);
  });

  test('accepts a typed count of 0 but not an empty one', () => {
    expect(canSubmit(draft({ amount: 0, action: 'set' }))).toBe(true);
    expect(canSubmit(draft({ amount: null, action: 'set' }))).toBe(false);
    expect(amountFor('set', 0)).toBeNull();
    expect(amountFor('set', 4)).toBe(4);
    expect(amountFor('add', null)).toBe(0);
  });

  test('validates the amount and the notes', () => {
    expect(adjustmentProblems(draft({ amount: -1 }))).toEqual({ amount: 'QUANTITY_NEGATIVE' });
    expect(adjustmentProblems(draft({ amount: 0.0005 }))).toEqual({ amount: 'NUMBER_UNFIT' });
    expect(adjustmentProblems(draft({ amount: 8_436_012_340_017 }))).toEqual({ amount: 'NUMBER_UNFIT' });
    expect(adjustmentProblems(draft({ notes: 'x'.repeat(2001) }))).toEqual({ notes: 'TOO_LONG' });
    expect(adjustmentProblems(draft({ amount: 0.125 }))).toEqual({});
    expect(canSubmit(draft({ amount: -1 }))).toBe(false);
  });

  test('steps by the unit and stops at 0', () => {
    expect(steppedAmount(2, 'boxes', 1)).toBe(3);
    expect(steppedAmount(0.1, 'kg', 1)).toBe(0.11);
    expect(steppedAmount(0.2, 'l', -1)).toBe(0.199);
    expect(steppedAmount(null, 'boxes', 1)).toBe(1);
    expect(steppedAmount(0, 'boxes', -1)).toBe(0);
  });
});

describe('previewOf', () => {
  test('returns the new quantity, or the current one while the draft cannot be submitted', () => {
    expect(previewOf(shelf, draft({ amount: 3 }))).toEqual({
      currentMilli: 5000,
      changeMilli: 3000,
      newMilli: 8000,
      warning: null,
    });
    expect(previewOf(shelf, draft({ amount: 0.5, action: 'subtract' }))).toMatchObject({
      changeMilli: -500,
      newMilli: 4500,
    });
    expect(previewOf(shelf, draft({ amount: 2.5, action: 'set' }))).toMatchObject({
      changeMilli: -2500,
      newMilli: 2500,
    });
    expect(previewOf({ ...shelf, quantity_milli: -1000 }, draft({}))).toEqual({
      currentMilli: -1000,
      changeMilli: 0,
      newMilli: -1000,
      warning: null,
    });
  });

  test('warns of a negative, empty or low result', () => {
    const warning = (changes: Partial<AdjustmentDraft>) =>
      previewOf(shelf, draft({ action: 'subtract', ...changes })).warning;
    expect(warning({ amount: 6 })).toBe('negative');
    expect(warning({ amount: 5 })).toBe('out');
    expect(warning({ amount: 3 })).toBe('low');
    expect(warning({ amount: 2 })).toBeNull();
    expect(warning({ amount: 0, action: 'set' })).toBe('out');
  });
});
