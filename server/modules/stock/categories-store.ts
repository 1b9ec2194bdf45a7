/** Categories in SQL. */
import type { CategoryDraft } from '../../../domain/stock/drafts.ts';
import { isoOf, rowsOf } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';

/** @returns the id of the new category */
export async function insertCategory(
  sql: Sql,
  clinicId: number,
  { name, description, color, image_url }: CategoryDraft,
  atMs: number,
): Promise<number> {
  const [row] = await rowsOf<{ id: number }>(
    sql,
    'insert category',
    `insert into categories (clinic_id, name, description, color, image_url, created_at, updated_at)
     values ($1, $2, $3, $4, $6, $5, $5) returning id`,
    [clinicId, name, description, color, isoOf(atMs), image_url],
  );
  return row!.id;
}

export async function updateCategory(
  sql: Sql,
  clinicId: number,
  id: number,
  { name, description, color, image_url }: CategoryDraft,
  atMs: number,
): Promise<void> {
  await sql.query({
    name: 'update category',
    text: 'update categories set name = $3, description = $4, color = $5, image_url = $7, updated_at = $6 where clinic_id = $1 and id = $2',
    values: [clinicId, id, name, description, color, isoOf(atMs), image_url],
  });
}

/** Deletes a category and removes its items and products from it. */
export async function deleteCategoryRow(sql: Sql, clinicId: number, id: number, atMs: number): Promise<void> {
  for (const table of ['stock_items', 'products']) {
    // Rows are locked in the order that every writer uses.
    await sql.query({
      name: `clear category of ${table}`,
      text: `with held as (select id from ${table} where clinic_id = $1 and category_id = $2 order by id for no key update)
             update ${table} t set category_id = null, updated_at = $3 from held where t.clinic_id = $1 and t.id = held.id`,
      values: [clinicId, id, isoOf(atMs)],
    });
  }
  await sql.query({
    name: 'delete category',
    text: 'update categories set deleted_at = $3, updated_at = $3 where clinic_id = $1 and id = $2',
    values: [clinicId, id, isoOf(atMs)],
  });
}
