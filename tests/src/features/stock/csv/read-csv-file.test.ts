import { expect, test } from 'vitest';
import { maxTableBytes } from '#domain/uploads.ts';
import { readCsvFile } from '#src/features/stock/csv/read-csv-file.ts';

const file = (name: string, ...content: BlobPart[]) => new File(content, name);

test('reads a file as UTF-8, and as Windows-1252 if it is not valid UTF-8', async () => {
  expect(await readCsvFile(file('a.csv', 'name\nAlgodón'))).toEqual({ text: 'name\nAlgodón' });
  expect(await readCsvFile(file('a.CSV', new Uint8Array([0x6e, 0xf3, 0x0a, 0x31])))).toEqual({ text: 'nó\n1' });
});

test('refuses a file that is not CSV, too large or empty', async () => {
  expect(await readCsvFile(file('a.xlsx', 'name\nx'))).toEqual({ fault: 'notCsv' });
  expect(await readCsvFile(file('renamed.csv', new Uint8Array([0x50, 0x4b, 0x03, 0x04, 0x00])))).toEqual({
    fault: 'notCsv',
  });
  expect(await readCsvFile(file('a.csv', 'x'.repeat(maxTableBytes + 1)))).toEqual({ fault: 'tooLarge' });
  expect(await readCsvFile(file('a.csv', ' \n'))).toEqual({ fault: 'empty' });
});
