import { describe, expect, test } from 'vitest';
import { readCsv } from '#server/csv.ts';

const columns = { known: ['name', 'unit', 'cost'], required: ['name'] };

describe('a table', () => {
  test.each([
    ['commas', 'name,unit\nGloves,box\n'],
    ['semicolons', 'name;unit\nGloves;box\n'],
    ['a byte order mark and Windows lines', '\uFEFFName, UNIT \r\nGloves,box\r\n'],
    ['empty rows', 'name;unit\nGloves;box\n;\n ; \n\n;;;\n'],
  ])('with %s has its rows under the names of its columns', async (_kind, text) => {
    expect(await readCsv(text, columns)).toMatchObject({
      ok: true,
      value: { columns: ['name', 'unit'], rows: [{ line: 2, cells: { name: 'Gloves', unit: 'box' } }] },
    });
  });

  test('begins with its first row that is not empty, and counts lines as the spreadsheet does', async () => {
    expect(await readCsv('\uFEFF;;\n;;\nname;unit;cost\n;;\nGloves;box;1,20\n;;', columns)).toMatchObject({
      value: { columns: ['name', 'unit', 'cost'], rows: [{ line: 5, cells: { cost: '1,20' } }] },
    });
  });

  test.each([
    ['an unknown column', 'name,price\nGloves,1', 'CSV_COLUMN_UNKNOWN', { column: 'price' }],
    ['a column twice', 'name,unit,unit\nGloves,box,box', 'CSV_COLUMN_UNKNOWN', { column: 'unit' }],
    ['no required column', 'unit,cost\nbox,1', 'CSV_COLUMN_MISSING', { column: 'name' }],
    ['more than 20,000 rows', `name\n${'a\n'.repeat(20_001)}`, 'CSV_TOO_LONG', { rows: 20_001, most: 20_000 }],
  ])('with %s is refused', async (_fault, text, code, details) => {
    expect(await readCsv(text, columns)).toMatchObject({ ok: false, refusal: { code, details } });
  });

  test('with 20,000 rows is read', async () => {
    const read = await readCsv(`name\n${'a\n'.repeat(20_000)}`, columns);
    expect(read.ok && read.value.rows).toHaveLength(20_000);
  });
});
