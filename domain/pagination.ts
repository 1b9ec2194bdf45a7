/** The rows of a page where nobody chose another number. */
export const defaultPageSize = 10;

/** The rows of a page of expenses, and of a patient's treatments. */
export const longPageSize = 20;

/** Returns the number of pages that `total` rows fill; 0 without rows. */
export const totalPages = (total: number, pageSize: number): number => Math.ceil(total / pageSize);

/** Where a page of a list is, as replies state it. */
export interface Pagination {
  total: number;
  page: number;
  per_page: number;
  totalPages: number;
  /**
   * Present when the page ended before its last row, because it had many bytes: the row of the page to go on with. The same request
   * with `row` brings the next rows.
   */
  next_row?: number;
}

/** What a page of a list brings. */
interface Brought {
  total: number;
  page: number;
  per_page: number;
  /** The rows of the page that are left out, and those that came; where no page is cut, neither is given. */
  row?: number;
  rows?: number;
}

export function paginationOf({ total, page, per_page, row = 0, rows }: Brought): Pagination {
  const place = { total, page, per_page, totalPages: totalPages(total, per_page) };
  const due = Math.min(per_page, total - (page - 1) * per_page);
  const next = row + (rows ?? 0);
  // A page without any row ends the reading, whatever the total says.
  return rows && next < due ? { ...place, next_row: next } : place;
}
