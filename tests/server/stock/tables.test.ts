import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ImportPreview, ProductResource, StockResource } from '#domain/stock/resources.ts';
import { guarded, printCsv, unguarded } from '#server/csv.ts';
import { seededRandom } from '#tests/support/random.ts';
import { BackOffice, key } from './clinic.ts';

let office: BackOffice;
beforeAll(async () => {
  office = await BackOffice.open();
});
afterAll(() => office.server.close());

const exported = async (noun: 'stock' | 'products') => (await office.call('GET', `/${noun}/export.csv`)).body;
const bring = (noun: 'stock' | 'products', csv: string, confirm: boolean, headers = {}) =>
  office.call('POST', `/${noun}/import`, { csv, confirm }, headers);
const look = async (noun: 'stock' | 'products', csv: string): Promise<ImportPreview> =>
  (await bring(noun, csv, false)).json().data;
const countItems = async () => (await office.rows('select 1 from stock_items where deleted_at is null')).length;

const head = 'name,supplier,supplier_contact';

describe('SECURITY text that begins like a formula', () => {
  test.each(['=1+1', '+34 600', '-5', '@SUM(A1)', '\tx', "'=x", "''+x"])(
    '%j is escaped in an export, and restored by the import',
    (text) => {
      expect(guarded(text)).toBe(`'${text}`);
      expect(unguarded(guarded(text))).toBe(text);
    },
  );

  test.each([
    ["x;=cmd|'/c calc'!A0", "x;'=cmd|'/c calc'!A0"],
    ['x; =1', "x; '=1"],
    ["x;'=1", "x;''=1"],
    ['a\t=1', "a\t'=1"],
    ['a\n+1', "a\n'+1"],
    ['a,-1', "a,'-1"],
    ['\t=1', "'\t'=1"],
    ['a;b;=1;=2', "a;b;'=1;'=2"],
    ['＝1', "'＝1"],
  ])('%j is escaped after every separator, and restored by the import', (text, escaped) => {
    expect(guarded(text)).toBe(escaped);
    expect(unguarded(guarded(text))).toBe(text);
  });

  test('of any shape has no formula at the beginning of a cell, wherever it is split, and comes back', () => {
    const alphabet = `=+-@;,\t\r\n' a\0"`.split('');
    const random = seededRandom(1, 'guarded text');
    for (let round = 0; round < 20_000; round++) {
      const text = Array.from({ length: random.between(0, 8) }, () => random.pick(alphabet)).join('');
      for (const cell of guarded(text).split(/[;,\t\r\n]/)) expect(cell).not.toMatch(/^ *[=+\-@\0]/);
      expect(unguarded(guarded(text))).toBe(text);
    }
  });

  test('is quoted in a table if it contains another separator than ours', () => {
    expect(printCsv(['name'], [['a;b'], ['a\tb'], ['a b']])).toBe('\uFEFFname\r\n"a;b"\r\n"a\tb"\r\na b\r\n');
  });

  test.each(['Gloves', "O'Brien", "'quoted'", '', '5-8 mm', 'Calle Mayor, 5', 'a; b'])('%j is not escaped', (text) => {
    expect(guarded(text)).toBe(text);
    expect(unguarded(text)).toBe(text);
  });

  test('is escaped in both exports, also in names of categories', async () => {
    const { id: category_id } = await office.category('@home');
    const { id } = await office.item({ name: '=HYPERLINK("http://x")', supplier_contact: '+34 910', category_id });
    await office.product({ name: '-cmd', description: '=A1', category_id });
    expect(await exported('stock')).toContain(`"'=HYPERLINK(""http://x"")",pcs,'@home,Madrid Dental,'+34 910,0`);
    expect(await exported('products')).toMatch(/\d+,'-cmd,'=A1,10,'@home,/);
    for (const noun of ['stock', 'products'] as const) {
      expect(await look(noun, await exported(noun))).toMatchObject({
        rows: 1,
        new: 0,
        changed: 0,
        unchanged: 1,
        errorCount: 0,
      });
    }
    await office.call('DELETE', `/stock/${id}`);
  });
});

describe('GET /stock/export.csv', () => {
  test('returns a CSV file with a byte order mark', async () => {
    const reply = await office.call('GET', '/stock/export.csv');
    expect(reply.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="stock.csv"',
    });
    expect(
      reply.body.startsWith(
        '\uFEFFid,name,unit,category,supplier,supplier_contact,quantity,expected_quantity,low_stock_threshold,cost_per_unit,barcode,is_available,is_stocked,needs_preparation,is_favourite,tracks_lots\r\n',
      ),
    ).toBe(true);
  });
});

