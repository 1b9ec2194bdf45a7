import type { Pagination } from '#domain/pagination.ts';
import type { SearchParams } from './use-server-data.ts';

/** What a list asks for, as `useList` holds it. */
export interface ListQuery<Filters extends object = object> {
  page: number;
  size: number;
  settledSearch: string;
  filters: Filters;
  sort?: { by: string; order: 'asc' | 'desc' } | undefined;
}

/** A reply with one value. */
export interface Reply<Data> {
  data: Data;
}

/** A reply with one page of rows. */
export interface Page<Row> {
  data: Row[];
  pagination: Pick<Pagination, 'total'>;
}

/** Returns the parameters of a list, without its filters. */
export const listParams = ({ page, size, settledSearch, sort }: ListQuery): SearchParams => ({
  page,
  per_page: size,
  search: settledSearch,
  sort: sort?.by,
  order: sort?.order,
});
