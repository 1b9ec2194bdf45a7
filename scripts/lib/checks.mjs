import { checkAdvisories } from './advisories.mjs';
import { checkCycles } from './cycles.mjs';
import { checkPinned } from './pinned.mjs';
import { runNode, unavailable } from './run.mjs';

/** The folders that have a compiler configuration of their own. */
const folders = ['domain', 'src', 'sw', 'server', 'tests'];

const typechecks = folders.map((folder) => ({
  name: `types of ${folder}`,
  run: () => runNode('node_modules/typescript/bin/tsc', ['-p', folder]),
}));

const lintChecks = [
  { name: 'lint', run: () => runNode('node_modules/oxlint/bin/oxlint', ['--type-aware', '--deny-warnings']) },
  { name: 'import cycles', run: checkCycles },
];

/** The checks of `npm run typecheck` and `npm run lint`. */
export const checkGroups = { types: typechecks, lint: lintChecks };

/**
 * Returns all checks of `npm run check`, the quickest to fail first.
 *
 * @param vitestReport the file that Vitest writes its JSON report to; no report if omitted
 */
export function allChecks({ vitestReport } = {}) {
  const reporters = vitestReport ? ['--reporter=default', '--reporter=json', `--outputFile.json=${vitestReport}`] : [];
  return [
    { name: 'exact versions', run: checkPinned },
    { name: 'advisories', run: checkAdvisories },
    {
      name: 'format',
      run: () => runNode('node_modules/prettier/bin/prettier.cjs', ['--check', '.', '--log-level=warn']),
    },
    ...typechecks,
    ...lintChecks,
    { name: 'tests', run: () => runNode('node_modules/vitest/vitest.mjs', ['run', ...reporters]) },
  ];
}

/**
 * Runs every check, also after a failure, and prints a summary line for each. Returns the names of the checks that failed. A check
 * whose outcome is unavailable did not fail.
 */
export async function runChecks(checks) {
  const results = [];
  for (const { name, run } of checks) {
    console.log(`\n── ${name}`);
    const startedAt = performance.now();
    const outcome = outcomeText(await attempt(run));
    results.push({ name, outcome, seconds: (performance.now() - startedAt) / 1000 });
  }
  console.log('');
  for (const { name, outcome, seconds } of results) {
    console.log(`${outcome.padEnd(11)} ${name.padEnd(18)} ${seconds.toFixed(1).padStart(6)} s`);
  }
  return results.filter(({ outcome }) => outcome === 'FAILED').map(({ name }) => name);
}

const outcomeText = (result) => (result === unavailable ? unavailable : result ? 'ok' : 'FAILED');

async function attempt(run) {
  try {
    return await run();
  } catch (error) {
    console.error(error.message);
    return false;
  }
}
