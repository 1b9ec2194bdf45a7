/** Lines are as high as their letters, so that a text that is cut off at its end keeps its descenders. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '#server/project-root.ts';

/** Inter's ascent and descent are 1.21 of its size, and Firefox rounds each to whole pixels. */
const least = 1.3;

/** Amounts in large figures, which are never cut off, and the paper. */
const exceptions = ['src/features/counter/payment/change-dialog.tsx', 'src/printing/print.css'];

test('no line is lower than its letters', () => {
  const low = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'src'], {
    cwd: projectRoot,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => /\.(tsx?|css)$/.test(file))
    .filter((file) => heightsIn(readFileSync(path.join(projectRoot, file), 'utf8')).some((height) => height < least));
  expect(low.sort()).toEqual(exceptions);
});

function heightsIn(text: string): number[] {
  const written = /(?:line-?[hH]eight|lineHeights: \{ tight)\W+(?:\{ value\W+)?(\d+(?:\.\d+)?)/g;
  return [...text.matchAll(written)].map(([, height]) => Number(height));
}
