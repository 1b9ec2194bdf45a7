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
}

export const paginationOf = ({ total, page, per_page }: Omit<Pagination, 'totalPages'>): Pagination => ({
  total,
  page,
  per_page,
  totalPages: totalPages(total, per_page),
});
