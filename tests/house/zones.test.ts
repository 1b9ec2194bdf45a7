import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { projectRoot } from '#server/project-root.ts';

interface Zones {
  standing: Record<string, string[]>;
  zones: { zone: string }[];
  shared: Record<string, string[]>;
  zoneOf: (file: string) => { zone: string } | undefined;
  violation: (file: string, specifier: string, isType?: boolean) => string | null;
}
const { zones, shared, standing, zoneOf, violation } = (await import(
  pathToFileURL(path.join(projectRoot, '.lint/zones.js')).href
)) as Zones;

const firstOutside = (folder: string, others: string[]) =>
  Object.keys(shared).find((other) => other !== folder && !others.includes(other))!;

/** Files that `npm run lint` must refuse, with the message. The imported files need not exist. */
const planted = [
  ['domain/planted-package.ts', "export { default } from 'node:fs';", 'may import no package but zod'],
  ['domain/planted.ts', "export * from '../src/db/any.ts';", 'domain may not import src/db/any.ts'],
  ['domain/planted-clock.ts', 'export const at = Date.now();', "'Date.now' is restricted"],
  ['sw/sync/planted-random.ts', 'export const id = Math.random();', "'Math.random' is restricted"],
  ['server/planted-pattern.ts', 'export const end = /0+$/;', '/0+$/ takes more than linear time'],
  ['src/planted-made.ts', "export const made = new RegExp('0+$');", 'write the pattern where lint can read it'],
  ...[
    ["await fetch('/api')", 'fetch'],
    ["window.open('')", 'window.open'],
    ["await crypto.subtle.digest('SHA-256', bytes)", 'crypto.subtle.digest'],
    ["await import('./any.ts')", 'import()'],
  ].map(([act, name], index) => [
    `src/planted-transaction-${index}.ts`,
    `export const run = (db: any, bytes: any) => db.transaction('rw', [], async () => { ${act}; return bytes; });`,
    `${name} ends the transaction`,
  ]),
  ['src/db/planted.ts', "export * from '../session/any.ts';", 'src/db may not import src/session/any.ts'],
  ['src/ui/planted.ts', "export * from '../../domain/any.ts';", 'src/ui may not import domain/any.ts'],
  ['src/planted.ts', "export * from '../server/any.ts';", 'src may not import server/any.ts'],
  ['src/app/planted.ts', "export * from '../../server/any.ts';", 'src may not import server/any.ts'],
  ['src/app/planted-worker.ts', "export * from '../../sw/any.ts';", 'src may not import sw/any.ts'],
  ['src/planted-wire.ts', "export * from '../domain/protocol/schemas.ts';", 'the app leaves schemas'],
  ['sw/planted-wire.ts', "export * from '../domain/order/schemas.ts';", 'the app leaves schemas'],
  ['domain/planted-order.ts', "export * from './protocol/operation-schemas.ts';", 'the app leaves schemas'],
  ['src/features/planted/one.ts', "export * from '../other/any.ts';", 'feature planted may not import feature other'],
  ['src/features/planted/two.ts', "export * from '../../app/any.ts';", 'src/features may not import src/app/any.ts'],
  ['sw/planted.ts', "export * from '../src/app/any.ts';", 'sw may not import src/app/any.ts'],
  ['server/planted.ts', "export * from '../src/db/any.ts';", 'server may not import src/db/any.ts'],
  ['server/modules/orders/planted.ts', "export * from '../stock/store.ts';", 'meet only through service.ts'],
  ['server/db/planted.ts', "export * from '../http/any.ts';", 'server/db may not import server/http/any.ts'],
  [
    'server/http/planted.ts',
    "export * from '../modules/a/service.ts';",
    'server/http may not import server/modules/a/',
  ],
  [
    'server/events/planted.ts',
    "export * from '../operations/a.ts';",
    'server/events may not import server/operations/a',
  ],
  [
    'server/operations/planted.ts',
    "export * from '../modules/any/service.ts';",
    'server/operations may not import server/modules/any/',
  ],
  [
    'server/modules/orders/planted-kinds.ts',
    "export * from '../drawers/operations.ts';",
    'meet only through service.ts',
  ],
  // A path that leaves its folder or climbs twice is written from the top.
  ['sw/planted-path.ts', "export * from '../domain/any.ts';", 'write #domain/any.ts'],
  ['src/features/planted/path.ts', "export * from '../../ui/any.ts';", 'write #src/ui/any.ts'],
  ['src/ui/planted-top.ts', "export * from '#domain/any.ts';", 'src/ui may not import domain/any.ts'],
  // Nouns and modules stand on one another in one direction.
  [
    'domain/tax/planted.ts',
    "export type { A } from '../order/order.ts';",
    'domain/tax may not import domain/order, which stands on it',
  ],
  [
    'server/modules/users/planted.ts',
    "export * from '../devices/service.ts';",
    'server/modules/users may not import server/modules/devices',
  ],
  // A folder that features share imports no composition, no feature, and only the shared folders of its table.
  ...Object.entries(shared).flatMap(([folder, others]) =>
    ['app', 'features/counter', firstOutside(folder, others)].map((target, index) => [
      `src/${folder}/planted-${index}.ts`,
      `export * from '../${target}/any.ts';`,
      `src/${folder} may not import src/${target}/any.ts`,
    ]),
  ),
  // Every kind of import counts.
  ['src/ui/planted-type.ts', "export type { A } from '../api/any.ts';", 'src/ui may not import src/api/any.ts'],
  ['src/ui/planted-import.ts', "import '../api/any.ts';", 'src/ui may not import src/api/any.ts'],
  ['src/ui/planted-dynamic.ts', "export const a = import('../api/any.ts');", 'src/ui may not import src/api/any.ts'],
  ['src/ui/planted-in-type.ts', "export type A = import('../api/any.ts').A;", 'src/ui may not import src/api/any.ts'],
] as [file: string, text: string, message: string][];

