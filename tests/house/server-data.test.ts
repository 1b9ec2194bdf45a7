/** What the app reads from the server has one typed hook per resource, which alone names its path. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '#server/project-root.ts';

const folder = path.join(projectRoot, 'src');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));

/** A read by its path, or a path to reload. */
const byPath = /\buseServerData\b|\b(?:useRefresh|refreshData)\(\s*['"`]|\brefreshes: \[\s*['"`]/;

test('only src/server-data names the paths that the app reads and reloads', () => {
  const naming = files.filter((file) => byPath.test(readFileSync(path.join(folder, file), 'utf8')));
  expect(naming.filter((file) => !file.startsWith('server-data/'))).toEqual([]);
  expect(naming.length).toBeGreaterThan(10);
});
