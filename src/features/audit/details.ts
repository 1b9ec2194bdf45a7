import type { AuditResource } from '#domain/audit/resources.ts';

/** Names of the details that are amounts of money. */
const amounts: ReadonlySet<string> = new Set([
  'total',
  'removed_total',
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

/** Returns the details of an audit entry in their order. Ids, empty texts and amounts of 0 are left out. */
export function detailsOf({ details }: Pick<AuditResource, 'details'>): Detail[] {
  return Object.entries(details)
    .filter(
      ([name, value]) => value !== '' && !/(^|_)(id|void|aggregate)$/.test(name) && !(value === 0 && amounts.has(name)),
    )
    .map(([name, value]) => ({ name, value, isMoney: amounts.has(name) && typeof value === 'number' }));
}
