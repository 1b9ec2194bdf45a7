import { expect, test } from 'vitest';
import { isolated } from '#src/ui/isolated.ts';

test('isolates a name that is written leftwards, and leaves others as they are', () => {
  expect(isolated('محمد الخطيب')).toBe('\u2068محمد الخطيب\u2069');
  expect(isolated('Dr. שרה לוי')).toBe('\u2068Dr. שרה לוי\u2069');
  for (const text of ['', 'Álvaro Núñez', '王小明', 'Ana 🦷 Núñez', '10:32 · EUR 12,00'])
    expect(isolated(text)).toBe(text);
});
