import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
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

function readReport(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** What each suite's report says: how many passed, which only on a second try, and which failed, with the reason. */
function vitestOutcome() {
  const tests = readReport(vitestReport).testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = tests
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, failureMessages }) => ({ name: fullName, reason: failureMessages[0] }));
  return { passed: tests.filter(({ status }) => status === 'passed').length, second: [], failed };
}

function playwrightOutcome() {
  const specs = readReport(playwrightReport).suites.flatMap(specsIn);
  const is = (outcome) => specs.filter(({ tests }) => tests.some(({ status }) => status === outcome)).map(named);
  const second = is('flaky');
  return { passed: is('expected').length + second.length, second, failed: is('unexpected') };
}

const specsIn = ({ specs = [], suites = [] }) => [...specs, ...suites.flatMap(specsIn)];

function named({ file, line, title, tests }) {
  const errors = tests.flatMap(({ results }) => results).flatMap((result) => result.errors ?? []);
  return { name: `${file}:${line} ${title}`, reason: errors[0]?.message };
}

/** A suite that could not even be counted has no tests, passed or failed. */
function outcomeOrNone(read) {
  try {
    return read();
  } catch {
    return { passed: 0, second: [], failed: [] };
  }
}

/** The end of a long run must say by itself what went wrong. */
function tell({ name, reason = '' }) {
  console.log(`\n${name}\n${stripVTControlCharacters(reason).split('\n').slice(0, 12).join('\n')}`);
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

const suites = { tests: outcomeOrNone(vitestOutcome), 'browser tests': outcomeOrNone(playwrightOutcome) };
const all = (key) => Object.values(suites).flatMap((suite) => suite[key]);
const passed = all('passed').reduce((sum, count) => sum + count);
// A check that failed without a failed test to show for it counts as one.
const unexplained = failedChecks.filter((name) => !suites[name]?.failed.length).length;
const failed = all('failed').length + unexplained;
const second = all('second');
for (const test of all('failed')) tell(test);
if (second.length > 0) console.log('\nOnly on the second try:');
for (const test of second) tell(test);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
