/** `npm test`: every check that a change has to pass. `npm run test:long` looks for what is rare. */
import { checkBundleSizes } from './bundle-size.mjs';
import { allChecks, runChecks } from './lib/checks.mjs';
import { runPlaywright } from './lib/playwright.mjs';
import { clearReports, printOutcome, reportFile } from './lib/reports.mjs';
import { ensureBuilt, ensureInstalled } from './setup.mjs';

const vitest = reportFile('vitest');
const playwright = reportFile('playwright');

await ensureInstalled();
await ensureBuilt();
clearReports();

const failedChecks = await runChecks([
  ...allChecks({ vitestReport: vitest }),
  { name: 'bundle size', run: checkBundleSizes },
  { name: 'browser tests', run: () => runPlaywright(['e2e', 'kill'], { report: playwright }) },
]);
const failed = printOutcome(
  [
    { check: 'tests', kind: 'vitest', file: vitest },
    { check: 'browser tests', kind: 'playwright', file: playwright },
  ],
  failedChecks,
);
process.exitCode = failed === 0 ? 0 : 1;
