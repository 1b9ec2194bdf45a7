import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { checkBundleSizes } from './bundle-size.mjs';
import { checks, runChecks } from './lib/checks.mjs';
import { ensureChromium } from './lib/chromium.mjs';
import { root, runNode } from './lib/run.mjs';
import { ensureBuilt, ensureInstalled } from './setup.mjs';

const reports = join(root, 'dist/test-reports');
const vitestReport = join(reports, 'vitest.json');
const playwrightReport = join(reports, 'playwright.json');

async function runBrowserTests() {
  const env = { CHROMIUM_PATH: await ensureChromium(), PLAYWRIGHT_JSON_OUTPUT_NAME: playwrightReport };
  return runNode('node_modules/@playwright/test/cli.js', ['test', '--reporter=line,json'], { env });
}

function countVitest() {
  const { numPassedTests, numFailedTests } = readReport(vitestReport);
  return { passed: numPassedTests, failed: numFailedTests };
}

function countPlaywright() {
  const { expected, flaky, unexpected } = readReport(playwrightReport).stats;
  return { passed: expected + flaky, failed: unexpected };
}

function readReport(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** A suite that could not even be counted has no tests, passed or failed. */
function countOrNone(count) {
  try {
    return count();
  } catch {
    return { passed: 0, failed: 0 };
  }
}

await ensureInstalled();
await ensureBuilt();
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

const failedChecks = await runChecks([
  ...checks({ vitestReport }),
  { name: 'bundle size', run: checkBundleSizes },
  { name: 'browser tests', run: runBrowserTests },
]);

const suites = { tests: countOrNone(countVitest), 'browser tests': countOrNone(countPlaywright) };
const passed = suites.tests.passed + suites['browser tests'].passed;
// A check that failed without a failed test to show for it counts as one.
const unexplained = failedChecks.filter((name) => !suites[name]?.failed).length;
const failed = suites.tests.failed + suites['browser tests'].failed + unexplained;
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
