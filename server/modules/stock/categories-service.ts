/** Categories group the counter's services. Names are unique within a clinic. */
import { isValid, problemMessages } from '#domain/problems.ts';
import type { Problems } from '#domain/problems.ts';
import { accept, refuse } from '#domain/result.ts';
import { searchKey } from '#domain/search-key.ts';
import { blankCategory } from '#domain/stock/blank-drafts.ts';
import { categoryProblems } from '#domain/stock/drafts.ts';
import type { CategoryDraft } from '#domain/stock/drafts.ts';
import type { CategoryResource } from '#domain/stock/resources.ts';
import { isoOf } from '#domain/instant.ts';
import { withChanges } from '#server/partial-update.ts';
import { holdUploads } from '../uploads/service.ts';
import type { CatalogueNoun } from './catalogue-service.ts';
import { allResources, clearCategory, deleteRow, documentsOf, newIds, upsertCategories } from './catalogue-store.ts';
import type { CategoryBody } from './schemas.ts';

interface CategoryChange {
  /** Null for a new category. */
  id: number | null;
  draft: CategoryDraft;
}

export const categories: CatalogueNoun<
  CategoryResource,
  CategoryDraft,
  CategoryBody,
  CategoryResource,
  CategoryChange
> = {
  name: 'category',
  table: 'categories',
  blank: blankCategory,
  audited: [],
  missing: (id) => ({ code: 'NOT_FOUND', details: { category_id: id } }),
  read: async ({ sql, clinicId }, id) => (await documentsOf<CategoryResource>(sql, clinicId, 'categories', [id]))[0],
  resourceOf: (category) => category,
  async decide({ sql, clinicId }, stored, body) {
    const draft = withChanges(stored ? withChanges(blankCategory, stored) : blankCategory, body);
    const problems: Problems<string> = categoryProblems(draft);
    if (!isValid(problems)) return refuse('VALIDATION', problemMessages(problems));
    const others = await allResources<CategoryResource>(sql, clinicId, 'categories');
    const isTaken = others.some(({ id, name }) => id !== stored?.id && searchKey(name) === searchKey(draft.name));
    if (isTaken) return refuse('CATEGORY_EXISTS', { name: draft.name.slice(0, 200) });
    return accept({ id: stored?.id ?? null, draft });
  },
  async save({ sql, clinicId, atMs }, changes) {
    const created = await newIds(sql, 'categories', changes.filter(({ id }) => id === null).length);
    const ids = changes.map(({ id }) => id ?? created.shift()!);
    await holdUploads(
      sql,
      clinicId,
      changes.map(({ draft }) => draft.image_url),
    );
    await upsertCategories(
      sql,
      changes.map(({ draft }, index) => ({
        ...draft,
        clinic_id: clinicId,
        id: ids[index]!,
        updated_at: isoOf(atMs),
      })),
    );
    return ids;
  },
  async remove(context, id) {
    await clearCategory(context, id);
    await deleteRow(context, 'categories', id);
    return null;
  },
};
