/** The paging of lists in addresses. */
import { z } from 'zod';
import { defaultPageSize } from '#domain/pagination.ts';
import type { Part } from '../db/page.ts';

export const pageNumber = z.coerce.number().int().min(1).max(1_000_000).default(1);

export const pageSize = (usual = defaultPageSize, largest = 200) =>
  z.coerce.number().int().min(1).max(largest).default(usual);

/** A filter by one of these values; the value `all`, or none, does not narrow. */
export const orAll = <Value extends string>(values: readonly Value[]) =>
  z
    .enum(['all', ...values])
    .optional()
    .transform((value) => (value === 'all' ? undefined : (value as Value | undefined)));

/** The row of a page to go on with, where the last reply said `next_row`. */
export const pageRow = z.coerce.number().int().min(0).max(1_000_000).default(0);

/** The address of a list that has no larger pages than usual. */
export const pageQuery = z.strictObject({ page: pageNumber, per_page: pageSize() });

/** The address of a list whose rows may be large. */
export const largeRowsQuery = pageQuery.extend({ row: pageRow });

/** Returns the part of a list that an address asks for. */
export const partOf = ({ page, per_page, row = 0 }: { page: number; per_page: number; row?: number }): Part => ({
  limit: Math.max(0, per_page - row),
  offset: (page - 1) * per_page + row,
});
