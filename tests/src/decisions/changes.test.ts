import { expect, test } from 'vitest';
import { changesOf } from '#src/decisions/changes.ts';

const words = {
  amount: { label: 'Amount', text: (amount: number) => `${amount} €` },
  title: { label: 'Title' },
  items: {
    label: 'Items',
    parts: (was: string[], now: string[]) => [{ label: 'Lines', was: was.join(), now: now.join() }],
  },
};

test('says of each field that differs what it was and is now, in words', () => {
  expect(changesOf(words, { amount: 50, title: 'Gloves' }, { amount: 5000 })).toEqual([
    { label: 'Amount', was: '50 €', now: '5000 €' },
  ]);
});

test('writes a dash where there is no value', () => {
  expect(changesOf(words, { amount: null, title: 'Gloves' }, { amount: 5, title: '' })).toEqual([
    { label: 'Amount', was: '–', now: '5 €' },
    { label: 'Title', was: 'Gloves', now: '–' },
  ]);
});

test('says of a field with parts what has changed in each', () => {
  expect(changesOf(words, { items: ['a'] }, { items: ['a', 'b'] })).toEqual([{ label: 'Lines', was: 'a', now: 'a,b' }]);
});

test('leaves out a field without words, and one that is as it was', () => {
  expect(changesOf(words, { image_url: 'a', amount: 5 }, { image_url: 'b', amount: 5 })).toEqual([]);
});