/** Zones of a single file, which cannot be planted. */
const ofOneFile = [
  ['src/sync/sync-host.ts', '../../sw/index.ts', 'src/sync/sync-host.ts may not import sw/index.ts'],
] as const;

const report = new Map<string, string>();

/** A tree of its own, because other tests read the sources meanwhile. */
let tree: string;
const configuration = [
  '.lint',
  '.oxlintrc.json',
  '.tsconfig.base.json',
  'package.json',
  'scripts/lib/imports.mjs',
  ...['domain', 'src', 'sw', 'server'].map((folder) => `${folder}/tsconfig.json`),
];

function lint(files: readonly string[]): string {
  try {
    return execFileSync('npx', ['oxlint', '--type-aware', '--deny-warnings', '--format=unix', ...files], {
      cwd: tree,
      encoding: 'utf8',
    });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

beforeAll(() => {
  tree = mkdtempSync(path.join(tmpdir(), 'zones-'));
  for (const file of configuration) cpSync(path.join(projectRoot, file), path.join(tree, file), { recursive: true });
  symlinkSync(path.join(projectRoot, 'node_modules'), path.join(tree, 'node_modules'));
  for (const [file, text] of planted) {
    mkdirSync(path.dirname(path.join(tree, file)), { recursive: true });
    writeFileSync(path.join(tree, file), `${text}\n`);
  }
  const lines = lint(planted.map(([file]) => file)).split('\n');
  for (const [file] of planted) report.set(file, lines.filter((line) => line.includes(`${file}:`)).join('\n'));
});

afterAll(() => rmSync(tree, { recursive: true, force: true }));

describe('the zones of the lint rule', () => {
  test.each(planted)('%s is refused', (file, _text, message) => {
    expect(report.get(file)).toContain(message);
  });

  test.each(ofOneFile)('%s may not import %s', (file, specifier, message) => {
    expect(violation(file, specifier)).toBe(message);
  });

  test('the shared folders form no circle', () => {
    const reachable = (folder: string, seen = new Set<string>()): Set<string> => {
      for (const other of shared[folder]!) if (!seen.has(other)) reachable(other, seen.add(other));
      return seen;
    };
    expect(Object.keys(shared).filter((folder) => reachable(folder).has(folder))).toEqual([]);
  });

  test.each(Object.keys(standing))('the folders of %s are all in the list of what stands on what', (root) => {
    const folders = readdirSync(path.join(projectRoot, root), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    expect(standing[root]!.toSorted()).toEqual(folders.toSorted());
  });

  test('all have a violation above', () => {
    const covered = [...planted, ...ofOneFile].map(([file]) => zoneOf(file)?.zone);
    expect(zones.map(({ zone }) => zone).filter((zone) => !covered.includes(zone))).toEqual([]);
  });
});

test('the app may import the types of schemas, which are no part of its bundle', () => {
  const imported = ['src/planted-wire.ts', '#domain/order/schemas.ts'] as const;
  expect(violation(...imported, true)).toBeNull();
  expect(violation(...imported)).toMatch(/^the app leaves schemas/);
});
