/**
 * Tables of text as spreadsheets read them. Text that a spreadsheet would take for a formula goes out behind an apostrophe, and
 * comes back without it: what was exported is imported as it was.
 */
import { stringify } from 'csv-stringify/sync';

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
