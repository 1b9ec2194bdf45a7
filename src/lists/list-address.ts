/** What an address says of a list: search, filters, order and page. Anybody can type an address, so what is not valid is ignored. */
import { isDay } from '#domain/business-day.ts';
import type { Sort } from '../ui/columns.ts';

export const pageSizes = [5, 10, 20, 50] as const;

export interface FilterKind<Value extends string = string> {
  /** The value that filters nothing. */
  none: Value;
  accepts: (text: string) => boolean;
}

/** One of these values; the first filters nothing. */
export const oneOf = <const Value extends string>(values: readonly [Value, ...Value[]]): FilterKind<Value> => ({
  none: values[0],
  accepts: (text) => values.some((value) => value === text),
});

/** One of these values, or none. */
export const optional = <const Value extends string>(values: readonly Value[]): FilterKind<Value | ''> =>
  oneOf<Value | ''>(['', ...values]);

/** A calendar day, YYYY-MM-DD. */
export const aDay: FilterKind = { none: '', accepts: isDay };

/** The id of a row. */
export const anId: FilterKind = { none: '', accepts: (text) => /^[1-9]\d{0,8}$/.test(text) };

export type FilterKinds = Record<string, FilterKind>;
export type FiltersOf<Kinds extends FilterKinds> = {
  [Name in keyof Kinds]: Kinds[Name] extends FilterKind<infer Value> ? Value : never;
};

export interface ListDefaults<Kinds extends FilterKinds> {
  filters: Kinds;
  /** The order without a choice, and the columns that the server sorts by. */
  sort?: Sort | undefined;
  sorts?: readonly string[] | undefined;
  size: number;
}

export interface ListAddress<Filters> {
  search: string;
  filters: Filters;
  sort: Sort | undefined;
  page: number;
  size: number;
}

const maxSearch = 200;

export const noFiltersOf = <Kinds extends FilterKinds>(kinds: Kinds): FiltersOf<Kinds> =>
  Object.fromEntries(Object.entries(kinds).map(([name, { none }]) => [name, none])) as FiltersOf<Kinds>;

/** A minus sign before the column means from the largest to the smallest. */
const sortText = ({ by, order }: Sort): string => (order === 'desc' ? `-${by}` : by);

function readSort(text: string | null, { sort, sorts = [] }: ListDefaults<FilterKinds>): Sort | undefined {
  const by = text?.replace(/^-/, '') ?? '';
  return sorts.includes(by) ? { by, order: text!.startsWith('-') ? 'desc' : 'asc' } : sort;
}

export function readList<Kinds extends FilterKinds>(
  address: URLSearchParams,
  defaults: ListDefaults<Kinds>,
): ListAddress<FiltersOf<Kinds>> {
  const filters = Object.entries(defaults.filters).map(([name, { none, accepts }]) => {
    const text = address.get(name) ?? none;
    return [name, accepts(text) ? text : none];
  });
  const page = Number(address.get('page') ?? 1);
  const size = Number(address.get('rows'));
  return {
    search: (address.get('q') ?? '').slice(0, maxSearch),
    filters: Object.fromEntries(filters) as FiltersOf<Kinds>,
    sort: readSort(address.get('sort'), defaults),
    page: Number.isSafeInteger(page) && page > 0 && page <= 1_000_000 ? page : 1,
    size: pageSizes.some((each) => each === size) ? size : defaults.size,
  };
}

/** Returns the address with its list replaced; what is as usual is left out, and what is not the list's stays. */
export function writeList<Kinds extends FilterKinds>(
  address: URLSearchParams,
  list: ListAddress<FiltersOf<Kinds>>,
  defaults: ListDefaults<Kinds>,
): URLSearchParams {
  const after = new URLSearchParams(address);
  const set = (name: string, text: string, usual: string) =>
    text === usual ? after.delete(name) : after.set(name, text);
  set('q', list.search, '');
  for (const [name, { none }] of Object.entries(defaults.filters)) set(name, list.filters[name]!, none);
  set('sort', list.sort ? sortText(list.sort) : '', defaults.sort ? sortText(defaults.sort) : '');
  set('page', String(list.page), '1');
  set('rows', String(list.size), String(defaults.size));
  return after;
}
