import type { ServiceResource } from '#domain/stock/resources.ts';

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
