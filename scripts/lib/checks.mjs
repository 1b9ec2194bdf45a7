import { checkAdvisories } from './advisories.mjs';
import { checkPinned } from './pinned.mjs';
import { notHad, runNode } from './run.mjs';
import { checkTypes, folders } from './types.mjs';

/** What `npm run check` runs, the quickest to fail first. */
export function checks({ vitestReport } = {}) {
  const reporters = vitestReport ? ['--reporter=default', '--reporter=json', `--outputFile.json=${vitestReport}`] : [];
  return [
    { name: 'exact versions', run: checkPinned },
    { name: 'advisories', run: checkAdvisories },
    {
      name: 'format',
      run: () => runNode('node_modules/prettier/bin/prettier.cjs', ['--check', '.', '--log-level=warn']),
    },
    ...folders.map((folder) => ({ name: `types of ${folder}`, run: () => checkTypes(folder) })),
    { name: 'lint', run: () => runNode('node_modules/oxlint/bin/oxlint', ['--type-aware', '--deny-warnings']) },
    { name: 'tests', run: () => runNode('node_modules/vitest/vitest.mjs', ['run', ...reporters]) },
  ];
}

/** Runs all, whatever fails, and ends with a line for each; the names of those that failed. What could not be had has not failed. */
export async function runChecks(list) {
  const results = [];
  for (const { name, run } of list) {
    console.log(`\n── ${name}`);
    const begun = performance.now();
    const outcome = wordOf(await attempt(run));
    results.push({ name, outcome, seconds: (performance.now() - begun) / 1000 });
  }
  console.log('');
  for (const { name, outcome, seconds } of results) {
    console.log(`${outcome.padEnd(7)} ${name.padEnd(18)} ${seconds.toFixed(1).padStart(6)} s`);
  }
  return results.filter(({ outcome }) => outcome === 'FAILED').map(({ name }) => name);
}

const wordOf = (result) => (result === notHad ? notHad : result ? 'ok' : 'FAILED');

async function attempt(run) {
  try {
    return await run();
  } catch (error) {
    console.error(error.message);
    return false;
  }
}
