import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

const kinds = ['dependencies', 'devDependencies', 'optionalDependencies'];
const exact = /^\d+\.\d+\.\d+(-[\w.]+)?$/;

/** The product's packages, and those of the benchmark, which are installed apart. */
const folders = ['.', 'tests/bench/rivals'];

/** Every package is of one version that both files name, and of the registry; prints what is not. */
export function checkPinned() {
  const problems = folders.flatMap((folder) => {
    const read = (file) => JSON.parse(readFileSync(join(root, folder, file), 'utf8'));
    return pinProblems(read('package.json'), read('package-lock.json')).map((problem) => join(folder, problem));
  });
  for (const problem of problems) console.log(problem);
  return problems.length === 0;
}

/** What keeps an installation from being the same everywhere: versions that move, a lock that says another, contents that nobody vouches for. */
export function pinProblems(wanted, lock) {
  const problems = [];
  const locked = lock.packages[''];
  for (const kind of kinds) {
    const versions = wanted[kind] ?? {};
    for (const [name, version] of Object.entries(versions)) {
      const installed = lock.packages[`node_modules/${name}`]?.version;
      if (!exact.test(version)) problems.push(`package.json: ${name} is ${version}, which is no exact version`);
      else if (locked[kind]?.[name] !== version || installed !== version)
        problems.push(`package-lock.json: ${name} is ${installed ?? 'missing'}, not ${version}`);
    }
    const gone = Object.keys(locked[kind] ?? {}).filter((name) => !(name in versions));
    problems.push(...gone.map((name) => `package-lock.json: ${name} is not asked for any more`));
  }
  for (const [name, version] of Object.entries(wanted.overrides ?? {})) {
    if (!exact.test(version))
      problems.push(`package.json: the override of ${name} is ${version}, which is no exact version`);
  }
  for (const [path, { integrity, link, resolved }] of Object.entries(lock.packages)) {
    if (path === '') continue;
    if (!integrity || link) problems.push(`package-lock.json: nothing vouches for the content of ${path}`);
    else if (resolved && !resolved.startsWith('https://registry.npmjs.org/'))
      problems.push(`package-lock.json: ${path} comes from ${resolved}`);
  }
  return problems;
}
