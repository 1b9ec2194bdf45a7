import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

const kinds = ['dependencies', 'devDependencies', 'optionalDependencies'];
const exactVersion = /^\d+\.\d+\.\d+(-[\w.]+)?$/;

/** The product's packages, and those of the benchmark, which are installed separately. */
const folders = ['.', 'tests/bench/rivals'];

/** Checks that every package has one exact version in both files and comes from the registry. Prints the violations. */
export function checkPinned() {
  const problems = folders.flatMap((folder) => {
    const read = (file) => JSON.parse(readFileSync(join(root, folder, file), 'utf8'));
    return pinProblems(read('package.json'), read('package-lock.json')).map((problem) => join(folder, problem));
  });
  for (const problem of problems) console.log(problem);
  return problems.length === 0;
}

/**
 * Returns the reasons why two installations could differ: version ranges, a lock file that disagrees with package.json, packages
 * without a checksum, and packages from another source than the registry.
 */
export function pinProblems(wanted, lock) {
  const problems = [];
  const locked = lock.packages[''];
  for (const kind of kinds) {
    const versions = wanted[kind] ?? {};
    for (const [name, version] of Object.entries(versions)) {
      const installed = lock.packages[`node_modules/${name}`]?.version;
      if (!exactVersion.test(version))
        problems.push(`package.json: ${name} is ${version}, which is not an exact version`);
      else if (locked[kind]?.[name] !== version || installed !== version)
        problems.push(`package-lock.json: ${name} is ${installed ?? 'missing'}, not ${version}`);
    }
    const removed = Object.keys(locked[kind] ?? {}).filter((name) => !(name in versions));
    problems.push(...removed.map((name) => `package-lock.json: ${name} is no longer in package.json`));
  }
  for (const [name, version] of Object.entries(wanted.overrides ?? {})) {
    if (!exactVersion.test(version))
      problems.push(`package.json: the override of ${name} is ${version}, which is not an exact version`);
  }
  for (const [path, { integrity, link, resolved }] of Object.entries(lock.packages)) {
    if (path === '') continue;
    if (!integrity || link) problems.push(`package-lock.json: ${path} has no checksum`);
    else if (resolved && !resolved.startsWith('https://registry.npmjs.org/'))
      problems.push(`package-lock.json: ${path} comes from ${resolved}`);
  }
  return problems;
}
