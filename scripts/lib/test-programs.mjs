import { howToInstall, install, onPath } from './system.mjs';

/** The programs of the tests, and the Debian packages that contain them: fiscal records are validated, and certificates made. */
const packages = { xmllint: 'libxml2-utils', openssl: 'openssl' };

const missing = () => Object.entries(packages).flatMap(([program, name]) => (onPath(program) ? [] : name));

/** Finds the programs that the tests call. Installs the missing ones if the system allows that. */
export async function ensureTestPrograms() {
  if (missing().length > 0) await install(...missing());
  if (missing().length === 0) return;
  throw new Error(`The tests need Debian's packages; ${howToInstall(missing())}`);
}
