import { expect, test } from 'vitest';
import { maxTableBytes } from '../../../../../domain/uploads.ts';
import { readCsvFile } from '../../../../../src/features/stock/csv/read-csv-file.ts';
import { groupErrors } from '../../../../../src/features/stock/csv/group-errors.ts';

const file = (name: string, ...content: BlobPart[]) => new File(content, name);

test('a table is read as UTF-8, and as Windows wrote it where it is not', async () => {
  expect(await readCsvFile(file('a.csv', 'name\nAlgodón'))).toEqual({ text: 'name\nAlgodón' });
  expect(await readCsvFile(file('a.CSV', new Uint8Array([0x6e, 0xf3, 0x0a, 0x31])))).toEqual({ text: 'nó\n1' });
});

test('what is no table, too large or empty says so', async () => {
  expect(await readCsvFile(file('a.xlsx', 'name\nx'))).toEqual({ fault: 'notCsv' });
  expect(await readCsvFile(file('renamed.csv', new Uint8Array([0x50, 0x4b, 0x03, 0x04, 0x00])))).toEqual({
    fault: 'notCsv',
  });
  expect(await readCsvFile(file('a.csv', 'x'.repeat(maxTableBytes + 1)))).toEqual({ fault: 'tooLarge' });
  expect(await readCsvFile(file('a.csv', ' \n'))).toEqual({ fault: 'empty' });
});

test('errors stand together by what is wrong, with all their lines', () => {
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
