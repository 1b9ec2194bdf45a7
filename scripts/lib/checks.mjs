import { checkLocaleKeys } from './locale-keys.mjs';
import { runNode } from './run.mjs';

const worlds = ['domain', 'src', 'sw', 'server', 'tests'];

/** What `npm run check` runs, the quickest to fail first. */
export function checks({ vitestReport } = {}) {
  const reporters = vitestReport ? ['--reporter=default', '--reporter=json', `--outputFile.json=${vitestReport}`] : [];
  return [
    { name: 'locale keys', run: checkLocaleKeys },
    ...worlds.map((world) => ({
      name: `types of ${world}`,
      run: () => runNode('node_modules/typescript/bin/tsc', ['-p', world]),
    })),
    { name: 'lint', run: () => runNode('node_modules/oxlint/bin/oxlint', ['--type-aware', '--deny-warnings']) },
    { name: 'tests', run: () => runNode('node_modules/vitest/vitest.mjs', ['run', ...reporters]) },
  ];
}

/** Runs all, whatever fails, and ends with a line for each; the names of those that failed. */
export async function runChecks(list) {
  const results = [];
  for (const { name, run } of list) {
    console.log(`\n── ${name}`);
    const begun = performance.now();
    const succeeded = await attempt(run);
    results.push({ name, succeeded, seconds: (performance.now() - begun) / 1000 });
  }
  console.log('');
  for (const { name, succeeded, seconds } of results) {
    console.log(`${succeeded ? 'ok    ' : 'FAILED'} ${name.padEnd(18)} ${seconds.toFixed(1).padStart(6)} s`);
  }
  return results.filter(({ succeeded }) => !succeeded).map(({ name }) => name);
}

async function attempt(run) {
  try {
    return await run();
  } catch (error) {
    console.error(error.message);
    return false;
  }
}
