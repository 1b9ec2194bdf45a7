import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '#server/project-root.ts';

const sources = execFileSync('git', ['ls-files', 'domain', 'src', 'sw', 'server'], {
  cwd: projectRoot,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /\.tsx?$/.test(file));

/** Locales that people choose because their dates look like ISO 8601, and texts that are read again. */
const signs = [
  /['"`](?:en-CA|sv-SE|fr-CA|lt-LT)\b/,
  /Date\.parse\([^;\n]*\.format\(/,
  /\.format\([^)]*\)\.(?:split|match|slice)\(/,
];

test('no text that Intl has made is read again: engines write one locale in several ways', () => {
  expect(sources.length).toBeGreaterThan(500);
  const readAgain = sources.filter((file) => {
    const text = readFileSync(path.join(projectRoot, file), 'utf8');
    return signs.some((sign) => sign.test(text));
  });
  expect(readAgain).toEqual([]);
});
