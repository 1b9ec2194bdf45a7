import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { howToInstall, install, isProgram, onPath } from './system.mjs';

/** The programs of a PostgreSQL cluster, and the Debian packages that contain them. */
const packages = {
  initdb: 'postgresql',
  patroni: 'patroni',
  etcd: 'etcd-server',
  haproxy: 'haproxy',
  pgbouncer: 'pgbouncer',
};
/** Debian installs several versions side by side in this folder, outside the PATH. */
const debianFolder = '/usr/lib/postgresql';

/**
 * Returns the folder of PostgreSQL's programs when all programs of a cluster are installed. Installs the missing ones if the system
 * allows that.
 */
export async function ensureClusterPrograms() {
  // Debian keeps daemons outside the PATH of ordinary users.
  process.env.PATH += ':/usr/sbin';
  if (missing().length > 0) await install(...new Set(missing()));
  if (missing().length === 0) return postgresqlFolder();
  throw new Error(`A cluster needs Debian's packages; ${howToInstall([...new Set(missing())])}`);
}

const missing = () =>
  Object.entries(packages).flatMap(([program, name]) =>
    (program === 'initdb' ? postgresqlFolder() : onPath(program)) ? [] : name,
  );

function postgresqlFolder() {
  const versions = existsSync(debianFolder) ? readdirSync(debianFolder).toSorted((a, b) => Number(b) - Number(a)) : [];
  const folders = versions.map((version) => join(debianFolder, version, 'bin'));
  return folders.find((folder) => ['initdb', 'pg_rewind'].every((name) => isProgram(join(folder, name))));
}
