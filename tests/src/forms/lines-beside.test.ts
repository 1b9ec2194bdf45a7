import { expect, test } from 'vitest';
import { linesBeside } from '#src/forms/lines-beside.ts';

test('marks the lines of a list that the other has not, each as often as it has them more', () => {
  expect(linesBeside('wax: 2\ngel: 1\ngel: 1', 'gel: 1\nfloss: 3')).toEqual([
    { text: 'wax: 2', differs: true },
    { text: 'gel: 1', differs: false },
    { text: 'gel: 1', differs: true },
  ]);
});

test('marks nothing in texts of one line, which are seen to differ', () => {
  expect(linesBeside('600 500 600', '600 700 800')).toEqual([{ text: '600 500 600', differs: false }]);
});

test('leaves no line out, however many there are', () => {
  const many = Array.from({ length: 300 }, (_, index) => `${'Name '.repeat(12)}${index}`);
  expect(linesBeside(many.join('\n'), '').map(({ text }) => text)).toEqual(many);
});
