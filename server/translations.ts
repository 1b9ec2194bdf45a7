/** The app's own words, for what the server itself writes to people. */
import type { Language } from '../domain/language.ts';
import english from '../locales/en.json' with { type: 'json' };
import spanish from '../locales/sp.json' with { type: 'json' };

export type Translations = typeof english;

const files: Record<Language, Translations> = { en: english, sp: spanish };

export const translationsIn = (language: Language): Translations => files[language];

/** Puts values into a sentence where it names them: `Page {{page}}`. */
export function interpolate(sentence: string, values: Record<string, string | number>): string {
  return sentence.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** By whose customs dates and numbers are written: the day first in both languages. */
export const localeTag = (language: Language): string => (language === 'sp' ? 'es-ES' : 'en-GB');
