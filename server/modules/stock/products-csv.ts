/** Products as CSV. */
import type { ProductResource, StockResource } from '../../../domain/stock/resources.ts';
import type { Columns } from './csv-cells.ts';
import { allResources } from './catalogue-store.ts';
import type { Importable } from './csv-import.ts';
import { draftOf, judgeProduct, saveProducts } from './products-service.ts';
import type { ProductChange } from './products-service.ts';
import { productBodySchema } from './schemas.ts';
import type { ProductBody } from './schemas.ts';

export const productColumns = {
  id: 'id',
  name: 'text',
  description: 'text',
  price: 'number',
  category: 'category',
  barcode: 'text',
  is_available: 'flag',
  needs_preparation: 'flag',
  is_favourite: 'flag',
  ingredients: 'ingredients',
} as const satisfies Columns;

export const importableProducts: Importable<ProductResource, ProductBody, ProductChange> = {
  action: 'products.imported',
  columns: productColumns,
  required: ['name', 'price'],
  schema: productBodySchema,
  // Products need no lock: all writes to the catalogue share one.
  open: async ({ sql, clinicId }, categories) => {
    const items = await allResources<StockResource>(sql, clinicId, 'stock');
    const known = { categoryIds: categories.ids, stockIds: new Set(items.map(({ id }) => id)) };
    return {
      things: await allResources<ProductResource>(sql, clinicId, 'products'),
      judge: (product, body) => {
        const { change, problems } = judgeProduct(product, body, known);
        return { change, before: draftOf(product), after: change.draft, problems };
      },
    };
  },
  named: (product) => product,
  save: saveProducts,
};
