/** The ledger of the tests is independent: it reads no line of the product, so that no mistake there can hide itself. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectRoot } from '#server/project-root.ts';

const folder = 'tests/ledger';

/** Every way of naming another file; a fault is planted by the path of a file, which imports nothing. */
const imported = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*['"`]([^'"`]+)['"`]/g;

/** Returns the imports of a file as paths from the root, packages by their names. */
function importsOf(file: string, text: string): string[] {
  return [...text.matchAll(imported)].map(([, specifier]) =>
    specifier!.startsWith('.') ? path.posix.join(path.posix.dirname(file), specifier!) : specifier!.replace(/^#/, ''),
  );
}

/** The ledger itself imports only its own files. Its driver also starts a server and reads files by packages. */
const mayImport = (file: string, target: string): boolean => {
  if (target.startsWith(`${folder}/`)) return true;
  const isDriver = file.startsWith(`${folder}/clinic/`) || file.endsWith('.test.ts');
  return isDriver && !/^(domain|src|sw|server|locales)\b/.test(target) && !/^tests\/(?!support\/)/.test(target);
};

const forbidden = (file: string, text: string): string[] =>
  importsOf(file, text)
    .filter((target) => !mayImport(file, target))
    .map((target) => `${file} imports ${target}`);

const files = readdirSync(path.join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => path.posix.join(folder, name.split(path.sep).join('/')));

describe('the ledger of the tests', () => {
  test('imports nothing of the product', () => {
    expect(files.length).toBeGreaterThan(10);
    expect(files.flatMap((file) => forbidden(file, readFileSync(path.join(projectRoot, file), 'utf8')))).toEqual([]);
  });

  test.each([
    ['treatment.ts', `import { totals } from '../../domain/order/order.ts';`],
    ['treatment.ts', `import { totals } from '#domain/order/order.ts';`],
    ['treatment.ts', `import type { Order } from '../../domain/order/order.ts';`],
    ['treatment.ts', `export * from "../support/server.ts";`],
    ['treatment.ts', `import { z } from 'zod';`],
    ['clinic/desk.ts', `const { app } = await import('../../../server/app.ts');`],
    ['clinic/desk.ts', `import english from '../../../locales/en.json' with { type: 'json' };`],
    ['clinic/desk.ts', `import { cents } from '../../simulation/checkers/final-state.ts';`],
    ['ledger.test.ts', `import '../../src/db/write.ts';`],
  ])('may not in %s say %s', (file, text) => {
    expect(forbidden(`${folder}/${file}`, text)).toHaveLength(1);
  });
});
