/** `npm test`: every check that a change has to pass. `npm run test:long` looks for what is rare. */
import { checkBundleSizes } from './bundle-size.mjs';
import { allChecks, runChecks } from './lib/checks.mjs';
import { ensureChromium } from './lib/chromium.mjs';
import { runPlaywright } from './lib/playwright.mjs';
import { clearReports, printOutcome, reportFile } from './lib/reports.mjs';
import { ensureTestPrograms } from './lib/test-programs.mjs';
import { ensureBuilt, ensureInstalled } from './setup.mjs';

const vitest = reportFile('vitest');
const playwright = reportFile('playwright');

await ensureInstalled();
await ensureProgramsOrExit();
await ensureBuilt();
clearReports();

const failedChecks = await runChecks([
  ...allChecks({ vitestReport: vitest }),
  { name: 'bundle size', run: checkBundleSizes },
  { name: 'browser tests', shareSeconds: 270, run: () => runPlaywright(['e2e', 'kill'], { report: playwright }) },
]);
const failed = printOutcome(
  [
    { check: 'tests', kind: 'vitest', file: vitest },
    { check: 'browser tests', kind: 'playwright', file: playwright },
  ],
  failedChecks,
);
process.exitCode = failed === 0 ? 0 : 1;

/** What is missing is told now, not after the minutes that the other checks take. */
async function ensureProgramsOrExit() {
  try {
    await ensureTestPrograms();
    await ensureChromium();
  } catch (error) {
    console.error(error.message);
    console.error('`npm run check` runs all checks but those in a browser.');
    process.exit(1);
  }
}
