/** What the filters of a report hold while they are typed, in the address, and as the server takes them. */
import { orderTypes } from '../../../../domain/order/vocabulary.ts';
import type { ReportFilters } from '../../../../domain/report/filters.ts';
import { reportStatuses } from '../../../../domain/report/vocabulary.ts';

export type FilterName = keyof ReportFilters;

/** As text; what is empty does not narrow. */
export type TypedFilters = Record<FilterName, string>;

export const noFilters: TypedFilters = {
  startDate: '',
  endDate: '',
  orderType: '',
  status: '',
  minAmount: '',
  maxAmount: '',
  searchTerm: '',
};
export const filterNames = Object.keys(noFilters) as FilterName[];

/** The filters that an address names. A choice that does not exist is none. */
export function filtersIn(address: URLSearchParams): TypedFilters {
  const typed = Object.fromEntries(filterNames.map((name) => [name, address.get(name) ?? ''])) as TypedFilters;
  return {
    ...typed,
    orderType: orderTypes.find((type) => type === typed.orderType) ?? '',
    status: reportStatuses.find((status) => status === typed.status) ?? '',
  };
}

/** The same address with these filters in the place of its own. */
export function withFilters(address: URLSearchParams, typed: TypedFilters): URLSearchParams {
  const after = new URLSearchParams(address);
  for (const name of filterNames) {
    if (typed[name] === '') after.delete(name);
    else after.set(name, typed[name]);
  }
  return after;
}

/** The address of the tab that shows what these filters find, without its path. */
export const addressOf = (typed: TypedFilters): URLSearchParams =>
  withFilters(new URLSearchParams({ tab: 'export', preview: 'shown' }), typed);

/** What is asked of the server: a number that cannot be read is kept as NaN, which its rule refuses. */
export function asked(typed: TypedFilters): ReportFilters {
  const given = filterNames.map((name) => [name, typed[name].trim()] as const).filter(([, text]) => text !== '');
  return Object.fromEntries(
    given.map(([name, text]) => [
      name,
      name === 'minAmount' || name === 'maxAmount' ? Number(text.replace(',', '.')) : text,
    ]),
  );
}
