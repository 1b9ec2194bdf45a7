import { existsSync } from 'node:fs';
import path from 'node:path';

/**
 * The folder of `package.json`, above the sources and above the bundled server. It contains the migrations and the
 * built app.
 */
export const projectRoot = rootAbove(import.meta.dirname);

function rootAbove(folder: string): string {
  if (existsSync(path.join(folder, 'package.json'))) return folder;
  const parent = path.dirname(folder);
  if (parent === folder) throw new Error('The server must run from within its project folder');
  return rootAbove(parent);
}
