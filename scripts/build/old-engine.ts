/** What an engine below the floors gets: a notice in all languages, and a script that saves unsent work. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'vite';
import type { Alias, Rolldown } from 'vite';
import { languages } from '#domain/language.ts';
import { intlTag } from '#src/ui/intl-tag.ts';

const root = path.resolve(import.meta.dirname, '../..');
const entry = 'src/features/outbox/rescue/old-engine.ts';

/** Builds the script that saves unsent work, in the syntax of engines from 2020 on. */
export async function rescueScript(alias: Alias[]): Promise<string> {
  const built = await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    resolve: { alias },
    build: { write: false, target: 'es2020', lib: { entry, formats: ['iife'], name: 'oldEngineRescue' } },
  });
  const [{ output }] = built as [Rolldown.RolldownOutput];
  return output[0].code;
}

/** The words of the notice, and those of the rescue file. */
const words = {
  title: 'app.oldEngine.title',
  text: 'app.oldEngine.text',
  unsent: 'app.oldEngine.unsent',
  failed: 'app.oldEngine.failed',
  passphrase: 'outbox.rescue.passphrase',
  repeat: 'outbox.rescue.repeat',
  short: 'outbox.rescue.short',
  differ: 'outbox.rescue.differ',
  download: 'outbox.rescue.download',
  saved: 'outbox.rescue.saved',
};

type Texts = { [key: string]: Texts | string };

/** Returns the words in every language. */
export function noticeTexts(): Record<string, string>[] {
  return languages.map((language) => {
    const texts = JSON.parse(readFileSync(path.join(root, `locales/${language}.json`), 'utf8')) as Texts;
    const textOf = (key: string) =>
      key.split('.').reduce<Texts | string>((part, name) => (part as Texts)[name] ?? '', texts);
    const said = Object.entries(words).map(([name, key]) => [name, textOf(key)]);
    return { lang: intlTag(language), ...Object.fromEntries(said) } as Record<string, string>;
  });
}
