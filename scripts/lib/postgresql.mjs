import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { install, isProgram, onPath } from './system.mjs';

/** The one that neither the packages of this project nor a mere client brings along. */
const program = 'pg_basebackup';
/** Debian keeps several versions side by side, off the path. */
const debianFolder = '/usr/lib/postgresql';

/** The folder of a PostgreSQL's programs that can make standbys: the system's, else one that the system can install. */
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
