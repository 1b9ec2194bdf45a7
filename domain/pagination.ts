/** Returns the number of pages that `total` rows fill; 0 without rows. */
export const totalPages = (total: number, pageSize: number): number => Math.ceil(total / pageSize);
