/**
 * CSV files for spreadsheets. Where a spreadsheet would take text for a formula, it is written with an apostrophe in
 * front and read without it, so an export can be imported unchanged. A spreadsheet may split at other separators than
 * ours, a Spanish one at semicolons, so what follows any separator within a text counts as a beginning too.
 */
import { CsvError, parse } from 'csv-parse';
import { stringify } from 'csv-stringify/sync';
import { Readable } from 'node:stream';
import { accept, refuse } from '#domain/result.ts';
import type { Result } from '#domain/result.ts';
import { inTurns } from './turns.ts';

/** The beginning of a cell, with its spaces and apostrophes, if a formula follows. */
const unguardedStart = /(?<=^|[;,\t\r\n]) *'*(?=[=+\-@\t\r\n\0＝＋－＠])/g;
const guardedStart = /(?<=^|[;,\t\r\n]) *'+(?=[=+\-@\t\r\n\0＝＋－＠])/g;

/** Adds an apostrophe before each formula, also before one that already has apostrophes. */
export const guarded = (text: string): string => text.replace(unguardedStart, "$&'");
export const unguarded = (text: string): string => text.replace(guardedStart, (start) => start.slice(0, -1));

/** Returns a table with the byte order mark by which spreadsheets recognise UTF-8. Texts must be guarded. */
export function printCsv(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return `\uFEFF${printRows([header, ...rows])}`;
}

/** Returns further rows of a table. */
export const printRows = (rows: readonly (readonly string[])[]): string =>
  stringify(
    rows.map((row) => [...row]),
    { record_delimiter: 'windows', quoted_match: /[;\t]/ },
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
}

/**
 * Reads a table whose first row names the columns, separated by commas or semicolons. A row whose cells are all empty is
 * no row: spreadsheets write one for each line that once had something in it. A long table is read in stretches.
 */
export async function readCsv(
  text: string,
  columns: { known: readonly string[]; required: readonly string[] },
): Promise<Result<CsvTable>> {
  const records = await recordsOf(text, delimiterOf(text));
  if (!records.ok) return records;
  const [head, ...body] = records.value;
  const header = (head?.record ?? []).map((name) => name.trim().toLowerCase());
  const unknown = header.find((name, index) => !columns.known.includes(name) || header.indexOf(name) < index);
  if (unknown !== undefined) return refuse('CSV_COLUMN_UNKNOWN', { column: unknown.slice(0, 100) });
  const missing = columns.required.find((name) => !header.includes(name));
  if (missing !== undefined) return refuse('CSV_COLUMN_MISSING', { column: missing });
  if (body.length > maxImportRows) return refuse('CSV_TOO_LONG', { rows: body.length, most: maxImportRows });
  const rows: CsvRow[] = [];
  for await (const { record, info } of inTurns(body)) {
    if (record.length !== header.length)
      return refuse('CSV_UNREADABLE', { line: info.lines, reason: 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH' });
    const cells = Object.fromEntries(header.map((name, index) => [name, record[index]!]));
    rows.push({ line: info.lines, cells });
  }
  return accept({ columns: header, rows });
}

/** Returns what separates the names of the columns, in the first line that has something in it. */
function delimiterOf(text: string): ';' | ',' {
  const [line = ''] = /[^;,\s\uFEFF][^\r\n]*/.exec(text) ?? [];
  return line.split(';').length > line.split(',').length ? ';' : ',';
}

interface CsvRecord {
  record: string[];
  info: { lines: number };
}

const sliceBytes = 16_384;

async function recordsOf(text: string, delimiter: string): Promise<Result<CsvRecord[]>> {
  const bytes = Buffer.from(text);
  const slices = function* (): Generator<Buffer> {
    for (let at = 0; at < bytes.length; at += sliceBytes) yield bytes.subarray(at, at + sliceBytes);
  };
  const parser = parse({
    bom: true,
    delimiter,
    info: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    // An empty row may have any number of cells. Those of the others are counted afterwards.
    relax_column_count: true,
  });
  const records: CsvRecord[] = [];
  try {
    // The parser works on each slice at once, as soon as it arrives.
    for await (const record of Readable.from(inTurns(slices())).pipe(parser)) records.push(record as CsvRecord);
    return accept(records);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines } = error as CsvError & { lines?: number };
    return refuse('CSV_UNREADABLE', { ...(lines !== undefined && { line: lines }), reason: error.code });
  }
}
