/** The lint rule for regular expressions: a foreign text of some hundred thousand characters must not hold the process. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { projectRoot } from '#server/project-root.ts';

// Plain JavaScript without types, because oxlint loads it.
const { slowness } = (await import(pathToFileURL(path.join(projectRoot, '.lint/patterns.js')).href)) as {
  slowness: (source: string, flags: string) => string | null;
};

test.each([
  ['two repetitions share a text', /^[\d.,]*\d[\d.,]*$/],
  ['each place in a run is a beginning', /0+$/],
  ['each line of an empty run is a beginning', /^\s+at /m],
  ['a look ahead reads to the end from each place', /\B(?=(\d{3})+$)/g],
  ['a look back reads to the beginning from each place', /(?<=(?:^|[^\\])(?:\\\\)*)\\u0000/g],
  ['a repetition repeats itself', /(a+)+b/],
  ['a group is found again', /^(.+)\1+$/],
  ['the beginning occurs in what follows it', /<!--.*-->/],
  ['the beginning of a line occurs in what follows it', /^--[^]*?;/m],
  ['the beginning in a group occurs in what follows it', /x|(?:<style)[^>]*>/],
])('refuses a pattern in which %s', (_what, { source, flags }) => {
  expect(slowness(source, flags)).toMatch(/^takes more than linear time: /);
});

test.each([
  /^[^\s@]+@[^\s@]+\.[^\s@.]+$/,
  /"[^"]*"/,
  /\s+/g,
  /^<!--.*-->/s,
  /<!--.*-->/sy,
  /^[ \t]*--.*$/gm,
  /filename="?([^";]+)/,
  /(?<=^|[;,]) *'*(?=[=+])/g,
  /\\(?:\\|u0000)/g,
])('accepts %s', ({ source, flags }) => {
  expect(slowness(source, flags)).toBeNull();
});

test('the rule holds for all sources that meet foreign texts', () => {
  const { overrides } = JSON.parse(readFileSync(path.join(projectRoot, '.oxlintrc.json'), 'utf8')) as {
    overrides: { files: string[]; rules: Record<string, unknown> }[];
  };
  expect(overrides.filter(({ rules }) => rules['house/linear-patterns'] === 'error')).toEqual([
    { files: ['domain/**', 'server/**', 'src/**', 'sw/**'], rules: { 'house/linear-patterns': 'error' } },
  ]);
});
