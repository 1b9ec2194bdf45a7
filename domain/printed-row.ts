/** What a row looks like; `qr` shows the text of `left` as a QR code. */
export const rowStyles = ['title', 'text', 'small', 'pair', 'item', 'total', 'rule', 'qr'] as const;

/** One row of a printed document. `right` is set against the right edge. */
export interface PrintedRow {
  style: (typeof rowStyles)[number];
  left?: string | undefined;
  right?: string | undefined;
}