describe('POST /stock/import', () => {
  test('returns a preview, and writes only when confirmed', async () => {
    const old = await office.item({ name: 'Algodón', quantity: 5, barcode: '111', cost_per_unit: 1 });
    const csv = [
      `${head},barcode,quantity,cost_per_unit,is_available`,
      'Algodón hidrófilo,Madrid Dental,orders@madrid.test,111,5,1.25,true',
      'Cemento,Sur,sur@x.test,,2.5,10,false',
    ].join('\n');
    const before = await countItems();
    const preview = await look('stock', csv);
    const text = { kind: 'text' as const, before: null };
    expect(preview).toEqual({
      rows: 2,
      new: 1,
      changed: 1,
      unchanged: 0,
      errorCount: 0,
      errors: [],
      written: false,
      changes: [
        {
          line: 2,
          name: 'Algodón hidrófilo',
          is_new: false,
          columns: ['name', 'cost_per_unit'],
          values: [
            { ...text, column: 'name', before: 'Algodón', after: 'Algodón hidrófilo' },
            { column: 'cost_per_unit', kind: 'amount', before: 1, after: 1.25 },
          ],
        },
        {
          line: 3,
          name: 'Cemento',
          is_new: true,
          columns: ['name', 'supplier', 'supplier_contact', 'quantity', 'cost_per_unit', 'is_available'],
          values: [
            { ...text, column: 'name', after: 'Cemento' },
            { ...text, column: 'supplier', after: 'Sur' },
            { ...text, column: 'supplier_contact', after: 'sur@x.test' },
            { column: 'quantity', kind: 'quantity', before: null, after: 2.5 },
            { column: 'cost_per_unit', kind: 'amount', before: null, after: 10 },
            { column: 'is_available', kind: 'flag', before: null, after: false },
          ],
        },
      ],
    });
    expect(await countItems()).toBe(before);

    const headers = key();
    const { cursor } = await office.counter.pull();
    const done = await bring('stock', csv, true, headers);
    expect([done.statusCode, done.json().data]).toEqual([200, { ...preview, written: true }]);
    expect((await bring('stock', csv, true, headers)).body).toBe(done.body);
    expect(await countItems()).toBe(before + 1);
    expect(await office.itemNow(old.id)).toMatchObject({
      name: 'Algodón hidrófilo',
      cost_per_unit: 1.25,
      quantity: 5,
      unit: 'pcs',
    });
    const { rows } = await office.counter.pull(cursor);
    expect(Object.fromEntries(rows.stock.map(({ name, quantity }) => [name, quantity]))).toEqual({
      'Algodón hidrófilo': 5,
      Cemento: 2.5,
    });
    const cement = rows.stock.find(({ name }) => name === 'Cemento')!;
    expect(await office.ledgerOf(cement.id)).toMatchObject([{ is_count: true, effect: 2500 }]);
    expect(await office.audited('stock.imported')).toMatchObject([
      { user_id: office.manager.userId, details: { new: 1, changed: 1 } },
    ]);
    expect(await look('stock', csv)).toMatchObject({ new: 0, changed: 0, unchanged: 2 });
  });

  test('SYNC-10 does not treat an unchanged exported quantity as a count', async () => {
    const { id } = await office.item({ name: 'Sold meanwhile', quantity: 10 });
    const csv = (await exported('stock')).replace('Sold meanwhile', 'Renamed meanwhile');
    await office.call('POST', `/stock/stock/subtract/${id}`, { amount: 4 });
    expect((await bring('stock', csv, true)).json().data).toMatchObject({ changed: 1, written: true });
    expect(await office.itemNow(id)).toMatchObject({ name: 'Renamed meanwhile', quantity: 6 });
  });

  test('finds an item by id, or else by barcode, or else by name', async () => {
    const one = await office.item({ name: 'Fresa redonda', barcode: '222' });
    const preview = await look('stock', `id,barcode,${head}\n${one.id},,Otra,S,c\n,222,Fresa redonda,S,c\n`);
    expect(preview.errors).toMatchObject([{ line: 3, column: null, problem: 'ROW_REPEATED' }]);
    expect(await look('stock', `${head}\nFRESA  REDONDÁ,S,c`)).toMatchObject({ new: 0, changed: 1 });
    await office.item({ name: 'Fresa redonda' });
    expect((await look('stock', `${head}\nfresa redonda,S,c`)).errors).toMatchObject([
      { line: 2, column: 'name', problem: 'NAME_AMBIGUOUS' },
    ]);
  });

  test('names every wrong row, and writes no row at all', async () => {
    const rows = [
      'Sound,S,c,1,1,,1',
      ',S,c,-1,1,,1',
      'Numbers,S,c,many,0.333,,1',
      'Category,S,c,1,1,Nowhere,1',
      'Id,S,c,1,1,,1,999999999',
      `${'x'.repeat(300)},S,c,1e300,1,,`,
    ];
    const csv = `${head},quantity,cost_per_unit,category,low_stock_threshold,id\n${rows.map((row) => row.split(',').concat(Array(8).fill('')).slice(0, 8).join()).join('\n')}\n`;
    const { errors, errorCount, ...counts } = await look('stock', csv);
    expect(counts).toMatchObject({ rows: 6, new: 1, written: false });
    expect(errorCount).toBe(errors.length);
    expect(errors.map(({ line, column, problem }) => `${line} ${column} ${problem}`)).toEqual([
      '3 name NAME_REQUIRED',
      '3 quantity QUANTITY_NEGATIVE',
      '4 quantity NUMBER_INVALID',
      '4 cost_per_unit NUMBER_TOO_FINE',
      '5 category CATEGORY_UNKNOWN',
      '6 id ID_UNKNOWN',
      '7 quantity NUMBER_INVALID',
    ]);
    const before = await countItems();
    const refused = await bring('stock', csv, true);
    expect([refused.statusCode, refused.json()]).toMatchObject([
      409,
      { code: 'IMPORT_HAS_ERRORS', details: { rows: 7, 'line 3, name': 'Name is required' } },
    ]);
    expect(await countItems()).toBe(before);
  });

  test('never finds an item of another clinic', async () => {
    const foreign = await office.foreignItem();
    expect((await look('stock', `id,${head}\n${foreign},Mine,S,c`)).errors).toMatchObject([{ problem: 'ID_UNKNOWN' }]);
    expect(await look('stock', `${head}\nForeign,S,c`)).toMatchObject({ new: 1, changed: 0 });
  });

  test.each([
    ['an unknown column', `${head},price\nA,S,c,1`, 400, 'CSV_COLUMN_UNKNOWN', { column: 'price' }],
    ['a column twice', `${head},name\nA,S,c,B`, 400, 'CSV_COLUMN_UNKNOWN', { column: 'name' }],
    ['a missing column', 'name,supplier\nA,S', 400, 'CSV_COLUMN_MISSING', { column: 'supplier_contact' }],
    ['nothing', '', 400, 'CSV_COLUMN_MISSING', { column: 'name' }],
    ['a row that is too short', `${head}\nA,S`, 400, 'CSV_UNREADABLE', { line: 2 }],
    ['an open quote', `${head}\n"A,S,c`, 400, 'CSV_UNREADABLE', {}],
    ['a picture', '\u0089PNG\r\n\u001a\n', 400, 'CSV_COLUMN_UNKNOWN', {}],
    ['20,001 rows', `${head}\n${'A,S,c\n'.repeat(20_001)}`, 413, 'CSV_TOO_LONG', { rows: 20_001, most: 20_000 }],
  ])('refuses %s', async (_title, csv, status, code, details) => {
    for (const confirm of [false, true]) {
      const reply = await bring('stock', csv, confirm);
      expect([reply.statusCode, reply.json()]).toMatchObject([status, { code, details }]);
    }
  });

  test.each([{}, { csv: 7 }, { csv: head, confirm: 'yes' }, { csv: `${head}\nA\u0000,S,c` }])(
    'refuses the body %j',
    async (body) => {
      expect((await office.call('POST', '/stock/import', body)).json().code).toBe('VALIDATION');
    },
  );

  test('accepts 2 MB and no more', async () => {
    const wide = (bytes: number) => `${head}\n"${'x'.repeat(bytes - head.length - 8)}",S,c\n`;
    expect((await look('stock', wide(2 * 1024 * 1024))).errors).toMatchObject([
      { problem: 'TEXT_UNFIT', column: 'name' },
    ]);
    expect((await bring('stock', wide(2 * 1024 * 1024 + 100), false)).statusCode).toBe(400);
    expect((await bring('stock', wide(5 * 1024 * 1024), false)).statusCode).toBe(413);
  });

  test('reads semicolons and decimal commas, as a Spanish spreadsheet saves them', async () => {
    await bring(
      'stock',
      '\uFEFFname;supplier;supplier_contact;quantity;cost_per_unit\r\nSilicona;Sur;c;1,5;12,30\r\n',
      true,
    );
    const { stocks } = await office.get<{ stocks: StockResource[] }>('/stock?search=silicona');
    expect(stocks).toMatchObject([{ quantity: 1.5, cost_per_unit: 12.3 }]);
  });
});

