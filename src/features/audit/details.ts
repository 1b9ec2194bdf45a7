import type { AuditResource } from '../../../domain/audit/resources.ts';

/** Amounts of money among the details, by name. */
const amounts: ReadonlySet<string> = new Set([
  'total',
  'amount',
  'float',
  'cash',
  'card',
  'insurance',
  'others',
  'price',
  'cost_per_unit',
]);

export interface Detail {
  name: string;
  value: string | number;
  isMoney: boolean;
}

/** The details of a deed in their order, without those that say nothing to a person: ids, empty texts and sums of nothing. */
export function detailsOf({ details }: Pick<AuditResource, 'details'>): Detail[] {
  return Object.entries(details)
    .filter(
      ([name, value]) => value !== '' && !/(^|_)(id|void|aggregate)$/.test(name) && !(value === 0 && amounts.has(name)),
    )
    .map(([name, value]) => ({ name, value, isMoney: amounts.has(name) && typeof value === 'number' }));
}
