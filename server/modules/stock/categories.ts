/** Categories: names under which the counter's services are grouped. No two of a clinic's are called the same. */
import { isValid, problemMessages } from '../../../domain/problems.ts';
import type { Problems } from '../../../domain/problems.ts';
import { accept, refuse } from '../../../domain/result.ts';
import type { Refusal, Result } from '../../../domain/result.ts';
import { searchKey } from '../../../domain/search-key.ts';
import { categoryProblems } from '../../../domain/stock/drafts.ts';
import type { CategoryDraft } from '../../../domain/stock/drafts.ts';
import type { CategoryResource } from '../../../domain/stock/resources.ts';
import { isoOf } from '../../db/sql.ts';
import { allResources, documentsOf } from './resources.ts';
import type { CategoryBody } from './schemas.ts';
import { withChanges } from '../../partial-update.ts';
import { audit, changedFields } from '../audit/service.ts';
import type { WriteContext } from '../../context.ts';

const blankDraft: CategoryDraft = { name: '', description: '', color: null };

/** What is wrong with a category: of itself, or because another one is called the same. */
async function objection(
  { sql, clinicId }: WriteContext,
  draft: CategoryDraft,
  ownId: number | null,
): Promise<Refusal | null> {
  const problems: Problems<string> = categoryProblems(draft);
  if (!isValid(problems)) return { code: 'VALIDATION', details: problemMessages(problems) };
  const others = await allResources<CategoryResource>(sql, clinicId, 'categories');
  const isTaken = others.some(({ id, name }) => id !== ownId && searchKey(name) === searchKey(draft.name));
  return isTaken ? { code: 'CATEGORY_EXISTS', details: { name: draft.name.slice(0, 200) } } : null;
}

export async function createCategory(context: WriteContext, body: CategoryBody): Promise<Result<CategoryResource>> {
  const { sql, clinicId, atMs } = context;
  const draft = withChanges(blankDraft, body);
  const refusal = await objection(context, draft, null);
  if (refusal) return { ok: false, refusal };
  const { rows } = await sql.query(
    'insert into categories (clinic_id, name, description, color, created_at, updated_at) values ($1, $2, $3, $4, $5, $5) returning id',
    [clinicId, draft.name, draft.description, draft.color, isoOf(atMs)],
  );
  const { id } = rows[0] as { id: number };
  await audit(context, { action: 'category.created', subject: String(id), details: { name: draft.name } });
  return accept(await category(context, id));
}

export async function changeCategory(
  context: WriteContext,
  id: number,
  body: CategoryBody,
): Promise<Result<CategoryResource>> {
  const { sql, clinicId, atMs } = context;
  const [before] = await documentsOf<CategoryResource>(sql, clinicId, 'categories', [id]);
  if (!before) return refuse('NOT_FOUND', { category_id: id });
  const draft = withChanges(withChanges(blankDraft, before), body);
  const refusal = await objection(context, draft, id);
  if (refusal) return { ok: false, refusal };
  await sql.query(
    'update categories set name = $3, description = $4, color = $5, updated_at = $6 where clinic_id = $1 and id = $2',
    [clinicId, id, draft.name, draft.description, draft.color, isoOf(atMs)],
  );
  await audit(context, {
    action: 'category.changed',
    subject: String(id),
    details: changedFields(withChanges(blankDraft, before), draft),
  });
  return accept(await category(context, id));
}

/** Deletes a category. What was in it is in none afterwards; tablets learn both together. */
export async function deleteCategory(context: WriteContext, id: number): Promise<Result<{ id: number }>> {
  const { sql, clinicId, atMs } = context;
  const [before] = await documentsOf<CategoryResource>(sql, clinicId, 'categories', [id]);
  if (!before) return refuse('NOT_FOUND', { category_id: id });
  for (const table of ['stock_items', 'products']) {
    // In the order in which everyone locks them.
    await sql.query(
      `with held as (select id from ${table} where clinic_id = $1 and category_id = $2 order by id for no key update)
       update ${table} t set category_id = null, updated_at = $3 from held where t.clinic_id = $1 and t.id = held.id`,
      [clinicId, id, isoOf(atMs)],
    );
  }
  await sql.query('update categories set deleted_at = $3, updated_at = $3 where clinic_id = $1 and id = $2', [
    clinicId,
    id,
    isoOf(atMs),
  ]);
  await audit(context, { action: 'category.deleted', subject: String(id), details: { name: before.name } });
  return accept({ id });
}

async function category({ sql, clinicId }: WriteContext, id: number): Promise<CategoryResource> {
  return (await documentsOf<CategoryResource>(sql, clinicId, 'categories', [id]))[0]!;
}
