/** The language in which a reply speaks to a person. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Language } from '#domain/language.ts';

/** Returns the first language of `Accept-Language` that the app speaks. */
export function languageOf({ 'accept-language': header = '' }: IncomingHttpHeaders): Language {
  const known = header.split(',').map((tag) => spoken[tag.trim().slice(0, 2).toLowerCase()]);
  return known.find((language) => language !== undefined) ?? 'en';
}

const spoken: Record<string, Language | undefined> = { en: 'en', es: 'sp', sp: 'sp' };
