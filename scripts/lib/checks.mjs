import { checkAdvisories } from './advisories.mjs';
import { checkCycles } from './cycles.mjs';
import { checkPinned } from './pinned.mjs';
import { runNode, unavailable } from './run.mjs';
import { ensureTestPrograms } from './test-programs.mjs';

/** The folders that have a compiler configuration of their own. */
const folders = ['domain', 'src', 'sw', 'server', 'tests'];

const typechecks = folders.map((folder) => ({
  name: `types of ${folder}`,
  run: (options) => runNode('node_modules/typescript/bin/tsc', ['-p', folder], options),
}));

const lintChecks = [
  {
    name: 'lint',
    run: (options) => runNode('node_modules/oxlint/bin/oxlint', ['--type-aware', '--deny-warnings'], options),
  },
  { name: 'import cycles', run: checkCycles },
];

const format = {
  name: 'format',
  run: (options) => runNode('node_modules/oxfmt/bin/oxfmt', ['--check', '.'], options),
};

/** The checks of `npm run typecheck` and `npm run lint`. */
export const checkGroups = { types: typechecks, lint: lintChecks };

/** The checks that run nothing of the product, in lanes that run side by side, because machines have at least two cores. */
const staticChecks = {
  lanes: [
    [{ name: 'exact versions', run: checkPinned }, { name: 'advisories', run: checkAdvisories }, format],
    [...typechecks, ...lintChecks],
  ],
};

/**
 * Returns all checks of `npm run check`.
 *
 * @param vitestReport the file that Vitest writes its JSON report to; no report if omitted
 */
export function allChecks({ vitestReport } = {}) {
  const env = { TEST_SHORT: '1' };
  return [
    staticChecks,
    { name: 'tests', shareSeconds: 270, run: () => runVitest(['run'], { report: vitestReport, env }) },
  ];
}

/** Runs Vitest. @param report the file for a JSON report; none if omitted */
export async function runVitest(args, { report, env } = {}) {
  await ensureTestPrograms();
  const reporters = report ? ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`] : [];
  return runNode('node_modules/vitest/vitest.mjs', [...args, ...reporters], { env });
}

/**
 * Runs every check, also after a failure, and prints a summary line for each. Returns the names of the checks that failed. A check
 * whose outcome is unavailable did not fail.
 *
 * @param checks `{ name, run, shareSeconds }` for one check, `{ lanes }` for lists of checks that run side by side. The summary says
 *   which checks took longer than their share.
 */
export async function runChecks(checks) {
  const results = [];
  for (const { lanes, ...check } of checks) {
    if (lanes) results.push(...(await Promise.all(lanes.map(runLane))).flat());
    else results.push(await runCheck(check));
  }
  console.log('');
  for (const { name, outcome, seconds, shareSeconds = Infinity } of results) {
    const over = seconds > shareSeconds ? `  over its share of ${shareSeconds} s` : '';
    console.log(`${outcome.padEnd(11)} ${name.padEnd(18)} ${seconds.toFixed(1).padStart(6)} s${over}`);
  }
  return results.filter(({ outcome }) => outcome === 'FAILED').map(({ name }) => name);
}

async function runLane(checks) {
  const results = [];
  // The output of one check must not stand within that of another.
  for (const check of checks) results.push(await runCheck(check, { isCaptured: true }));
  return results;
}

async function runCheck({ name, run, shareSeconds }, options) {
  if (!options) console.log(`\n── ${name}`);
  const startedAt = performance.now();
  const outcome = outcomeText(await attempt(() => run(options)));
  const seconds = (performance.now() - startedAt) / 1000;
  if (options) console.log(`── ${name}: ${outcome}`);
  return { name, outcome, seconds, shareSeconds };
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
