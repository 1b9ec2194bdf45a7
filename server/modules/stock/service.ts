/** The catalogue: supplies and services (stock), products made of them, and their categories. */
import { searchKey } from '../../../domain/search-key.ts';

export { feedCatalogue, listDocuments, loadSellables } from './store.ts';

/** Which part of a list is asked for; without `per_page`, all of it. */
export interface ListQuery {
  page: number;
  per_page?: number | undefined;
  search?: string | undefined;
}

export interface ListPart<T> {
  data: T[];
  pagination: { total: number; page: number; per_page: number; totalPages: number };
}

/** Names match wherever a word of them begins. Catalogues are small enough to be searched in memory. */
export function listPart<T extends { name: string }>(all: readonly T[], { page, per_page, search }: ListQuery): ListPart<T> {
  const wanted = ` ${searchKey(search ?? '')}`;
  const matching = wanted === ' ' ? all : all.filter(({ name }) => ` ${searchKey(name)}`.includes(wanted));
  const total = matching.length;
  const perPage = per_page ?? Math.max(1, total);
  return {
    data: matching.slice((page - 1) * perPage, page * perPage),
    pagination: { total, page, per_page: perPage, totalPages: Math.ceil(total / perPage) },
  };
}
