/** Stock items as CSV. */
import { allItems, lockItems } from './items-store.ts';
import type { StockItem } from './items-store.ts';
import type { Columns } from './csv-cells.ts';
import type { Importable } from './csv-import.ts';
import { fieldsOf, judgeItem, saveItems } from './items-service.ts';
import type { ItemChange } from './items-service.ts';
import { itemBodySchema } from './schemas.ts';
import type { ItemBody } from './schemas.ts';

export const itemColumns = {
  id: 'id',
  name: 'text',
  unit: 'text',
  category: 'category',
  supplier: 'text',
  supplier_contact: 'text',
  quantity: 'number',
  expected_quantity: 'number',
  low_stock_threshold: 'number',
  cost_per_unit: 'number',
  barcode: 'text',
  is_available: 'flag',
  is_stocked: 'flag',
  needs_preparation: 'flag',
  is_favourite: 'flag',
  tracks_lots: 'flag',
} as const satisfies Columns;

export const importableItems: Importable<StockItem, ItemBody, ItemChange> = {
  action: 'stock.imported',
  columns: itemColumns,
  required: ['name', 'supplier', 'supplier_contact'],
  schema: itemBodySchema,
  open: async ({ sql, clinicId }, categories, mode) => {
    const items = mode === 'lock' ? await lockItems(sql, clinicId, 'all') : await allItems(sql, clinicId);
    return {
      things: [...items.values()],
      judge: (item, body) => {
        const { change, problems } = judgeItem(item, body, categories.ids);
        return { change, before: fieldsOf(item), after: change.draft, problems };
      },
    };
  },
  named: ({ document }) => document,
  save: saveItems,
};
