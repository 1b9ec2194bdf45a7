import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { defaultPageSize } from '#domain/pagination.ts';
import { useDebounced } from '../ui/use-debounced.ts';
import type { Sort } from '../ui/columns.ts';
import { noFiltersOf, readList, writeList } from './list-address.ts';
import type { FilterKinds, FiltersOf, ListAddress } from './list-address.ts';
import { usePageSize } from './list-preferences.ts';

/** Delay from the last key to the search. */
const searchRestMs = 500;

export interface ListState<Filters> extends ListAddress<Filters> {
  /** Under which a person's columns, saved filters and page size are kept. */
  name: string;
  /** The search as applied; `search` is the text as typed. */
  settledSearch: string;
  /** True while the typed text is not applied yet. */
  isSearchPending: boolean;
  isFiltered: boolean;
  setPage: (page: number) => void;
  setSize: (size: number) => void;
  setSearch: (text: string) => void;
  setFilters: (changed: Partial<Filters>) => void;
  setSort: (sort: Sort) => void;
  /** Applies an address of this list, such as a saved one. Its search and the page size stay. */
  apply: (address: string) => void;
  /** The filters and the order as an address. */
  address: string;
  /** Drops search and filters. */
  showAll: () => void;
}

/**
 * Holds the page, search, filters and order of a list, and keeps them in the address, so that a reload, a link and the
 * way back restore them. Any change of search, filters or order returns to page 1. A list begins with the page size that
 * its reader chose last.
 */
export function useList<Kinds extends FilterKinds>({
  name,
  size: usualSize = defaultPageSize,
  ...description
}: {
  name: string;
  filters: Kinds;
  sort?: Sort;
  sorts?: readonly string[];
  size?: number;
}): ListState<FiltersOf<Kinds>> {
  type Filters = FiltersOf<Kinds>;
  const [size, keepSize] = usePageSize(name, usualSize);
  const [defaults] = useState({ ...description, size });
  const [address, setAddress] = useSearchParams();
  // Held in state as well: the address lags behind, and the fields must show a choice at once.
  const [state, setState] = useState(() => readList(address, defaults));
  const settledSearch = useDebounced(state.search.trim(), searchRestMs);
  const [pageOfSearch, setPageOfSearch] = useState(settledSearch);
  if (pageOfSearch !== settledSearch) {
    setPageOfSearch(settledSearch);
    setState((before) => ({ ...before, page: 1 }));
  }
  const asText = (of: ListAddress<Filters>) => writeList(new URLSearchParams(), of, defaults).toString();
  const own = asText({ ...state, search: settledSearch });
  const shown = asText(readList(address, defaults));
  /** What this list wrote and the router has not shown yet. */
  const written = useRef<string[]>([shown]);
  useEffect(() => {
    if (written.current.at(-1) === own) return;
    written.current.push(own);
    setAddress((before) => writeList(before, { ...state, search: settledSearch }, defaults), { replace: true });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `own` says all that is written.
  }, [own]);
  useEffect(() => {
    const at = written.current.lastIndexOf(shown);
    if (at >= 0) {
      written.current.splice(0, at);
      return;
    }
    // Somebody else chose: a link, or the way back.
    written.current = [shown];
    setState(readList(address, defaults));
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `shown` is what the address says of this list.
  }, [shown]);

  const change = (changed: Partial<ListAddress<Filters>>) => setState((before) => ({ ...before, page: 1, ...changed }));
  const none = noFiltersOf(defaults.filters);
  return {
    ...state,
    name,
    settledSearch,
    isSearchPending: state.search.trim() !== settledSearch,
    isFiltered: settledSearch !== '' || Object.keys(none).some((each) => state.filters[each] !== none[each]),
    setPage: (page) => change({ page }),
    setSize: (chosen) => {
      keepSize(chosen);
      change({ size: chosen });
    },
    // The page changes with the text that is applied.
    setSearch: (search) => setState((before) => ({ ...before, search })),
    setFilters: (changed) => change({ filters: { ...state.filters, ...changed } }),
    setSort: (sort) => change({ sort }),
    apply: (saved) =>
      change({ ...readList(new URLSearchParams(saved), defaults), search: state.search, size: state.size }),
    address: asText({ ...state, search: '', page: 1, size: defaults.size }),
    showAll: () => change({ search: '', filters: none }),
  };
}
