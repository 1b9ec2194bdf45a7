/** The JSON reports of Vitest and Playwright, as the end of a run shows them. */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from './run.mjs';

const folder = join(root, 'dist/test-reports');
const slowest = 10;

/** Deletes the reports of earlier runs. */
export function clearReports() {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
}

export const reportFile = (name) => join(folder, `${name}.json`);

/** Counts no tests for a suite that left no readable report. */
function outcomeOf({ file, kind }) {
  try {
    return readers[kind](JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return { passed: 0, flaky: [], failed: [], files: [] };
  }
}

const readers = { vitest: vitestOutcome, playwright: playwrightOutcome };

function vitestOutcome({ testResults }) {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = tests
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, failureMessages }) => ({ name: fullName, error: failureMessages[0] }));
  const files = testResults.map(({ name, startTime, endTime }) => ({
    file: relative(root, name),
    seconds: (endTime - startTime) / 1000,
  }));
  return { passed: tests.filter(({ status }) => status === 'passed').length, flaky: [], failed, files };
}

function playwrightOutcome({ config, suites }) {
  const specs = suites.flatMap(specsIn);
  const withStatus = (wanted) =>
    specs.filter(({ tests }) => tests.some(({ status }) => status === wanted)).map(withError);
  const flaky = withStatus('flaky');
  const secondsOf = ({ tests }) =>
    tests.flatMap(({ results }) => results).reduce((sum, { duration }) => sum + duration / 1000, 0);
  const files = suites.map((suite) => ({
    file: relative(root, join(config.rootDir, suite.file)),
    seconds: specsIn(suite).reduce((sum, spec) => sum + secondsOf(spec), 0),
  }));
  return { passed: withStatus('expected').length + flaky.length, flaky, failed: withStatus('unexpected'), files };
}

const specsIn = ({ specs = [], suites = [] }) => [...specs, ...suites.flatMap(specsIn)];

function withError({ file, line, title, tests }) {
  const errors = tests.flatMap(({ results }) => results).flatMap((result) => result.errors ?? []);
  return { name: `${file}:${line} ${title}`, error: errors[0]?.message };
}

function printError({ name, error = '' }) {
  console.log(`\n${name}\n${stripVTControlCharacters(error).split('\n').slice(0, 12).join('\n')}`);
}

/**
 * Prints the errors again, because the output of a run is long, the slowest files, and the number of passed and failed tests.
 *
 * @param reports `{ check, kind, file }`: the name of the check, `vitest` or `playwright`, and the file of its report
 * @param failedChecks the names of the checks that failed; one without a failed test counts as one failure
 * @returns the number of failures
 */
export function printOutcome(reports, failedChecks) {
  const suites = new Map(reports.map((report) => [report.check, outcomeOf(report)]));
  const all = (key) => [...suites.values()].flatMap((suite) => suite[key]);
  const passed = all('passed').reduce((sum, count) => sum + count, 0);
  const otherFailures = failedChecks.filter((name) => !suites.get(name)?.failed.length).length;
  const failed = all('failed').length + otherFailures;
  for (const test of all('failed')) printError(test);
  if (all('flaky').length > 0) console.log('\nPassed on the second run only:');
  for (const test of all('flaky')) printError(test);
  for (const [check, { files }] of suites) {
    console.log(`\nThe slowest files of the ${check}:`);
    for (const { file, seconds } of files.toSorted((a, b) => b.seconds - a.seconds).slice(0, slowest))
      console.log(`${seconds.toFixed(1).padStart(7)} s  ${file}`);
  }
  const again = all('flaky').length;
  // A pass on the second run may be luck, so it is told beside the number.
  console.log(`\n${passed} passed${again > 0 ? ` (${again} on the second run only)` : ''}, ${failed} failed`);
  return failed;
}
