/** What a row looks like; `qr` shows the text of `left` as a QR code, and `head` names the columns of a table. */
export const rowStyles = ['title', 'text', 'small', 'pair', 'item', 'total', 'rule', 'qr', 'head'] as const;

/** The place of a row on a sheet. A strip shows all rows one below the other. */
export const rowParts = [
  'code',
  'practice',
  'title',
  'facts',
  'recipient',
  'table',
  'sums',
  'taxes',
  'payments',
  'notes',
  'footer',
] as const;
export type RowPart = (typeof rowParts)[number];

/** The most columns of a table. */
export const maxCells = 7;

/**
 * One row of a printed document. `right` is set against the right edge of a strip.
 *
 * A sheet shows the rows that follow a `head` in the same part as a table, by the `cells` of those that have some. A strip has
 * no room for columns: it shows no head, and the other rows say the same to it.
 */
export interface PrintedRow {
  style: (typeof rowStyles)[number];
  left?: string | undefined;
  right?: string | undefined;
  /** None on a row of the document's body, such as a section of a report. */
  part?: RowPart | undefined;
  cells?: string[] | undefined;
}

/** Puts rows into a part of the sheet. */
export const inPart = (part: RowPart, rows: readonly PrintedRow[]): PrintedRow[] =>
  rows.map((row) => ({ ...row, part }));