describe('a number in an imported table', () => {
  const costOf = async (cell: string) => {
    const { changes, errors } = await look('stock', `${head},cost_per_unit\nPriced,S,c,"${cell}"\n`);
    const read = changes[0]?.values.find(({ column }) => column === 'cost_per_unit')?.after;
    return errors[0]?.problem ?? read;
  };
  test.each([
    ['1.200', 1200],
    ['1.234,50', 1234.5],
    ['12,50 €', 12.5],
    ['12,50\u00A0€', 12.5],
    ['EUR 12,50', 12.5],
    ['12.5', 12.5],
    ['1 234,50', 1234.5],
    ['\uFF11\uFF12,\uFF15', 12.5],
    ['12,345', 'NUMBER_TOO_FINE'],
    ['12,000', 'NUMBER_TOO_FINE'],
    ['0.333', 'NUMBER_TOO_FINE'],
    ['99999999999999999', 'NUMBER_UNFIT'],
    ['12 or 13', 'NUMBER_INVALID'],
  ])('that is %j is read as the price %j, as on every screen', async (cell, expected) => {
    expect(await costOf(cell)).toBe(expected);
  });

  test.each([
    ['12,345', 12.345],
    ['1.200', 1200],
    ['0.345', 0.345],
    ['1.234,567', 1234.567],
    ['1,2345', 'NUMBER_TOO_FINE'],
  ])('that is %j is read as the quantity %j', async (cell, expected) => {
    const { changes, errors } = await look('stock', `${head};quantity\nCounted;S;c;${cell}\n`.replaceAll(',s', ';s'));
    const read = changes[0]?.values.find(({ column }) => column === 'quantity')?.after;
    expect(errors[0]?.problem ?? read).toBe(expected);
  });

  test('comes back from an export as it was, with any number of decimals', async () => {
    const quantities = [0.001, 0.5, 1.2, 1.234, 999.999, 1000.001, 1234.5, 123_456.789, 12];
    const items = [];
    for (const quantity of quantities)
      items.push(await office.item({ name: `Exactly ${quantity}`, quantity, cost_per_unit: 1234.5 }));
    await office.product({
      name: 'Exact kit',
      ingredients: [{ ingredient_id: items[3]!.id, quantity_required: 1.234 }],
    });
    expect(await look('stock', await exported('stock'))).toMatchObject({ new: 0, changed: 0, errorCount: 0 });
    expect(await look('products', await exported('products'))).toMatchObject({ new: 0, changed: 0, errorCount: 0 });
    const rows = (await exported('stock')).split('\r\n').filter((row) => row.includes('Exactly'));
    expect(rows.find((row) => row.includes('Exactly 1.234,'))).toContain('"1,234","1,234",0,1234.5');
    for (const { id } of items.filter((_, index) => index !== 3)) await office.call('DELETE', `/stock/${id}`);
  });

  test('is looked for in no row whose cells are all empty', async () => {
    expect(await look('stock', `name;supplier;supplier_contact\n;;\nSoap;S;c\n;;\n;\n;;;;\n`)).toMatchObject({
      rows: 1,
      new: 1,
      errorCount: 0,
    });
  });
});

