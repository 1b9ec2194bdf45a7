import { describe, expect, it } from 'vitest';
import { changedSince, seenOf } from '#domain/seen.ts';

const stored = { id: 7, amount: 5000, title: 'Gloves', receipt_url: null, items: [{ id: 1, quantity: 2 }] };

describe('what was seen of a record', () => {
  it('has the named fields', () => {
    expect(seenOf(stored, ['amount', 'title'])).toEqual({ amount: 5000, title: 'Gloves' });
  });

  it('has not changed while each field is stored as it was seen, in any order of keys', () => {
    expect(changedSince({ amount: 5000, items: [{ quantity: 2, id: 1 }] }, stored)).toEqual({});
  });

  it('names the stored value of each field that differs', () => {
    expect(changedSince({ amount: 50, title: 'Gloves' }, stored)).toEqual({ amount: 5000 });
  });

  it('treats an absent field as one without a value', () => {
    expect(changedSince({ notes: null, receipt_url: undefined }, stored)).toEqual({});
    expect(changedSince({ notes: 'Urgent' }, stored)).toEqual({ notes: null });
  });

  it('has no conflict where a change wants what is stored already', () => {
    expect(changedSince({ amount: 50 }, stored, { amount: 5000 })).toEqual({});
    expect(changedSince({ amount: 50 }, stored, { amount: 70 })).toEqual({ amount: 5000 });
  });
});
