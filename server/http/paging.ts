/** The paging of lists in addresses. */
import { z } from 'zod';
import { defaultPageSize } from '#domain/pagination.ts';

export const pageNumber = z.coerce.number().int().min(1).max(1_000_000).default(1);

export const pageSize = (usual = defaultPageSize, largest = 200) =>
  z.coerce.number().int().min(1).max(largest).default(usual);

/** A filter by one of these values; the value `all`, or none, does not narrow. */
export const orAll = <Value extends string>(values: readonly Value[]) =>
  z
    .enum(['all', ...values])
    .optional()
    .transform((value) => (value === 'all' ? undefined : (value as Value | undefined)));

/** The address of a list that has no larger pages than usual. */
export const pageQuery = z.strictObject({ page: pageNumber, per_page: pageSize() });
