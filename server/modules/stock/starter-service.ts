/** The list that a new clinic begins with: services with categories, colours, pictures and taxes. */
import type { Language } from '#domain/language.ts';
import { accept } from '#domain/result.ts';
import type { Result } from '#domain/result.ts';
import { searchKey } from '#domain/search-key.ts';
import type { CategoryResource, StarterAdded, StarterList } from '#domain/stock/resources.ts';
import { starterCategories, starterServices } from '#domain/stock/starter.ts';
import type { StarterCategory, StarterService } from '#domain/stock/starter.ts';
import type { WriteContext } from '#server/context.ts';
import type { Sql } from '#server/db/sql.ts';
import { audit } from '../audit/service.ts';
import { clinicSettings } from '../clinics/service.ts';
import { PictureShelf } from '../uploads/service.ts';
import { createRecord } from './catalogue-service.ts';
import { allResources } from './catalogue-store.ts';
import { categories } from './categories-service.ts';
import { decideItem, saveItems } from './items-service.ts';
import { serviceKeys } from './services-store.ts';
import { starterTexts } from './starter-texts.ts';

/** Returns the list in the clinic's language, and what of it the clinic has. */
export async function readStarter(sql: Sql, clinicId: number): Promise<StarterList> {
  const { default_language: language } = await clinicSettings(sql, clinicId);
  const texts = starterTexts(language);
  const known = await serviceKeys(sql, clinicId);
  return {
    categories: (Object.keys(starterCategories) as StarterCategory[]).map((key) => ({
      key,
      color: starterCategories[key],
      name: texts.categories[key].name,
    })),
    services: starterServices.map((starter) => ({
      ...starter,
      name: texts.services[starter.key]!,
      is_there: known.has(searchKey(texts.services[starter.key]!)),
    })),
  };
}

export interface ChosenStarter {
  key: string;
  price: number;
}

/** Adds services with the prices that somebody confirmed. What is there already stays as it is, so a repetition adds nothing. */
export async function addStarter(
  context: WriteContext,
  chosen: readonly ChosenStarter[],
): Promise<Result<StarterAdded>> {
  const { sql, clinicId, userId, atMs } = context;
  const { default_language: language } = await clinicSettings(sql, clinicId);
  const texts = starterTexts(language);
  const prices = new Map(chosen.map(({ key, price }) => [key, price]));
  const known = await serviceKeys(sql, clinicId);
  const added = starterServices.filter(({ key }) => prices.has(key) && !known.has(searchKey(texts.services[key]!)));
  if (added.length === 0) return accept({ added: 0 });
  const ids = await ensureCategories(context, added, language);
  const pictures = new PictureShelf(sql, { clinicId, userId, atMs });
  const changes = [];
  for (const { key, category, drawing, tax } of added) {
    const body = {
      name: texts.services[key]!,
      category_id: ids.get(category)!,
      image_url: await pictures.addressOf(drawing, starterCategories[category]),
      cost_per_unit: prices.get(key)!,
      tax,
      is_stocked: false,
      needs_preparation: category !== 'homeCare',
    };
    changes.push(decideItem(null, body, { categoryIds: new Set(ids.values()), uses: null }).change);
  }
  await saveItems(context, changes);
  await audit(context, { action: 'stock.imported', details: { new: added.length, changed: 0 } });
  return accept({ added: added.length });
}

/** Returns the ids of the categories of services, and creates those that are missing. */
async function ensureCategories(
  context: WriteContext,
  services: readonly StarterService[],
  language: Language,
): Promise<Map<StarterCategory, number>> {
  const existing = await allResources<CategoryResource>(context.sql, context.clinicId, 'categories');
  const ids = new Map<StarterCategory, number>();
  for (const key of new Set(services.map(({ category }) => category))) {
    const texts = starterTexts(language).categories[key];
    const found = existing.find(({ name }) => searchKey(name) === searchKey(texts.name));
    const made = found ? null : await createRecord(categories, context, { ...texts, color: starterCategories[key] });
    if (found) ids.set(key, found.id);
    else if (made?.ok) ids.set(key, made.value.id);
  }
  return ids;
}
