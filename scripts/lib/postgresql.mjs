import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { install, isProgram, onPath } from './system.mjs';

/** Makes standbys. Neither the embedded PostgreSQL nor a client-only installation includes this program. */
const program = 'pg_basebackup';
/** Debian installs several versions side by side in this folder, outside the PATH. */
const debianFolder = '/usr/lib/postgresql';

/** Returns the folder of an installed PostgreSQL that can make standbys. Installs one if the system allows that. */
export async function ensurePostgresql() {
  const folder = findPostgresql() ?? ((await install('postgresql')) && findPostgresql());
  if (folder) return folder;
  throw new Error('No PostgreSQL with pg_basebackup was found. Install one (Debian: apt-get install postgresql).');
}

function findPostgresql() {
  const versions = existsSync(debianFolder) ? readdirSync(debianFolder).toSorted((a, b) => Number(b) - Number(a)) : [];
  const folders = versions.map((version) => join(debianFolder, version, 'bin'));
  const linked = onPath(program);
  return (
    folders.find((folder) => ['initdb', program].every((name) => isProgram(join(folder, name)))) ??
    (linked && dirname(linked))
  );
}
