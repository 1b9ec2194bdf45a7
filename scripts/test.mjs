import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { checkBundleSizes } from './bundle-size.mjs';
import { allChecks, runChecks } from './lib/checks.mjs';
import { ensureChromium } from './lib/chromium.mjs';
import { root, runNode } from './lib/run.mjs';
import { ensureBuilt, ensureInstalled } from './setup.mjs';

const reports = join(root, 'dist/test-reports');
const vitestReport = join(reports, 'vitest.json');
const playwrightReport = join(reports, 'playwright.json');

async function runBrowserTests() {
  const env = { CHROMIUM_PATH: await ensureChromium(), PLAYWRIGHT_JSON_OUTPUT_NAME: playwrightReport };
  return runNode(
    'node_modules/@playwright/test/cli.js',
    ['test', '--project=e2e', '--project=kill', '--reporter=line,json'],
    { env },
  );
}

function readReport(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Reads a report: the number of passed tests, the tests that passed on their second run, and the failed tests with the error. */
function vitestOutcome() {
  const tests = readReport(vitestReport).testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = tests
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, failureMessages }) => ({ name: fullName, error: failureMessages[0] }));
  return { passed: tests.filter(({ status }) => status === 'passed').length, flaky: [], failed };
}

function playwrightOutcome() {
  const specs = readReport(playwrightReport).suites.flatMap(specsIn);
  const withStatus = (wanted) =>
    specs.filter(({ tests }) => tests.some(({ status }) => status === wanted)).map(withError);
  const flaky = withStatus('flaky');
  return { passed: withStatus('expected').length + flaky.length, flaky, failed: withStatus('unexpected') };
}

const specsIn = ({ specs = [], suites = [] }) => [...specs, ...suites.flatMap(specsIn)];

function withError({ file, line, title, tests }) {
  const errors = tests.flatMap(({ results }) => results).flatMap((result) => result.errors ?? []);
  return { name: `${file}:${line} ${title}`, error: errors[0]?.message };
}

/** Counts no tests for a suite that left no readable report. */
function outcomeOrNone(read) {
  try {
    return read();
  } catch {
    return { passed: 0, flaky: [], failed: [] };
  }
}

function printError({ name, error = '' }) {
  console.log(`\n${name}\n${stripVTControlCharacters(error).split('\n').slice(0, 12).join('\n')}`);
}

await ensureInstalled();
await ensureBuilt();
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

const failedChecks = await runChecks([
  ...allChecks({ vitestReport }),
  { name: 'bundle size', run: checkBundleSizes },
  { name: 'browser tests', run: runBrowserTests },
]);

// The errors are printed again at the end, because the output of the run is long.
const suites = { tests: outcomeOrNone(vitestOutcome), 'browser tests': outcomeOrNone(playwrightOutcome) };
const all = (key) => Object.values(suites).flatMap((suite) => suite[key]);
const passed = all('passed').reduce((sum, count) => sum + count);
// A failed check without a failed test counts as one failure.
const otherFailures = failedChecks.filter((name) => !suites[name]?.failed.length).length;
const failed = all('failed').length + otherFailures;
const flaky = all('flaky');
for (const test of all('failed')) printError(test);
if (flaky.length > 0) console.log('\nPassed on the second run only:');
for (const test of flaky) printError(test);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
