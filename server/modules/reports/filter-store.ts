/** Report filters as SQL conditions on `orders o`. */
import { minorFromWire } from '#domain/money.ts';
import type { ReportFilters } from '#domain/report/filters.ts';
import type { ReportStatus } from '#domain/report/vocabulary.ts';
import { searchKey } from '#domain/search-key.ts';
import { likeText, rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';

/** Conditions on treatments, and the values of their parameters `$1`, `$2`, … */
export interface Matching {
  where: string;
  values: unknown[];
}

export async function matching(sql: Sql, clinicId: number, filters: ReportFilters): Promise<Matching> {
  const { where, values } = matchingRest(clinicId, filters);
  const sought = searchKey(filters.searchTerm ?? '');
  if (sought === '') return { where, values };
  const ways = waysBy(clinicId, sought, values);
  const { stock, products } = (await itemsFound(sql, clinicId, filters)) ?? { stock: [], products: [] };
  for (const [column, ids] of [
    ['stock_id', stock],
    ['product_id', products],
  ] as const)
    if (ids.length > 0)
      ways.push(
        `select order_id from order_lines where clinic_id = $1 and not removed and ${column} = any($${values.push(ids)}::int[])`,
      );
  return { where: `${where} and ${inAnyOf(ways)}`, values };
}

/** Returns the conditions of all filters but the search term. */
function matchingRest(clinicId: number, filters: ReportFilters): Matching {
  const { startDate, endDate, orderType, status, minAmount, maxAmount } = filters;
  const values: unknown[] = [clinicId];
  const conditions = ['o.clinic_id = $1'];
  const value = (content: unknown): string => `$${values.push(content)}`;
  if (startDate !== undefined) conditions.push(`o.business_day >= ${value(startDate)}`);
  if (endDate !== undefined) conditions.push(`o.business_day <= ${value(endDate)}`);
  if (orderType !== undefined) conditions.push(`o.type = ${value(orderType)}`);
  if (status !== undefined) conditions.push(hasStatus(status, value));
  if (minAmount !== undefined) conditions.push(`o.total_minor >= ${value(minorFromWire(minAmount))}`);
  if (maxAmount !== undefined) conditions.push(`o.total_minor <= ${value(minorFromWire(maxAmount))}`);
  return { where: conditions.join(' and '), values };
}

// `union` removes duplicates, so PostgreSQL can estimate the count and choose a plan for it.
const inAnyOf = (ways: readonly string[]): string => `o.id in (${ways.join(' union ')})`;

const isServed = `coalesce((select bool_and(l.preparation = 'served') from order_lines l
  where l.clinic_id = o.clinic_id and l.order_id = o.id and not l.removed), false)`;

/** The status of a treatment `o` in reports (`reportStatuses`). */
export const reportStatus = `case when o.status = 'confirmed' and ${isServed} then 'served' else o.status end`;

/** Matches the treatments of a report's status. The index of statuses finds the few confirmed ones first. */
function hasStatus(status: ReportStatus, value: (content: unknown) => string): string {
  if (status === 'served') return `o.status = 'confirmed' and ${isServed}`;
  if (status === 'confirmed') return `o.status = 'confirmed' and not ${isServed}`;
  return `o.status = ${value(status)}`;
}

/** The ids of services that a search term names. Their current names count. */
export interface ItemsFound {
  stock: number[];
  products: number[];
}

/** Returns the services whose names contain a word that begins like the search term; null when there is none. */
export async function itemsFound(
  sql: Sql,
  clinicId: number,
  { searchTerm = '' }: ReportFilters,
): Promise<ItemsFound | null> {
  const sought = searchKey(searchTerm);
  if (sought === '') return null;
  const idsIn = async (table: 'stock_items' | 'products') => {
    const rows = await rowsOf<{ id: number }>(
      sql,
      `report ${table}`,
      `select id from ${table} where clinic_id = $1 and ' ' || search_key like $2`,
      [clinicId, `% ${likeText(sought)}%`],
    );
    return rows.map(({ id }) => id);
  };
  const found = { stock: await idsIn('stock_items'), products: await idsIn('products') };
  return found.stock.length + found.products.length > 0 ? found : null;
}

/** Returns queries for the ids of treatments that a search term finds by customer or number, each by an index of its own. */
function waysBy(clinicId: number, sought: string, values: unknown[]): string[] {
  const words = sought
    .split(' ')
    .map((word) => `${lexeme(`${clinicId}/${word}`)}:*`)
    .join(' & ');
  const ways = [`select id from orders_of_customer($${values.push(words)}::tsquery) id`];
  if (/\d/.test(sought)) {
    const number = `$${values.push(sought.toUpperCase())}`;
    for (const ids of ['select id from orders', 'select order_id from invoices'])
      ways.push(`${ids} where clinic_id = $1 and number ^@ ${number}`);
  }
  return ways;
}

/** The conditions of a search apart, over the same parameters: `where` has all filters but the search term. */
export interface ItemSearch extends Matching {
  /** Sold one of the services. */
  byItem: string;
  /** Is found by customer or number. */
  others: string;
}

export function searchByItem(clinicId: number, filters: ReportFilters, { stock, products }: ItemsFound): ItemSearch {
  const { where, values } = matchingRest(clinicId, filters);
  // `limit` makes PostgreSQL look at the few lines of each treatment instead of the sales of all years.
  const byItem = `coalesce((select true from order_lines l where l.clinic_id = $1 and l.order_id = o.id and not l.removed
    and (l.stock_id = any($${values.push(stock)}::int[]) or l.product_id = any($${values.push(products)}::int[])) limit 1), false)`;
  return { where, values, byItem, others: inAnyOf(waysBy(clinicId, searchKey(filters.searchTerm!), values)) };
}

/** Quotes a word for a text search query. */
const lexeme = (word: string): string => `'${word.replace(/['\\]/g, String.raw`$&$&`)}'`;
