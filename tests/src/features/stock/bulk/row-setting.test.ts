import { expect, test } from 'vitest';
import { settingOf } from '#src/features/stock/bulk/row-setting.ts';

const words = { price: { label: 'Price', text: (price: number) => `EUR ${price}` } };
const setting = settingOf<{ price: number }>({
  pathOf: () => 'products/1',
  words,
  fieldOf: () => 'price',
  from: ({ price }) => price,
  to: ({ price }) => price * 2,
});

test('a row whose field has changed since it was shown is told from what was shown to what is stored', () => {
  expect(setting.changesOf({ price: 85 }, { price: 200 })).toEqual([{ label: 'Price', was: 'EUR 85', now: 'EUR 200' }]);
});

test('a row whose other fields have changed is told nothing of them', () => {
  expect(setting.changesOf({ price: 85 }, { price: 85, name: 'Another' })).toEqual([]);
});
