/** Converts the server's stock items and products to catalogue rows. */
import { minorFromWire } from '../../domain/money.ts';
import { milliFromWire } from '../../domain/quantity.ts';
import { searchKey } from '../../domain/search-key.ts';
import type { ProductResource, StockResource } from '../../domain/stock/resources.ts';
import type { CatalogueItem } from '../../src/db/database.ts';
import { productKey, stockKey, withQuantity } from '../../src/db/rows.ts';

/** The category of items without one, because indexes can't hold null. */
const noCategory = 0;

export function stockItem(resource: StockResource): CatalogueItem {
  const quantityMilli = milliFromWire(resource.quantity);
  const item: CatalogueItem = {
    ...shared(resource),
    key: stockKey(resource.id),
    type: 'stock',
    price_minor: minorFromWire(resource.cost_per_unit),
    unit: resource.unit,
    base_quantity_milli: quantityMilli,
    quantity_milli: quantityMilli,
    low_stock_threshold_milli: milliFromWire(resource.low_stock_threshold),
  };
  return withQuantity(item, quantityMilli);
}

export function productItem(resource: ProductResource): CatalogueItem {
  return {
    ...shared(resource),
    key: productKey(resource.id),
    type: 'product',
    price_minor: minorFromWire(resource.price),
    unit: '',
    base_quantity_milli: null,
    quantity_milli: null,
    low_stock_threshold_milli: null,
  };
}

function shared({ id, name, category_id, image_url, barcode, is_available }: StockResource | ProductResource) {
  return {
    id,
    name,
    search_key: searchKey(name),
    category_id: category_id ?? noCategory,
    image_url,
    barcode: barcode ?? '',
    available: is_available ? (1 as const) : (0 as const),
  };
}
