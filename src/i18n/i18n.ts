/**
 * English and Spanish. The code of Spanish is `sp` in files and storage; to Intl and `<html lang>` it is `es-ES`. Only the
 * language in use is loaded.
 */
import i18next from 'i18next';
import type { BackendModule } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { languages } from '../../domain/language.ts';
import type { Language } from '../../domain/language.ts';
import type english from '../../locales/en.json';
import { intlTag } from '../ui/intl-tag.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: { translation: typeof english };
  }
}

const files: Record<Language, () => Promise<{ default: object }>> = {
  en: () => import('../../locales/en.json'),
  sp: () => import('../../locales/sp.json'),
};

const isLanguage = (code: string | undefined): code is Language => languages.some((language) => language === code);

const backend: BackendModule = {
  type: 'backend',
  init() {},
  // i18next takes a function of two parameters for one that promises, and one of any other number for one that calls back.
  async read(language, _namespace) {
    return isLanguage(language) ? (await files[language]()).default : {};
  },
};

const storageKey = 'i18nextLng';

const languageOf = (code: string | null): Language | undefined => {
  if (!code) return undefined;
  if (/^(es|sp)\b/i.test(code)) return 'sp';
  return /^en\b/i.test(code) ? 'en' : undefined;
};

/** What was chosen before, else the first language of the browser that we speak. */
const knownLanguage = (): Language | undefined =>
  [localStorage.getItem(storageKey), ...navigator.languages].map(languageOf).find(Boolean);

/** Nobody has said which language to speak, and the page's own is no more than a guess. */
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
    .use(initReactI18next)
    .init({
      lng: known ?? languageOf(document.documentElement.lang) ?? 'en',
      supportedLngs: [...languages],
      // Both files have the same keys, so English is the fallback of the choice and is not loaded beside Spanish.
      fallbackLng: (code) => (isLanguage(code) ? [] : ['en']),
      interpolation: { escapeValue: false },
    });
}

/** What the clinic speaks: taken where neither a person nor the browser has said anything. */
export function suggestLanguage(language: Language): void {
  if (isGuess && language !== currentLanguage()) void i18next.changeLanguage(language);
  isGuess = false;
}
