import type { Language } from '#domain/language.ts';
import type { StarterCategory } from '#domain/stock/starter.ts';
import { translationsIn } from '#server/translations.ts';

/** What the list to begin with is called in a language. */
export interface StarterTexts {
  services: Readonly<Record<string, string>>;
  categories: Readonly<Record<StarterCategory, { name: string; description: string }>>;
}

export const starterTexts = (language: Language): StarterTexts => ({
  services: translationsIn(language).starter.services,
  categories: translationsIn(language).starter.categories,
});
