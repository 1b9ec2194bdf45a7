import { minorToWire } from '#domain/money.ts';
import type { ServiceResource } from '#domain/stock/resources.ts';
import type { RecordChange } from '#src/api/change-record.ts';

/** The path of what a service is stored as, by its type. */
export const servicePaths = { stock: 'stock', product: 'products' } as const satisfies Record<
  ServiceResource['type'],
  string
>;

/** The path of one service. */
export const servicePath = ({ type, id }: Pick<ServiceResource, 'type' | 'id'>): string =>
  `${servicePaths[type]}/${id}`;

/** The field that holds the price, by type. */
export const priceFields = { stock: 'cost_per_unit', product: 'price' } as const;

/** Changes a price that a screen shows; both in minor units. */
export function priceChange(type: ServiceResource['type'], { from, to }: { from: number; to: number }): RecordChange {
  const field = priceFields[type];
  return { changes: { [field]: minorToWire(to) }, seen: { [field]: minorToWire(from) } };
}
