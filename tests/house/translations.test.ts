/** The use of the locale texts. (`tests/src/i18n/locales.test.ts` checks that both languages have the same keys.) */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import appEnglish from '#locales/en.json' with { type: 'json' };
import serverEnglish from '#locales/server/en.json' with { type: 'json' };
import { projectRoot } from '#server/project-root.ts';

function sourceOf(folder: string): string {
  const files = readdirSync(path.join(projectRoot, folder), { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.tsx?$/.test(file),
  );
  return files.map((file) => readFileSync(path.join(projectRoot, folder, file), 'utf8')).join('\n');
}

function keysUnder(value: unknown, prefix = ''): string[] {
  if (typeof value === 'string') return [prefix];
  return Object.entries(value as object).flatMap(([key, inner]) => keysUnder(inner, prefix ? `${prefix}.${key}` : key));
}

/** The names of fields follow from the routes: `tests/server/http/requests.test.ts` compares them. */
const { fields: _fields, validation, ...serverTexts } = serverEnglish;
const english = { ...appEnglish, ...serverTexts };

const server = sourceOf('server');
const domain = sourceOf('domain');
// The build writes some texts into the page for old engines.
const all = [sourceOf('src'), sourceOf('scripts/build'), domain, server].join('\n');
const tops = Object.keys(english).join('|');

const literals = new Set([...all.matchAll(/['"`]([\w.-]+)['"`]/g)].map(([, text]) => text!));
/** Patterns for keys with a variable part, such as `counter.methods.${method}`. */
const patterns = [...all.matchAll(new RegExp(`\`((?:${tops})\\.[^\`]*\\$\\{[^\`]*)\``, 'g'))].map(([, text]) => {
  const fixed = text!.split(/\$\{(?:[^{}]|\{[^}]*\})*\}/).map((part) => part.replaceAll('.', String.raw`\.`));
  return new RegExp(`^${fixed.join(String.raw`[\w.-]+`)}$`);
});
/** Groups of texts that the code reads as a whole. */
const groups = [...all.matchAll(/t\(\s*'([\w.]+)',\s*\{\s*returnObjects: true/g)].map(([, group]) => `${group!}.`);
/** The server reads texts as properties, such as `translationsIn(language).exports.total`. */
const identifiers = new Set(`${server}\n${domain}`.match(/\w+/g));
const topsOfServer = new Set([
  ...[...server.matchAll(/\{([^{}]*)\} = translationsIn\(/g)].flatMap(([, several]) => several!.match(/\w+/g) ?? []),
  ...[...server.matchAll(/(?:translationsIn\([\w.]*\)|english)\.(\w+)/g)].map(([, one]) => one!),
]);

function isUsed(key: string): boolean {
  const baseKey = key.replace(/_(one|many|other)$/, '');
  return (
    literals.has(baseKey) ||
    patterns.some((pattern) => pattern.test(baseKey)) ||
    groups.some((group) => key.startsWith(group)) ||
    isUsedByServer(baseKey)
  );
}

function isUsedByServer(key: string): boolean {
  const [top, ...names] = key.split('.');
  if (!topsOfServer.has(top!) || !names.every((name) => identifiers.has(name))) return false;
  return new RegExp(
    `\\b(?:${top!}|words)\\.${names[0]!}\\b|\\b${names[0]!}\\b[^{}]*\\} = translationsIn\\([\\w.]*\\)\\.${top!}\\b`,
  ).test(server);
}

test('every sentence about an invalid request is named by a schema or by its renderer', () => {
  const names = Object.keys(validation);
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((name) => !new RegExp(`'${name}'`).test(`${server}\n${domain}`))).toEqual([]);
});

test('the locale files contain no unused text', () => {
  const keys = keysUnder(english);
  expect(keys.length).toBeGreaterThan(1000);
  expect(keys.filter((key) => !isUsed(key))).toEqual([]);
});
