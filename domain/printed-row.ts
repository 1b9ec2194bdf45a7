/** One row of a printed document. `right` is set against the right edge. */
export interface PrintedRow {
  style: 'title' | 'text' | 'small' | 'pair' | 'item' | 'total' | 'rule';
  left?: string | undefined;
  right?: string | undefined;
}
