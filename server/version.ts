import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from './project-root.ts';

/** The version of this program. */
export const { version } = JSON.parse(readFileSync(path.join(projectRoot, 'package.json'), 'utf8')) as {
  version: string;
};
