import type { ReactNode } from 'react';

export interface Column<Row> {
  /** Identifier of the column, and the value of `Sort.by` for it. */
  key: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** Aligns amounts and counts at the end, in figures of equal width. */
  numeric?: boolean;
  sortable?: boolean;
  /** True for a column of buttons; only screen readers get its heading. */
  actions?: boolean;
  width?: string;
  /** The width in a place of at least so many rem. */
  wideWidth?: { from: number; width: string };
  /** Width in rem of the table's place from which the column shows. Other columns or the row's form have what it says. */
  from?: number;
}

export interface Sort {
  by: string;
  order: 'asc' | 'desc';
}
