/** Every sentence of the locale files is said somewhere. (That both languages have the same ones is `tests/src/i18n/locales.test.ts`.) */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import english from '../../locales/en.json' with { type: 'json' };
import { projectRoot } from '../../server/project-root.ts';

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

const server = sourceOf('server');
const domain = sourceOf('domain');
const all = [sourceOf('src'), domain, server].join('\n');
const tops = Object.keys(english).join('|');

const literals = new Set([...all.matchAll(/['"`]([\w.-]+)['"`]/g)].map(([, text]) => text!));
/** `counter.methods.${method}`, as a pattern for what it can come to. */
const patterns = [...all.matchAll(new RegExp(`\`((?:${tops})\\.[^\`]*\\$\\{[^\`]*)\``, 'g'))].map(([, text]) => {
  const fixed = text!.split(/\$\{(?:[^{}]|\{[^}]*\})*\}/).map((part) => part.replaceAll('.', String.raw`\.`));
  return new RegExp(`^${fixed.join(String.raw`[\w.-]+`)}$`);
});
/** Groups that are taken as they stand. */
const groups = [...all.matchAll(/t\(\s*'([\w.]+)',\s*\{\s*returnObjects: true/g)].map(([, group]) => `${group!}.`);
/** The server takes its words by name from the file itself: `translationsIn(language).exports`, and what it reads of that. */
const named = new Set(`${server}\n${domain}`.match(/\w+/g));
const taken = new Set([
  ...[...server.matchAll(/\{([^{}]*)\} = translationsIn\(/g)].flatMap(([, several]) => several!.match(/\w+/g) ?? []),
  ...[...server.matchAll(/(?:translationsIn\([\w.]*\)|english)\.(\w+)/g)].map(([, one]) => one!),
]);

function isSaid(key: string): boolean {
  const said = key.replace(/_(one|many|other)$/, '');
  return (
    literals.has(said) ||
    patterns.some((pattern) => pattern.test(said)) ||
    groups.some((group) => key.startsWith(group)) ||
    isSaidByServer(said)
  );
}

function isSaidByServer(key: string): boolean {
  const [top, ...names] = key.split('.');
  if (!taken.has(top!) || !names.every((name) => named.has(name))) return false;
  return new RegExp(
    `\\b(?:${top!}|words)\\.${names[0]!}\\b|\\b${names[0]!}\\b[^{}]*\\} = translationsIn\\([\\w.]*\\)\\.${top!}\\b`,
  ).test(server);
}

test('the words are all said somewhere', () => {
  const keys = keysUnder(english);
  expect(keys.length).toBeGreaterThan(1000);
  expect(keys.filter((key) => !isSaid(key))).toEqual([]);
});
