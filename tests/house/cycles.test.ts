import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { projectRoot } from '#server/project-root.ts';

type FindCycles = (folder: string, paths: string[]) => Promise<{ path: string[]; size: number }[]>;
const { findCycles } = (await import(pathToFileURL(path.join(projectRoot, 'scripts/lib/cycles.mjs')).href)) as {
  findCycles: FindCycles;
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'cycles-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function plant(files: Record<string, string>) {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return findCycles(folder, ['src', 'sw']);
}

describe('the check for import cycles', () => {
  test.each([
    ['a static import', "import { b } from './b.ts';"],
    ['an import from the top', "import { b } from '#src/b.ts';"],
    ['an import for its effect', "import './b.ts';"],
    ['a type-only import', "import type { B } from './b.ts';"],
    ['an inline type import', "import { type B } from './b.ts';"],
    ['a re-export', "export { b } from './b.ts';"],
    ['a type-only re-export', "export type { B } from './b.ts';"],
    ['a star re-export', "export * from './b.ts';"],
    ['a dynamic import', "export const load = () => import('./b.ts');"],
    ['an import as a type', "export type B = import('./b.ts').B;"],
    ['the type of an import', "export type Module = typeof import('./b.ts');"],
  ])('finds a cycle that %s closes', async (_kind, text) => {
    expect(await plant({ 'src/a.tsx': text, 'src/b.ts': "import { a } from './a.tsx';" })).toEqual([
      { path: ['src/a.tsx', 'src/b.ts', 'src/a.tsx'], size: 2 },
    ]);
  });

  test('finds a cycle across folders, and names the shortest one of its group', async () => {
    const cycles = await plant({
      'src/a.ts': "import '../sw/b.ts';",
      'sw/b.ts': "import './c.ts';",
      'sw/c.ts': "import './b.ts'; import '../src/a.ts';",
    });
    expect(cycles).toEqual([{ path: ['sw/b.ts', 'sw/c.ts', 'sw/b.ts'], size: 3 }]);
  });

  test('finds two separate cycles, and a file that imports itself', async () => {
    const cycles = await plant({
      'src/a.ts': "import './b.ts';",
      'src/b.ts': "import './a.ts';",
      'sw/c.ts': "import type { C } from './c.ts';",
    });
    expect(cycles.map(({ size }) => size)).toEqual([2, 1]);
  });

  test('finds nothing when two files share a third, or a comment or a string names a file', async () => {
    const cycles = await plant({
      'src/a.ts': "import './shared.ts'; import './b.ts'; import 'react';",
      'src/b.ts': "import './shared.ts'; // import './a.ts';",
      'src/shared.ts': 'export const text = "import \'./a.ts\'"; export { x } from "./missing.ts";',
    });
    expect(cycles).toEqual([]);
  });
});
