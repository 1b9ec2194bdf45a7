import { describe, expect, test } from 'vitest';
import { maxMinor, textLimits } from '#domain/limits.ts';
import { categoryProblems, productProblems, purchaseProblems, stockProblems } from '#domain/stock/drafts.ts';
import type { CategoryDraft, ProductDraft, PurchaseDraft, StockDraft } from '#domain/stock/drafts.ts';

const sellable = {
  name: 'Gloves',
  category_id: null,
  image_url: null,
  barcode: null,
  is_available: true,
  needs_preparation: false,
  is_favourite: false,
};
const item: StockDraft = {
  ...sellable,
  unit: 'box',
  supplier: 'Depot',
  supplier_contact: 'depot@clinic.test',
  quantity: 1,
  reserved_quantity: 0,
  low_stock_threshold: 0,
  cost_per_unit: 1,
  is_stocked: true,
  tracks_lots: false,
};
const product: ProductDraft = { ...sellable, description: '', price: 1, ingredients: [] };
const category: CategoryDraft = { name: 'Supplies', description: '', color: null, image_url: null };
const purchase: PurchaseDraft = {
  vendor: 'Depot',
  vendor_contact: '',
  notes: '',
  items: [{ stock_id: 1, quantity: 1, unit_cost: 1 }],
};

const forms = {
  item: (change: object) => stockProblems({ ...item, ...change }),
  product: (change: object) => productProblems({ ...product, ...change }),
  category: (change: object) => categoryProblems({ ...category, ...change }),
  purchase: (change: object) => purchaseProblems({ ...purchase, ...change }),
};

describe('a text of a draft', () => {
  test.each([
    ['item', 'name', textLimits.name],
    ['item', 'supplier', textLimits.name],
    ['item', 'supplier_contact', textLimits.name],
    ['product', 'name', textLimits.name],
    ['product', 'description', textLimits.notes],
    ['category', 'name', textLimits.name],
    ['category', 'description', textLimits.notes],
    ['purchase', 'vendor', textLimits.name],
    ['purchase', 'vendor_contact', textLimits.name],
    ['purchase', 'notes', textLimits.notes],
  ] as const)('%s: %s has at most %i characters', (form, field, limit) => {
    expect(forms[form]({ [field]: 'a'.repeat(limit) })).toEqual({});
    expect(forms[form]({ [field]: 'a'.repeat(limit + 1) })).toEqual({ [field]: 'TOO_LONG' });
  });

  test.each([
    ['item', 'name', 'NAME_REQUIRED', 1],
    ['item', 'unit', 'UNIT_REQUIRED', 1],
    ['item', 'supplier', 'SUPPLIER_REQUIRED', 1],
    ['item', 'supplier_contact', 'SUPPLIER_CONTACT_REQUIRED', 1],
    ['product', 'name', 'PRODUCT_NAME_SHORT', 2],
    ['category', 'name', 'CATEGORY_NAME_SHORT', 2],
    ['purchase', 'vendor', 'REQUIRED', 1],
  ] as const)('%s: %s below its least length is %s', (form, field, problem, least) => {
    expect(forms[form]({ [field]: 'a'.repeat(least) })).toEqual({});
    expect(forms[form]({ [field]: ` ${'a'.repeat(least - 1)} ` })).toEqual({ [field]: problem });
  });
});

describe('a number of a draft', () => {
  test.each([
    ['item', 'quantity', -0.001, 'QUANTITY_NEGATIVE'],
    ['item', 'reserved_quantity', -0.001, 'RESERVED_NEGATIVE'],
    ['item', 'low_stock_threshold', -0.001, 'THRESHOLD_NEGATIVE'],
    ['item', 'cost_per_unit', -0.01, 'COST_NEGATIVE'],
    ['item', 'cost_per_unit', 0.001, 'NUMBER_UNFIT'],
    ['item', 'quantity', 0.0001, 'NUMBER_UNFIT'],
    ['product', 'price', 0, 'PRICE_TOO_SMALL'],
    ['product', 'price', (maxMinor + 1) / 100, 'NUMBER_UNFIT'],
    ['product', 'ingredients', [{ ingredient_id: 1, quantity_required: -1 }], 'INGREDIENT_NEGATIVE'],
    ['purchase', 'items', [], 'LINES_REQUIRED'],
    ['purchase', 'items', [{ stock_id: 1, quantity: 0 }], 'QUANTITY_NOT_POSITIVE'],
    ['purchase', 'items', [{ stock_id: 1, quantity: 1, unit_cost: -0.01 }], 'COST_NEGATIVE'],
    ['purchase', 'items', [{ stock_id: 1, quantity: 2, unit_cost: maxMinor / 100 }], 'NUMBER_UNFIT'],
  ] as const)('%s: %s %j is %s', (form, field, value, problem) => {
    expect(forms[form]({ [field]: value })).toEqual({ [field]: problem });
  });

  test.each([
    ['item', 'quantity', 0],
    ['item', 'cost_per_unit', 0],
    ['item', 'cost_per_unit', maxMinor / 100],
    ['product', 'price', 0.01],
    ['product', 'price', maxMinor / 100],
    ['purchase', 'items', [{ stock_id: 1, quantity: 0.001, unit_cost: 0 }]],
    ['purchase', 'items', [{ stock_id: 1, quantity: 1, unit_cost: maxMinor / 100 }]],
  ] as const)('%s: %s %j is right', (form, field, value) => {
    expect(forms[form]({ [field]: value })).toEqual({});
  });

  test('a service has no supplier', () => {
    expect(forms.item({ is_stocked: false, supplier: '', supplier_contact: '' })).toEqual({});
  });
});
