/**
 * English and Spanish. Files and storage call Spanish `sp`; Intl and `<html lang>` call it `es-ES`. Only the language
 * in use is loaded.
 */
import i18next from 'i18next';
import type { BackendModule, FormatterModule } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { languages } from '#domain/language.ts';
import type { Language } from '#domain/language.ts';
import { numberFormat } from '#domain/number-format.ts';
import type english from '#locales/en.json';
import { intlTag } from '../ui/intl-tag.ts';
import { isolated } from '../ui/isolated.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: { translation: typeof english };
  }
}

const files: Record<Language, () => Promise<{ default: object }>> = {
  en: () => import('#locales/en.json'),
  sp: () => import('#locales/sp.json'),
};

const isLanguage = (code: string | undefined): code is Language => languages.some((language) => language === code);

const backend: BackendModule = {
  type: 'backend',
  init() {},
  // i18next treats a function with two parameters as asynchronous, and expects a callback from any other.
  async read(language, _namespace) {
    return isLanguage(language) ? (await files[language]()).default : {};
  },
};

const storageKey = 'i18nextLng';

const numbers = numberFormat();

/** Formats the numbers within sentences, which are counts, except one that identifies something, and keeps the order of names. */
const formatter: FormatterModule = {
  type: 'formatter',
  init() {},
  add() {},
  addCached() {},
  format: (value: unknown, _format, _language, options) => {
    if (typeof value === 'string') return isolated(value);
    return typeof value === 'number' && options?.['interpolationkey'] !== 'id'
      ? numbers.format(value)
      : (value as string);
  },
};

const languageOf = (code: string | null): Language | undefined => {
  if (!code) return undefined;
  if (/^(es|sp)\b/i.test(code)) return 'sp';
  return /^en\b/i.test(code) ? 'en' : undefined;
};

/** Returns the stored choice, or the first browser language that the app supports. */
const knownLanguage = (): Language | undefined =>
  [localStorage.getItem(storageKey), ...navigator.languages].map(languageOf).find(Boolean);

/** True if neither a person nor the browser has chosen a language. */
let isGuess = false;

export const currentLanguage = (): Language => (isLanguage(i18next.resolvedLanguage) ? i18next.resolvedLanguage : 'en');

export async function startI18n(): Promise<void> {
  i18next.on('languageChanged', (language) => {
    document.documentElement.lang = intlTag(language);
    localStorage.setItem(storageKey, language);
  });
  const known = knownLanguage();
  isGuess = known === undefined;
  await i18next
    .use(backend)
    .use(formatter)
    .use(initReactI18next)
    .init({
      lng: known ?? languageOf(document.documentElement.lang) ?? 'en',
      supportedLngs: [...languages],
      // Both files have the same keys, so no language needs another one beside it.
      fallbackLng: false,
      interpolation: { escapeValue: false, alwaysFormat: true },
    });
}

/** Applies the clinic's language, if neither a person nor the browser has chosen one. */
export function suggestLanguage(language: Language): void {
  if (isGuess && language !== currentLanguage()) void i18next.changeLanguage(language);
  isGuess = false;
}
