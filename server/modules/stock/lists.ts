/** The catalogue's lists: searched, filtered, sorted and paged in SQL. */
import { z } from 'zod';
import { idParamSchema, textSchema } from '../../../domain/protocol/schemas.ts';
import { searchKey } from '../../../domain/search-key.ts';
import type { StockState } from '../../../domain/stock/ledger.ts';
import type { Sql } from '../../db/sql.ts';
import { keyOf, likeText } from '../../db/wire.ts';
import { documentJson, stockStateSql, tableOf } from './resources.ts';
import type { CatalogueTable } from './resources.ts';

const defaultPerPage = 10;

/** What a list may be sorted by. `name` is the order of its search key, in which accents and capitals do not matter. */
const sorts = {
  stock: {
    name: 't.search_key',
    id: 't.id',
    unit: 't.unit',
    supplier: 't.supplier',
    quantity: 't.quantity_milli',
    reserved_quantity: '(t.reserved_milli + t.held_milli)',
    low_stock_threshold: 't.low_stock_threshold_milli',
    cost_per_unit: 't.cost_minor',
    // Never is the longest ago.
    last_restocked_at: "coalesce(t.last_restocked_at, '-infinity')",
    created_at: 't.created_at',
    updated_at: 't.updated_at',
  },
  products: {
    name: 't.search_key',
    id: 't.id',
    price: 't.price_minor',
    created_at: 't.created_at',
    updated_at: 't.updated_at',
  },
  categories: { name: keyOf('t.name'), id: 't.id', created_at: 't.created_at', updated_at: 't.updated_at' },
} as const satisfies Record<CatalogueTable, Record<string, string>>;

/** Categories have no stored search key: there are a few dozen of them, and PostgreSQL strips their accents as it reads. */
const searched: Record<CatalogueTable, string> = {
  stock: 't.search_key',
  products: 't.search_key',
  categories: keyOf('t.name'),
};

const paging = {
  page: z.coerce.number().int().min(1).max(1_000_000).optional(),
  per_page: z.coerce.number().int().min(1).max(1000).optional(),
  search: textSchema(200).optional(),
  order: z.enum(['asc', 'desc']).default('asc'),
};
const sortSchema = <Key extends string>(keys: Record<Key, string>) =>
  z.enum(Object.keys(keys) as [Key, ...Key[]]).default('name' as Key);

export const stockListQuery = z.object({
  ...paging,
  sort: sortSchema(sorts.stock),
  status: z.enum(['all', 'in_stock', 'low_stock', 'out_of_stock']).default('all'),
  category_id: idParamSchema.optional(),
});
export const productListQuery = z.object({
  ...paging,
  sort: sortSchema(sorts.products),
  category_id: idParamSchema.optional(),
});
export const categoryListQuery = z.object({ ...paging, sort: sortSchema(sorts.categories) });

export interface ListQuery {
  page?: number | undefined;
  per_page?: number | undefined;
  search?: string | undefined;
  order: 'asc' | 'desc';
  sort: string;
  status?: 'all' | StockState | undefined;
  category_id?: number | undefined;
}

export interface ListPage<T> {
  data: T[];
  pagination: { total: number; page: number; per_page: number; totalPages: number };
}

/** One page, or everything where neither page nor size is asked for. Names match wherever a word of them begins. */
export async function listPage<T>(
  sql: Sql,
  clinicId: number,
  table: CatalogueTable,
  query: ListQuery,
): Promise<ListPage<T>> {
  const values: unknown[] = [clinicId];
  const conditions = ['t.clinic_id = $1', 't.deleted_at is null'];
  const where = (condition: (parameter: string) => string, value: unknown) => {
    values.push(value);
    conditions.push(condition(`$${values.length}`));
  };
  const wanted = likeText(searchKey(query.search ?? ''));
  if (wanted !== '') where((text) => `' ' || ${searched[table]} like ${text}`, `% ${wanted}%`);
  if (query.status !== undefined && query.status !== 'all')
    where((state) => `(${stockStateSql}) = ${state}`, query.status);
  if (query.category_id !== undefined) where((id) => `t.category_id = ${id}`, query.category_id);

  const from = `from ${tableOf[table]} t where ${conditions.join(' and ')}`;
  const { rows: counted } = await sql.query(`select count(*)::int as total ${from}`, values);
  const total = (counted[0] as { total: number }).total;
  const isPaged = query.page !== undefined || query.per_page !== undefined;
  const perPage = isPaged ? (query.per_page ?? defaultPerPage) : Math.max(1, total);
  const page = query.page ?? 1;
  const order = `${(sorts[table] as Record<string, string>)[query.sort]} ${query.order}, t.id ${query.order}`;
  const { rows } = await sql.query(
    `select ${documentJson[table]} as row from (select t.* ${from} order by ${order} limit ${perPage} offset ${(page - 1) * perPage}) t order by ${order}`,
    values,
  );
  return {
    data: (rows as { row: T }[]).map(({ row }) => row),
    pagination: { total, page, per_page: perPage, totalPages: Math.ceil(total / perPage) },
  };
}
