/** The glossary has one word per concept. The words in bold in its last column name nothing at all in the code. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync, Visitor } from 'vite';
import { expect, test } from 'vitest';
import { projectRoot } from '#server/project-root.ts';

const page = readFileSync(path.join(projectRoot, 'docs/architecture.md'), 'utf8');
const glossary = page.slice(page.indexOf('## Glossary'));
const avoided = [...glossary.matchAll(/\*\*(\w+)\*\*/g)].map(([, word]) => word!.toLowerCase());

/** Returns the words of a name: `refundLines` has two. */
const wordsOf = (name: string): string[] =>
  (name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []).map((word) => word.toLowerCase());

function namesIn(file: string): string[] {
  const names = [path.basename(file)];
  const note = ({ name }: { name: string }) => void names.push(name);
  new Visitor({ Identifier: note }).visit(parseSync(file, readFileSync(path.join(projectRoot, file), 'utf8')).program);
  return names;
}

test('no name of the code has a word that the glossary refuses', () => {
  expect(avoided.length).toBeGreaterThan(15);
  const refused = new Set(avoided.flatMap((word) => [word, `${word}s`]));
  const files = ['domain', 'server', 'src', 'sw'].flatMap((folder) =>
    readdirSync(path.join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => path.posix.join(folder, file.split(path.sep).join('/'))),
  );
  expect(files.length).toBeGreaterThan(900);
  const faults = files.flatMap((file) => {
    const found = namesIn(file).filter((name) => wordsOf(name).some((word) => refused.has(word)));
    return [...new Set(found)].map((name) => `${file}: ${name}`);
  });
  expect(faults).toEqual([]);
});