describe('POST /products/import', () => {
  test('imports products with their ingredients', async () => {
    const gauze = await office.item({ name: 'Gauze' });
    const csv = `name,price,ingredients\nWound kit,12.50,${gauze.id}:2\nPlain,3,\n`;
    expect(await look('products', csv)).toMatchObject({ rows: 2, new: 2, errorCount: 0 });
    expect((await bring('products', csv, true)).json().data).toMatchObject({ new: 2, written: true });
    const { data } = await office.get<{ data: ProductResource[] }>('/products?search=wound');
    expect(data).toMatchObject([{ price: 12.5, ingredients: [{ ingredient_id: gauze.id, quantity_required: 2 }] }]);
    expect(await look('products', await exported('products'))).toMatchObject({ new: 0, changed: 0, errorCount: 0 });
    const { errors } = await look('products', `name,price,ingredients\nKit,1,2000000000:1\nKit2,1,gauze\nx,0,\n`);
    expect(errors.map(({ line, problem }) => [line, problem])).toEqual([
      [2, 'INGREDIENT_UNKNOWN'],
      [3, 'INGREDIENTS_UNREADABLE'],
      [4, 'PRODUCT_NAME_SHORT'],
      [4, 'PRICE_TOO_SMALL'],
    ]);
  });
});
