import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => vi.unstubAllGlobals());

/** Starts the app's texts in a browser. @returns its language */
async function languageIn({ stored, browser, page }: { stored?: string; browser: string[]; page: string }) {
  vi.resetModules();
  const storage = new Map(stored ? [['i18nextLng', stored]] : []);
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => void storage.set(key, value),
  });
  vi.stubGlobal('navigator', { languages: browser });
  vi.stubGlobal('document', { documentElement: { lang: page } });
  const { currentLanguage, startI18n } = await import('#src/i18n/i18n.ts');
  await startI18n();
  return { language: currentLanguage(), stored: storage.get('i18nextLng') };
}

test.each([
  ['the choice that is stored', { stored: 'sp', browser: ['en-GB'], page: 'en' }, 'sp'],
  ['else the first language of the browser that the app has', { browser: ['fr', 'es-MX', 'en'], page: 'en' }, 'sp'],
  ['else the language of the page', { browser: ['fr'], page: 'es-ES' }, 'sp'],
  ['else English', { browser: ['fr'], page: '' }, 'en'],
] as const)('the language is %s, and is stored', async (_source, { browser, ...rest }, language) => {
  expect(await languageIn({ ...rest, browser: [...browser] })).toEqual({ language, stored: language });
});
