/** No change of a record leaves out what was seen of it: neither a route, nor a screen that sends one. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '#server/project-root.ts';

const sources = (folder: string) =>
  readdirSync(path.join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => ({ file, text: readFileSync(path.join(projectRoot, folder, file), 'utf8') }));

/** Returns a call from its first word to the bracket that closes it. */
function callAt(text: string, start: number): string {
  let depth = 0;
  for (let at = text.indexOf('(', start); at < text.length; at++) {
    if (text[at] === '(') depth++;
    if (text[at] === ')' && --depth === 0) return text.slice(start, at + 1);
  }
  throw new Error(`A call of ${text.slice(start, start + 40)} does not end.`);
}

/** Changes that compare nothing, with the reason. */
const uncompared: Record<string, string> = {
  // It compares the certificate before in its own transaction, because no receipt may keep the request.
  '/fiscal/certificate': 'compares by itself',
  // A level alone ends an alert; acknowledging twice is the same, and a resolved one cannot be acknowledged.
  '/stock/inventory/alerts/:id/${step}': 'states what the step found',
};

test('each route that changes a record compares it with what the request has seen', () => {
  const routes = sources('server/modules').flatMap(({ file, text }) =>
    [...text.matchAll(/\bapi\.(?:put|patch)\(/g)].map(({ index }) => {
      const call = callAt(text, index);
      const url = /['"`](\/.*?|\$\{path\}.*?)['"`]/.exec(call)?.[1] ?? '';
      return { at: `${file} ${url}`, url, compares: /\brecord\b/.test(call) };
    }),
  );
  expect(routes.length).toBeGreaterThan(10);
  expect(routes.filter(({ url, compares }) => !compares && !(url in uncompared)).map(({ at }) => at)).toEqual([]);
});

test('only src/api/change-record.ts sends a change of a record', () => {
  const senders = sources('src').filter(({ text }) => /\bcallServer(?:<[^(]*>)?\(\s*['"](?:put|patch)['"]/.test(text));
  expect(senders.map(({ file }) => file)).toEqual(alone);
});

/** The certificate replaces another whole, and the steps of an alert change no field that a form shows. */
const alone = [
  path.join('features', 'settings', 'certificate-section.tsx'),
  path.join('features', 'stock', 'alerts', 'alerts-tab.tsx'),
];

test('whoever sends a change names what was seen', () => {
  const { text } = sources('src/api').find(({ file }) => file === 'change-record.ts')!;
  expect(text).toMatch(/\{ \.\.\.changes, seen \}/);
});
