/** Fields that look and behave as the browser and its language want are replaced by those of `src/forms`. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '#server/project-root.ts';

const files = readdirSync(path.join(projectRoot, 'src'), { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.tsx'),
);

test('no screen has a date field of the browser, which follows the language of the system', () => {
  expect(files.length).toBeGreaterThan(200);
  const native = /type="(?:date|datetime-local|time|month|week)"/;
  expect(files.filter((file) => native.test(readFileSync(path.join(projectRoot, 'src', file), 'utf8')))).toEqual([]);
});
