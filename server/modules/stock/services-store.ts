/** The list of services in SQL: the stock items and products that the counter offers, or could. */
import { defaultPageSize, paginationOf } from '#domain/pagination.ts';
import { searchKey } from '#domain/search-key.ts';
import type { ServiceResource } from '#domain/stock/resources.ts';
import { amountOf, isoText, keyOf, likeText, naturally, quantityOf, rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';
import { measured, readPart } from '#server/db/page.ts';
import type { Measured } from '#server/db/page.ts';
import { partOf } from '#server/http/paging.ts';
import type { ListPage, ListQuery } from './catalogue-store.ts';

const shared = `t.id, t.name, t.search_key, t.category_id, t.image_url, t.barcode, t.is_available, t.needs_preparation,
  t.is_favourite, t.tax, t.updated_at`;

/** A supply is in the list while it is sold; a service and a product also while they are not offered. */
const servicesSql = `
  select 'stock' as type, ${shared}, '' as description, t.cost_minor as price_minor, 0 as ingredients,
    case when t.is_stocked then json_build_object('quantity', ${quantityOf('t.quantity_milli')}, 'unit', t.unit) end as stock
  from stock_items t where t.clinic_id = $1 and t.deleted_at is null and (t.is_available or not t.is_stocked)
  union all
  select 'product', ${shared}, t.description, t.price_minor,
    (select count(*)::int from product_ingredients i where i.clinic_id = t.clinic_id and i.product_id = t.id), null
  from products t where t.clinic_id = $1 and t.deleted_at is null`;

const serviceJson = `json_build_object('type', s.type, 'id', s.id, 'name', s.name, 'description', s.description,
  'price', ${amountOf('s.price_minor')}, 'category_id', s.category_id, 'image_url', s.image_url, 'barcode', s.barcode,
  'is_available', s.is_available, 'needs_preparation', s.needs_preparation, 'is_favourite', s.is_favourite, 'tax', s.tax,
  'stock', s.stock, 'ingredients', s.ingredients, 'updated_at', ${isoText('s.updated_at')})`;

/** Returns the search keys of all services. */
export async function serviceKeys(sql: Sql, clinicId: number): Promise<Set<string>> {
  const rows = await rowsOf<{ key: string }>(
    sql,
    'service keys',
    `select s.search_key as key from (${servicesSql}) s`,
    [clinicId],
  );
  return new Set(rows.map(({ key }) => key));
}

export const serviceSorts = {
  name: naturally('s.search_key'),
  price: 's.price_minor',
  category: naturally(keyOf("coalesce(s.category_name, '')")),
  updated_at: 's.updated_at',
} as const;

const offers = { all: 'true', yes: 's.is_available', no: 'not s.is_available', favourites: 's.is_favourite' } as const;

interface ServicesQuery extends Omit<ListQuery, 'status' | 'is_stocked' | 'sort'> {
  sort: keyof typeof serviceSorts;
  offered: keyof typeof offers;
}

/** Returns one page, or everything without page and size. A search matches the beginning of any word, or a barcode. */
export async function listServices(
  sql: Sql,
  clinicId: number,
  { page = 1, per_page = defaultPageSize, row = 0, search = '', sort, order, offered, category_id }: ServicesQuery,
): Promise<ListPage<ServiceResource>> {
  const values: unknown[] = [clinicId];
  const conditions: string[] = [offers[offered]];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const wanted = likeText(searchKey(search));
  if (wanted !== '')
    conditions.push(
      `(' ' || s.search_key like ${parameter(`% ${wanted}%`)} or s.barcode = ${parameter(search.trim())})`,
    );
  if (category_id !== undefined) conditions.push(`s.category_id = ${parameter(category_id)}`);
  const from = `from (select s.*, c.name as category_name from (${servicesSql}) s
     left join categories c on c.clinic_id = $1 and c.id = s.category_id where ${conditions.join(' and ')}) s`;
  const { rows: counted } = await sql.query(`select count(*)::int as total ${from}`, values);
  const { total } = counted[0] as { total: number };
  const asked = { page, per_page, row };
  const data = await readPart(partOf(asked), async ({ limit, offset }) => {
    const { rows } = await sql.query(
      measured(
        `select ${serviceJson} as row ${from} order by ${serviceSorts[sort]} ${order}, ${serviceSorts.name}, s.type, s.id
         limit ${limit} offset ${offset}`,
      ),
      values,
    );
    return rows as Measured<ServiceResource>[];
  });
  return { data, pagination: paginationOf({ ...asked, total, rows: data.length }) };
}
