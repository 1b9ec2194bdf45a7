import { expect, test } from 'vitest';
import { groupErrors } from '#src/features/stock/csv/group-errors.ts';

test('groups errors by column and problem, with all their lines', () => {
  const error = (line: number, column: string | null, problem: 'NUMBER_INVALID' | 'ROW_REPEATED') => ({
    line,
    column,
    problem,
    message: '',
  });
  expect(
    groupErrors([
      error(2, 'price', 'NUMBER_INVALID'),
      error(3, null, 'ROW_REPEATED'),
      error(9, 'price', 'NUMBER_INVALID'),
    ]),
  ).toEqual([
    { column: 'price', problem: 'NUMBER_INVALID', lines: [2, 9] },
    { column: null, problem: 'ROW_REPEATED', lines: [3] },
  ]);
});
