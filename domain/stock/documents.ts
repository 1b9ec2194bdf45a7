/** The catalogue on the wire: what the stock, product and category calls and the change feed carry. */

export interface StockDocument {
  id: number;
  name: string;
  unit: string;
  category_id: number | null;
  image_url: string | null;
  supplier: string;
  supplier_contact: string;
  quantity: number;
  reserved_quantity: number;
  low_stock_threshold: number;
  cost_per_unit: number;
  barcode: string | null;
  is_available: boolean;
  last_restocked_at: string | null;
  created_at: string;
  updated_at: string;
}

export interface ProductDocument {
  id: number;
  name: string;
  description: string;
  price: number;
  category_id: number | null;
  image_url: string | null;
  barcode: string | null;
  is_available: boolean;
  ingredients: { ingredient_id: number; quantity_required: number }[];
  created_at: string;
  updated_at: string;
}

export interface CategoryDocument {
  id: number;
  name: string;
  description: string;
  color: string | null;
  created_at: string;
  updated_at: string;
}
