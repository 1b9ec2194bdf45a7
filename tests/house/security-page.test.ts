import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { projectRoot } from '../../server/project-root.ts';

it('the security page names only what is there', () => {
  const page = readFileSync(path.join(projectRoot, 'docs/security.md'), 'utf8');
  const named = [...page.matchAll(/`((?:tests|server|domain|src|sw)\/[^`]+)`/g)].map(([, name]) => name!);
  expect(named.length).toBeGreaterThan(60);
  expect(named.filter((name) => !existsSync(path.join(projectRoot, name)))).toEqual([]);
});
