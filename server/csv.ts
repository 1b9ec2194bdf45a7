/**
 * CSV files for spreadsheets. A text that a spreadsheet would take for a formula is written with an apostrophe in front
 * and read without it, so an export can be imported unchanged.
 */
import { CsvError, parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { accept, refuse } from '../domain/result.ts';
import type { Result } from '../domain/result.ts';

/** Returns whether a spreadsheet would take the text, without its leading apostrophes, for a formula. */
const isFormula = (text: string) => {
  const first = text.replace(/^'+/, '').charAt(0);
  return first !== '' && '=+-@\t\r\0'.includes(first);
};

/** Adds an apostrophe to a formula, also to one that already starts with apostrophes. */
export const guarded = (text: string): string => (isFormula(text) ? `'${text}` : text);
export const unguarded = (text: string): string => (text.startsWith("'") && isFormula(text) ? text.slice(1) : text);

/** Returns a table with the byte order mark by which spreadsheets recognise UTF-8. Texts must be guarded. */
export function printCsv(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return `\uFEFF${printRows([header, ...rows])}`;
}

/** Returns further rows of a table. */
export const printRows = (rows: readonly (readonly string[])[]): string =>
  stringify(
    rows.map((row) => [...row]),
    { record_delimiter: 'windows' },
  );

const maxImportRows = 20_000;

export interface CsvRow {
  /** The last line of the row in the file; the header is line 1. */
  line: number;
  cells: Record<string, string>;
}

export interface CsvTable {
  columns: string[];
  rows: CsvRow[];
  /** Spreadsheets that separate by semicolons write decimals with a comma. */
  decimalComma: boolean;
}

/** Reads a table whose first row names the columns, separated by commas or semicolons. */
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
