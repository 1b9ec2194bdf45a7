/** What README and `docs/` name is there: files, pictures, commands, decisions. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectRoot } from '../../server/project-root.ts';

const read = (file: string) => readFileSync(path.join(projectRoot, file), 'utf8');
const decisions = readdirSync(path.join(projectRoot, 'docs/decisions')).map((name) => `docs/decisions/${name}`);
const pages = [
  'CONTRIBUTING.md',
  'README.md',
  ...readdirSync(path.join(projectRoot, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
  ...decisions,
];
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

/** `src/db/write.ts`, `domain/order`: a path of this tree, without the line or the part that may stand behind it. */
function pathsIn(text: string): string[] {
  return [...text.matchAll(/`((?:src|sw|server|domain|tests|docs|scripts|public|locales|\.lint)\/[^`\s]*)`/g)].map(
    ([, name]) => name!,
  );
}

/** Where links and pictures of a page lead, seen from the page. */
function linksIn(page: string): string[] {
  const targets = [...read(page).matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g)].map(
    ([, link, picture]) => (link ?? picture)!,
  );
  return targets
    .filter((target) => !/^(https?:|mailto:|#)/.test(target))
    .map((target) => path.join(path.dirname(page), target.split('#')[0]!));
}

/** `npm start`, `npm test`, `npm run bench`. */
const commandsIn = (text: string) =>
  [...text.matchAll(/\bnpm (?:(start|test)\b(?!:)|run ([a-z:-]+))/g)].map(([, short, long]) => (short ?? long)!);

describe('the pages', () => {
  test.each(pages)('%s names only what is there', (page) => {
    const named = [...pathsIn(read(page)).filter((name) => !/[<{*]/.test(name)), ...linksIn(page)];
    expect(named.filter((name) => !existsSync(path.join(projectRoot, name)))).toEqual([]);
  });

  test('name no command that is none', () => {
    const named = pages.flatMap((page) => commandsIn(read(page)));
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  test('say what every command is for', () => {
    const explained = new Set(['README.md', 'CONTRIBUTING.md'].flatMap((page) => commandsIn(read(page))));
    expect(Object.keys(scripts).filter((name) => !explained.has(name))).toEqual([]);
  });

  test('explain every setting of the server', () => {
    const settings = [...read('server/config.ts').matchAll(/^    ([A-Z_]+): /gm)].map(([, name]) => name!);
    expect(settings.length).toBeGreaterThan(10);
    expect(settings.filter((name) => !read('README.md').includes(`\`${name}\``))).toEqual([]);
  });

  test('lead to every decision, from the page on the architecture', () => {
    const linked = linksIn('docs/architecture.md');
    expect(decisions.filter((decision) => !linked.includes(decision))).toEqual([]);
  });

  test('show in the page on security where each promise is kept', () => {
    expect(pathsIn(read('docs/security.md')).length).toBeGreaterThan(60);
  });

  test('name no place outside this tree', () => {
    expect(pages.filter((page) => /(?:^|[\s`"'(])\/(?:home|Users|work|tmp|root)\//m.test(read(page)))).toEqual([]);
  });
});
