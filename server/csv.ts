/**
 * Tables of text as spreadsheets read them. Text that a spreadsheet would take for a formula goes out behind an apostrophe, and
 * comes back without it: what was exported is imported as it was.
 */
import { CsvError, parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { accept, refuse } from '../domain/result.ts';
import type { Result } from '../domain/result.ts';

/** Whether a spreadsheet would take the text for a formula, were it not for apostrophes before it. */
const isFormula = (text: string) => {
  const first = text.replace(/^'+/, '').charAt(0);
  return first !== '' && '=+-@\t\r\0'.includes(first);
};

/** An apostrophe before what begins like a formula, and before apostrophes of the text's own that stand before such. */
export const guarded = (text: string): string => (isFormula(text) ? `'${text}` : text);
export const unguarded = (text: string): string => (text.startsWith("'") && isFormula(text) ? text.slice(1) : text);

/** The text of a table, with the mark by which spreadsheets know UTF-8. Cells must be guarded already. */
export function printCsv(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return `\uFEFF${printRows([header, ...rows])}`;
}

/** More rows of such a table. */
export const printRows = (rows: readonly (readonly string[])[]): string =>
  stringify(
    rows.map((row) => [...row]),
    { record_delimiter: 'windows' },
  );

const maxImportRows = 20_000;

export interface CsvRow {
  /** Where the row ends in the file, the header being line 1. */
  line: number;
  cells: Record<string, string>;
}

export interface CsvTable {
  columns: string[];
  rows: CsvRow[];
  /** A spreadsheet that separates by semicolons writes decimals with a comma. */
  decimalComma: boolean;
}

/** Reads a table whose first row names the columns, separated by commas or by semicolons. */
export function readCsv(
  text: string,
  columns: { known: readonly string[]; required: readonly string[] },
): Result<CsvTable> {
  const firstLine = text.split(/\r?\n/, 1)[0] ?? '';
  const delimiter = firstLine.split(';').length > firstLine.split(',').length ? ';' : ',';
  const records = recordsOf(text, delimiter);
  if (!records.ok) return records;
  const [head, ...body] = records.value;
  const header = (head?.record ?? []).map((name) => name.trim().toLowerCase());
  const unknown = header.find((name, index) => !columns.known.includes(name) || header.indexOf(name) < index);
  if (unknown !== undefined) return refuse('CSV_COLUMN_UNKNOWN', { column: unknown.slice(0, 100) });
  const missing = columns.required.find((name) => !header.includes(name));
  if (missing !== undefined) return refuse('CSV_COLUMN_MISSING', { column: missing });
  if (body.length > maxImportRows) return refuse('CSV_TOO_LONG', { rows: body.length, most: maxImportRows });
  const rows = body.map(({ record, info }) => ({
    line: info.lines,
    cells: Object.fromEntries(header.map((name, index) => [name, record[index]!])),
  }));
  return accept({ columns: header, rows, decimalComma: delimiter === ';' });
}

interface CsvRecord {
  record: string[];
  info: { lines: number };
}

function recordsOf(text: string, delimiter: string): Result<CsvRecord[]> {
  try {
    return accept(parse(text, { bom: true, delimiter, info: true, skip_empty_lines: true }) as unknown as CsvRecord[]);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines } = error as CsvError & { lines?: number };
    return refuse('CSV_UNREADABLE', { ...(lines !== undefined && { line: lines }), reason: error.code });
  }
}
