/** Report filters as SQL conditions on `orders o`. */
import { minorFromWire } from '../../../domain/money.ts';
import type { ReportFilters } from '../../../domain/report/filters.ts';
import type { ReportStatus } from '../../../domain/report/vocabulary.ts';
import { searchKey } from '../../../domain/search-key.ts';
import { likeText, rowsOf } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';

/** Conditions on treatments, and the values of their parameters `$1`, `$2`, … */
export interface Matching {
  where: string;
  values: unknown[];
}

export async function matching(sql: Sql, clinicId: number, filters: ReportFilters): Promise<Matching> {
  const { startDate, endDate, orderType, status, minAmount, maxAmount, searchTerm } = filters;
  const values: unknown[] = [clinicId];
  const conditions = ['o.clinic_id = $1'];
  const value = (content: unknown): string => `$${values.push(content)}`;
  if (startDate !== undefined) conditions.push(`o.business_day >= ${value(startDate)}`);
  if (endDate !== undefined) conditions.push(`o.business_day <= ${value(endDate)}`);
  if (orderType !== undefined) conditions.push(`o.type = ${value(orderType)}`);
  if (status !== undefined) conditions.push(hasStatus(status, value));
  if (minAmount !== undefined) conditions.push(`o.total_minor >= ${value(minorFromWire(minAmount))}`);
  if (maxAmount !== undefined) conditions.push(`o.total_minor <= ${value(minorFromWire(maxAmount))}`);
  const sought = searchKey(searchTerm ?? '');
  if (sought !== '') conditions.push(`o.id in (${await found(sql, clinicId, sought, value)})`);
  return { where: conditions.join(' and '), values };
}

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

/**
 * Returns a query for the ids of treatments that match a search term, each part by an index of its own. Items match by
 * their current name.
 */
async function found(sql: Sql, clinicId: number, sought: string, value: (content: unknown) => string): Promise<string> {
  const words = value(
    sought
      .split(' ')
      .map((word) => `${lexeme(`${clinicId}/${word}`)}:*`)
      .join(' & '),
  );
  const ways = [
    `select id from orders where clinic_id = $1 and customer_name <> '' and name_words(clinic_id, customer_name) @@ ${words}::tsquery`,
  ];
  if (/\d/.test(sought)) {
    const number = value(`${likeText(sought.toUpperCase())}%`);
    for (const papers of ['select id from orders', 'select order_id from invoices'])
      ways.push(`${papers} where clinic_id = $1 and number like ${number}`);
  }
  for (const [table, column] of [
    ['stock_items', 'stock_id'],
    ['products', 'product_id'],
  ] as const) {
    const items = await rowsOf<{ id: number }>(
      sql,
      `report ${table}`,
      `select id from ${table} where clinic_id = $1 and ' ' || search_key like $2`,
      [clinicId, `% ${likeText(sought)}%`],
    );
    if (items.length > 0)
      ways.push(
        `select order_id from order_lines where clinic_id = $1 and not removed and ${column} = any(${value(items.map(({ id }) => id))}::int[])`,
      );
  }
  // `union` removes duplicates, so PostgreSQL can estimate the count and choose a plan for it.
  return ways.join(' union ');
}

/** Quotes a word for a text search query. */
const lexeme = (word: string): string => `'${word.replace(/['\\]/g, String.raw`$&$&`)}'`;
