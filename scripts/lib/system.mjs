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

/** Installs Debian packages. Returns false on other systems, without root privileges, or on failure, whose reason it prints. */
export async function install(...names) {
  if (process.getuid?.() !== 0 || !onPath('apt-get')) return false;
  const packages = names.join(', ');
  console.log(`Installing ${packages} for the tests …`);
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  // A new machine has no package lists. Those of an earlier day may do when the network is gone.
  const isUpdated = await run('apt-get', ['-qq', 'update'], { env });
  if (await run('apt-get', ['-qq', 'install', '-y', '--no-install-recommends', ...names], { env })) return true;
  console.error(
    isUpdated
      ? `apt-get can't install ${packages}. Its messages above give the reason.`
      : `apt-get reaches no package server and has no list with ${packages}. Is this machine offline?`,
  );
  return false;
}

/** Returns how a person installs Debian packages. */
export const howToInstall = (names) => `as root: apt-get update && apt-get install ${names.join(' ')}`;
