/** The book of issued invoices as a table for spreadsheets and as an Excel workbook. */
import type { BookRow } from '#domain/report/book.ts';
import { guarded, printCsv, printRows } from '#server/csv.ts';
import { taxText, translationsIn } from '#server/translations.ts';
import type { Book } from '../reports/service.ts';
import { periodText } from './report-texts.ts';
import type { ExportContext } from './report-texts.ts';
import { heads } from './workbook-cells.ts';
import type { Cell } from './workbook-cells.ts';
import { Workbook } from './workbook.ts';

/** The columns in their order, and their widths in characters. */
const columns = {
  number: 18,
  issuedOn: 13,
  operationOn: 13,
  day: 13,
  type: 8,
  recipient: 34,
  recipientId: 16,
  country: 9,
  base: 13,
  rate: 9,
  exemption: 11,
  tax: 13,
  total: 13,
  currency: 10,
  names: 24,
  state: 24,
  csv: 22,
} as const;
type Column = keyof typeof columns;
const names = Object.keys(columns) as Column[];

const text = (value: string): Cell => ({ kind: 'text', text: value });
const amount = (value: number, isBold = false): Cell => ({ kind: 'amount', amount: value, isBold });
const day = (value: string): Cell => (value === '' ? null : { kind: 'day', day: value });

type Words = ReturnType<typeof wordsIn>;
const wordsIn = ({ language }: ExportContext) => translationsIn(language).book;

function cellsOf(row: BookRow, words: Words): Record<Column, Cell> {
  const hasAmounts = row.tax !== null;
  return {
    number: text(row.number),
    issuedOn: day(row.issued_on),
    operationOn: day(row.operation_on),
    day: day(row.day),
    type: text(row.type),
    recipient: text(row.recipient),
    recipientId: text(row.recipient_id),
    country: text(row.recipient_country),
    base: hasAmounts ? amount(row.base) : null,
    rate: row.tax && 'rate' in row.tax ? amount(row.tax.rate) : null,
    exemption: text(row.tax && 'exempt' in row.tax ? row.tax.exempt : ''),
    tax: hasAmounts ? amount(row.amount) : null,
    total: hasAmounts ? amount(row.total) : null,
    currency: text(row.currency),
    names: text(row.names.join(', ')),
    state: text(words.states[row.state ?? 'none']),
    csv: text(row.csv),
  };
}

/** Days as `yyyy-mm-dd` and amounts with a point: programs read the file. */
function plainText(cell: Cell): string {
  switch (cell?.kind) {
    case 'text':
      return guarded(cell.text);
    case 'day':
      return cell.day;
    case 'amount':
      return cell.amount.toFixed(2);
    default:
      return '';
  }
}

const chunkRows = 500;

/** Yields the book as CSV. */
export async function* bookCsv({ rows_of_book: rows }: Book, context: ExportContext): AsyncGenerator<Uint8Array> {
  const words = wordsIn(context);
  yield Buffer.from(
    printCsv(
      names.map((name) => words.columns[name]),
      [],
    ),
  );
  let chunk: string[][] = [];
  for await (const row of rows) {
    const cells = cellsOf(row, words);
    chunk.push(names.map((name) => plainText(cells[name])));
    if (chunk.length < chunkRows) continue;
    yield Buffer.from(printRows(chunk));
    chunk = [];
  }
  if (chunk.length > 0) yield Buffer.from(printRows(chunk));
}

/** Yields the workbook's bytes: a sheet of the documents, and one of the sums by tax. */
export async function* bookWorkbook(book: Book, context: ExportContext): AsyncGenerator<Uint8Array> {
  const words = wordsIn(context);
  const file = new Workbook(context.atMs);
  try {
    const sheet = file.sheet({ name: words.sheets.documents, widths: Object.values(columns), hasHead: true });
    sheet.add(heads(names.map((name) => words.columns[name])));
    for await (const row of book.rows_of_book) {
      const cells = cellsOf(row, words);
      if (!sheet.add(names.map((name) => cells[name]))) continue;
      await sheet.flush();
      yield* file.take();
    }
    await sheet.end();
    const sums = file.sheet({ name: words.sheets.sums, widths: [34, 16, 16, 16], hasHead: true });
    const { base, tax, total } = words.columns;
    sums.add(heads([words.sheets.sums, base, tax, total]));
    for (const one of book.taxes)
      sums.add([text(taxText(one, context.language)), amount(one.base), amount(one.tax), amount(one.gross)]);
    sums.add([text(periodText(context))]);
    sums.add([text(words.note)]);
    await sums.end();
    await file.end();
    yield* file.take();
  } finally {
    file.destroy();
  }
}
