/** Categories group the counter's services. Names are unique within a clinic. */
import { isValid, problemMessages } from '../../../domain/problems.ts';
import type { Problems } from '../../../domain/problems.ts';
import { accept, refuse } from '../../../domain/result.ts';
import type { Refusal, Result } from '../../../domain/result.ts';
import { searchKey } from '../../../domain/search-key.ts';
import { blankCategory } from '../../../domain/stock/blank-drafts.ts';
import { categoryProblems } from '../../../domain/stock/drafts.ts';
import type { CategoryDraft } from '../../../domain/stock/drafts.ts';
import type { CategoryResource } from '../../../domain/stock/resources.ts';
import { deleteCategoryRow, insertCategory, updateCategory } from './categories-store.ts';
import { allResources, documentsOf } from './catalogue-store.ts';
import type { CategoryBody } from './schemas.ts';
import { withChanges } from '../../partial-update.ts';
import { holdUploads } from '../uploads/service.ts';
import { audit, changedFields } from '../audit/service.ts';
import type { WriteContext } from '../../context.ts';

/** Returns the refusal of an invalid category or a duplicate name; null when neither applies. */
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
  const draft = withChanges(blankCategory, body);
  const refusal = await objection(context, draft, null);
  if (refusal) return { ok: false, refusal };
  await holdUploads(sql, clinicId, [draft.image_url]);
  const id = await insertCategory(sql, clinicId, draft, atMs);
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
  const draft = withChanges(withChanges(blankCategory, before), body);
  const refusal = await objection(context, draft, id);
  if (refusal) return { ok: false, refusal };
  await holdUploads(sql, clinicId, [draft.image_url]);
  await updateCategory(sql, clinicId, id, draft, atMs);
  await audit(context, {
    action: 'category.changed',
    subject: String(id),
    details: changedFields(withChanges(blankCategory, before), draft),
  });
  return accept(await category(context, id));
}

/** Deletes a category. Its items and products lose their category in the same transaction. */
export async function deleteCategory(context: WriteContext, id: number): Promise<Result<{ id: number }>> {
  const { sql, clinicId, atMs } = context;
  const [before] = await documentsOf<CategoryResource>(sql, clinicId, 'categories', [id]);
  if (!before) return refuse('NOT_FOUND', { category_id: id });
  await deleteCategoryRow(sql, clinicId, id, atMs);
  await audit(context, { action: 'category.deleted', subject: String(id), details: { name: before.name } });
  return accept({ id });
}

async function category({ sql, clinicId }: WriteContext, id: number): Promise<CategoryResource> {
  return (await documentsOf<CategoryResource>(sql, clinicId, 'categories', [id]))[0]!;
}
