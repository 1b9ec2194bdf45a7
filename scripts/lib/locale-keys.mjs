import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

/** Whatever one language says, the other must say; prints what differs. */
export function checkLocaleKeys() {
  const [english, spanish] = ['en', 'sp'].map((name) => textsOf(`locales/${name}.json`));
  const problems = [
    ...missing(english, spanish, 'sp'),
    ...missing(spanish, english, 'en'),
    ...empty(english, 'en'),
    ...empty(spanish, 'sp'),
  ];
  for (const problem of problems) console.log(problem);
  return problems.length === 0;
}

function missing(from, other, name) {
  return [...from.keys()].filter((key) => !other.has(key)).map((key) => `locales/${name}.json lacks ${key}`);
}

function empty(texts, name) {
  return [...texts].filter(([, text]) => text === '').map(([key]) => `locales/${name}.json says nothing for ${key}`);
}

function textsOf(file) {
  return new Map(flatten(JSON.parse(readFileSync(join(root, file), 'utf8')), ''));
}

function flatten(value, path) {
  if (typeof value !== 'object' || value === null) return [[path, value]];
  return Object.entries(value).flatMap(([key, inner]) => flatten(inner, path === '' ? key : `${path}.${key}`));
}
