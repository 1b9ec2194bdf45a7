/** Finds and installs programs of the operating system that the tests need. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run } from './run.mjs';

/** Returns the path of a program in the PATH, or undefined. */
export function onPath(name) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, name)).find(isProgram);
}

export function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Installs Debian packages. Returns false on other systems, without root privileges, or on failure. */
export async function install(...names) {
  if (process.getuid?.() !== 0 || !onPath('apt-get')) return false;
  console.log(`Installing ${names.join(', ')} for the tests …`);
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  return (
    (await run('apt-get', ['-qq', 'update'], { env })) &&
    (await run('apt-get', ['-qq', 'install', '-y', '--no-install-recommends', ...names], { env }))
  );
}
