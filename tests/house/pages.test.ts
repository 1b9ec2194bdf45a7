/** Files, pictures, commands and decisions that README, CONTRIBUTING, CHANGELOG and `docs/` name. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectRoot } from '#server/project-root.ts';

const read = (file: string) => readFileSync(path.join(projectRoot, file), 'utf8');
const decisions = readdirSync(path.join(projectRoot, 'docs/decisions')).map((name) => `docs/decisions/${name}`);
const pages = [
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'README.md',
  ...readdirSync(path.join(projectRoot, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
  ...decisions,
];
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

/** Returns the paths of this tree that a text names in backticks, such as `src/db/write.ts`. */
function pathsIn(text: string): string[] {
  return [...text.matchAll(/`((?:src|sw|server|domain|tests|docs|scripts|public|locales|\.lint)\/[^`\s]*)`/g)].map(
    ([, name]) => name!,
  );
}

/** Returns the targets of the links and pictures of a page, relative to the project. */
function linksIn(page: string): string[] {
  const targets = [...read(page).matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g)].map(
    ([, link, picture]) => (link ?? picture)!,
  );
  return targets
    .filter((target) => !/^(https?:|mailto:|#)/.test(target))
    .map((target) => path.join(path.dirname(page), target.split('#')[0]!));
}

/** Returns the names of the npm commands in a text. */
const commandsIn = (text: string) =>
  [...text.matchAll(/\bnpm (?:(start|test)\b(?!:)|run ([a-z:-]+))/g)].map(([, short, long]) => (short ?? long)!);

describe('the documentation pages', () => {
  test.each(pages)('%s names only existing files', (page) => {
    const named = [...pathsIn(read(page)).filter((name) => !/[<{*]/.test(name)), ...linksIn(page)];
    expect(named.filter((name) => !existsSync(path.join(projectRoot, name)))).toEqual([]);
  });

  test('name only existing commands', () => {
    const named = pages.flatMap((page) => commandsIn(read(page)));
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  test('explain every command', () => {
    const explained = new Set(['README.md', 'CONTRIBUTING.md'].flatMap((page) => commandsIn(read(page))));
    expect(Object.keys(scripts).filter((name) => !explained.has(name))).toEqual([]);
  });

  test('explain every setting of the server', () => {
    const settings = [...read('server/config.ts').matchAll(/^    ([A-Z_]+): /gm)].map(([, name]) => name!);
    expect(settings.length).toBeGreaterThan(10);
    expect(settings.filter((name) => !read('README.md').includes(`\`${name}\``))).toEqual([]);
  });

  test('link every decision from the architecture page', () => {
    const linked = linksIn('docs/architecture.md');
    expect(decisions.filter((decision) => !linked.includes(decision))).toEqual([]);
  });

  test.each(decisions)('%s has its title, date, status and sections', (decision) => {
    expect(read(decision)).toMatch(
      /^# \d{3} · .+\n\n- Date: \d{4}-\d\d-\d\d\n- Status: (?:accepted|superseded)[^]*\n## Context\n[^]*\n## Decision\n[^]*\n## Consequences\n/,
    );
  });

  test('name the evidence of the security promises', () => {
    expect(pathsIn(read('docs/security.md')).length).toBeGreaterThan(60);
  });

  test('name no path outside this tree', () => {
    expect(pages.filter((page) => /(?:^|[\s`"'(])\/(?:home|Users|work|tmp|root)\//m.test(read(page)))).toEqual([]);
  });
});
