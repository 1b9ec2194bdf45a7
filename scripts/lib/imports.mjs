/** How the project's files name one another: beside and one folder up by a relative path, everything else from the top, as `#domain/…`. */
import { posix } from 'node:path';

/** Returns the file that an import names, relative to the project; null for a package. */
export function importedFile(file, specifier) {
  if (specifier.startsWith('#')) return specifier.slice(1);
  return specifier.startsWith('.') ? posix.join(posix.dirname(file), specifier) : null;
}

/** The folders that `imports` in package.json names. */
const aliased = /^(?:domain|locales|server|src|sw|tests)\//;

/** Returns how an import has to be written from the top, or null if a relative path is right. */
export function fromTheTop(file, specifier) {
  if (!specifier.startsWith('../')) return null;
  const target = importedFile(file, specifier);
  const leavesFolder = target.split('/')[0] !== file.split('/')[0];
  return aliased.test(target) && (leavesFolder || specifier.startsWith('../../')) ? `#${target}` : null;
}
