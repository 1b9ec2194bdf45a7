/** Converts the server's stock items and products to catalogue rows. */
import { minorFromWire } from '#domain/money.ts';
import { milliFromWire } from '#domain/quantity.ts';
import { searchKey, wordStarts } from '#domain/search-key.ts';
import type { ProductResource, StockResource } from '#domain/stock/resources.ts';
import { defaultTaxCode } from '#domain/tax/codes.ts';
import type { CatalogueItem } from '#src/db/database.ts';
import { productKey, stockKey, withQuantity } from '#src/db/rows.ts';

/** The category of items without one, because indexes can't hold null. */
const noCategory = 0;

export function stockItem(resource: StockResource): CatalogueItem {
  const item: CatalogueItem = {
    ...shared(resource),
    ...unstocked,
    key: stockKey(resource.id),
    type: 'stock',
    price_minor: minorFromWire(resource.cost_per_unit),
    unit: resource.unit,
  };
  if (!resource.is_stocked) return item;
  const quantityMilli = milliFromWire(resource.quantity);
  return withQuantity(
    {
      ...item,
      stocked: 1,
      base_quantity_milli: quantityMilli,
      low_stock_threshold_milli: milliFromWire(resource.low_stock_threshold),
    },
    quantityMilli,
  );
}

export function productItem(resource: ProductResource): CatalogueItem {
  return {
    ...shared(resource),
    ...unstocked,
    key: productKey(resource.id),
    type: 'product',
    price_minor: minorFromWire(resource.price),
    unit: '',
  };
}

const unstocked = { base_quantity_milli: null, quantity_milli: null, low_stock_threshold_milli: null };

function shared(resource: StockResource | ProductResource) {
  const { id, name, category_id, image_url, barcode, is_available, needs_preparation, is_favourite, tax } = resource;
  const search_key = searchKey(name);
  return {
    id,
    name,
    search_key,
    word_starts: is_available ? wordStarts(search_key) : [],
    category_id: category_id ?? noCategory,
    image_url,
    barcode: barcode ?? '',
    available: is_available ? (1 as const) : (0 as const),
    needs_preparation,
    ...(tax && tax !== defaultTaxCode && { tax }),
    ...(is_favourite && { favourite: 1 as const }),
  };
}
