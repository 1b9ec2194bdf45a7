/**
 * `npm run test:long`: looks for what is rare, for about forty minutes on two cores. TEST_LONG_SEED chooses the seeds; without it
 * each day has its own.
 */
import { runChecks, runVitest } from './lib/checks.mjs';
import { ensureClusterPrograms } from './lib/cluster-programs.mjs';
import { engineNames, testEngines } from './lib/engines.mjs';
import { oddStart } from './lib/odd-starts.mjs';
import { runPlaywright } from './lib/playwright.mjs';
import { clearReports, printOutcome, reportFile } from './lib/reports.mjs';
import { run, unavailable } from './lib/run.mjs';
import { ensureTestPrograms } from './lib/test-programs.mjs';
import { ensureBuilt, ensureInstalled } from './setup.mjs';

const histories = 400;
const requests = 8000;
const killRounds = { browser: 4, cluster: 1 };

const dayMs = 86_400_000;
const seed = Number(process.env.TEST_LONG_SEED ?? Math.floor(Date.now() / dayMs));
/** Consecutive seeds have ranges that do not overlap. */
const firstHistory = 1 + seed * 10_000;

/** What an ordinary run has fixed; see tests/support/fixed-run/. */
const drawn = { TEST_SEED: String(seed), TEST_CLOCK: oddStart(seed) };

const vitest = reportFile('vitest');
const parts = reportFile('parts');
const playwright = reportFile('playwright');
const programOf = (file, args, env) => run(process.execPath, ['--import', 'tsx', file, ...args], { env });

/** The programs of a cluster are Debian packages, which a machine may not offer. */
async function runFailover() {
  let binaries;
  try {
    binaries = await ensureClusterPrograms();
  } catch (error) {
    console.log(`UNAVAILABLE: no failover was tested. ${error.message}`);
    return unavailable;
  }
  const env = { POSTGRESQL_BIN: binaries, KILL_ROUNDS: String(killRounds.cluster), KILL_SEED: String(seed) };
  return programOf('tests/failover/main.ts', [], env);
}

await ensureInstalled();
await ensureBuilt();
await ensureTestPrograms();
clearReports();
console.log(`Repeat this run with: TEST_LONG_SEED=${seed} npm run test:long`);
console.log(`Its tests begin at ${drawn.TEST_CLOCK} and draw from the seed ${drawn.TEST_SEED}.`);

const failedChecks = await runChecks([
  {
    name: 'simulation',
    run: () => programOf('tests/simulation/main.ts', ['--seeds', String(histories), '--from', String(firstHistory)]),
  },
  {
    name: 'long tests',
    run: () =>
      runVitest(['related', '--run', 'tests/support/long-run.ts'], {
        report: vitest,
        env: { ...drawn, TEST_LONG: '1' },
      }),
  },
  {
    name: 'tests on an odd day',
    run: () =>
      runVitest(['run', 'tests/domain', 'tests/src', 'tests/sw', 'tests/server'], { report: parts, env: drawn }),
  },
  {
    name: 'fuzz',
    run: () => programOf('tests/fuzz/main.ts', ['--seed', String(seed), '--requests', String(requests)]),
  },
  {
    name: 'long browser tests',
    run: () =>
      runPlaywright(['long', 'e2e-long', 'kill', 'kill-long'], {
        report: playwright,
        env: { KILL_ROUNDS: String(killRounds.browser), KILL_SEED: String(seed) },
      }),
  },
  { name: 'other engines', run: () => testEngines(engineNames, ['--smoke', '--minutes', '15']) },
  { name: 'failover', run: runFailover },
]);
const failed = printOutcome(
  [
    { check: 'long tests', kind: 'vitest', file: vitest },
    { check: 'tests on an odd day', kind: 'vitest', file: parts },
    { check: 'long browser tests', kind: 'playwright', file: playwright },
  ],
  failedChecks,
);
process.exitCode = failed === 0 ? 0 : 1;
