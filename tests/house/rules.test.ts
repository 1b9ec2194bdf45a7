/** The numbered rules: `docs/` states them, test titles prove them, comments cite them. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectRoot } from '#server/project-root.ts';

function textsUnder(folder: string, named: RegExp): string[] {
  return readdirSync(path.join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => named.test(file))
    .map((file) => readFileSync(path.join(projectRoot, folder, file), 'utf8'));
}

const architecture = readFileSync(path.join(projectRoot, 'docs/architecture.md'), 'utf8');
/** Each rule has a row in the table of rules. */
const stated = [...architecture.matchAll(/^\| ([A-Z]+-\d+) \|/gm)].map(([, rule]) => rule!);
const families = [...new Set(stated.map((rule) => rule.split('-')[0]!))].join('|');

const rulesIn = (texts: readonly string[]) =>
  new Set(texts.flatMap((text) => text.match(new RegExp(`\\b(?:${families})-\\d+`, 'g')) ?? []));

/** Returns the titles of tests and groups, also of those with a table of cases. */
function titlesIn(text: string): string[] {
  return [...text.matchAll(/(?:\b(?:it|test|describe)(?:\.\w+)*|\]\))\(\s*(['"`])([^\n]*?)\1/g)].map(
    ([, , title]) => title!,
  );
}

const proved = rulesIn(textsUnder('tests', /\.(test|spec)\.tsx?$/).flatMap(titlesIn));

describe('the numbered rules', () => {
  test('are stated once each', () => {
    expect(stated.length).toBeGreaterThan(10);
    expect(stated).toEqual([...new Set(stated)]);
  });

  test('each have a test whose title names them', () => {
    expect(stated.filter((rule) => !proved.has(rule))).toEqual([]);
  });

  test.each([
    ['test titles', proved],
    ['pages', rulesIn(textsUnder('docs', /\.md$/))],
    ['comments', rulesIn(['domain', 'src', 'sw', 'server'].flatMap((folder) => textsUnder(folder, /\.tsx?$/)))],
  ])('are the only ones that %s name', (_where, named) => {
    expect([...named].filter((rule) => !stated.includes(rule))).toEqual([]);
  });
});
