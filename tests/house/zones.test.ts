import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

/** Each file is planted for real and linted as `npm run check` lints it. */
const planted = [
  ['domain/planted.ts', "export { default } from 'node:fs';", 'may import no package but zod'],
  ['domain/planted-up.ts', "export * from '../src/db/database.ts';", 'domain may not import src/db/database.ts'],
  ['domain/planted-clock.ts', 'export const at = Date.now();', "'Date.now' is restricted"],
  ['src/planted.ts', "export * from '../server/app.ts';", 'src may not import server/app.ts'],
  ['src/planted-schemas.ts', "export * from '../domain/protocol/schemas.ts';", 'the app leaves schemas'],
  ['src/planted-worker.ts', "export * from '../sw/index.ts';", 'src may not import sw/index.ts'],
  ['sw/planted.ts', "export * from '../src/app/routes.tsx';", 'sw may not import src/app/routes.tsx'],
  ['server/planted.ts', "export * from '../src/db/database.ts';", 'server may not import src/db/database.ts'],
  ['server/modules/orders/planted.ts', "export * from '../stock/store.ts';", 'meet only through service.ts'],
  [
    'src/features/planted/one.ts',
    "export * from '../counter/counter-screen.tsx';",
    'feature planted may not import feature counter',
  ],
  [
    'src/features/planted/two.ts',
    "export * from '../../app/routes.tsx';",
    'src/features may not import src/app/routes.tsx',
  ],
  [
    'src/lists/planted.ts',
    "export * from '../forms/draft-form.ts';",
    'src/lists may not import src/forms/draft-form.ts',
  ],
  ['src/ui/planted.ts', "export * from '../../domain/money.ts';", 'src/ui may not import domain/money.ts'],
] as const;

const report = new Map<string, string>();

function lint(files: readonly string[]): string {
  try {
    return execFileSync('npx', ['oxlint', '--type-aware', '--deny-warnings', '--format=unix', ...files], {
      cwd: root,
      encoding: 'utf8',
    });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

beforeAll(() => {
  for (const [file, text] of planted) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), `${text}\n`);
  }
  const output = lint(planted.map(([file]) => file));
  for (const [file] of planted)
    report.set(
      file,
      output
        .split('\n')
        .filter((line) => line.includes(file))
        .join('\n'),
    );
});

afterAll(() => {
  for (const [file] of planted) rmSync(path.join(root, file), { force: true });
  rmSync(path.join(root, 'src/features/planted'), { recursive: true, force: true });
});

describe('the arrows of the house', () => {
  test.each(planted)('%s is refused', (file, _text, message) => {
    expect(report.get(file)).toContain(message);
  });
});
