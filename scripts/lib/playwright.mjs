import { ensureChromium } from './chromium.mjs';
import { runNode } from './run.mjs';
import { ensureTestPrograms } from './test-programs.mjs';

/** Runs projects of playwright.config.ts. @param report the file for a JSON report; none if omitted */
export async function runPlaywright(projects, { report, env = {} } = {}) {
  await ensureTestPrograms();
  const chosen = projects.map((project) => `--project=${project}`);
  return runNode(
    'node_modules/@playwright/test/cli.js',
    ['test', ...chosen, ...(report ? ['--reporter=line,json'] : [])],
    {
      env: { ...env, CHROMIUM_PATH: await ensureChromium(), ...(report && { PLAYWRIGHT_JSON_OUTPUT_NAME: report }) },
    },
  );
}
