import { defineConfig } from '@playwright/test';
import { chromiumOptions } from './tests/support/chromium.ts';

/** Browser tests run the built product against a real server process with its own PostgreSQL: see `tests/e2e/fixtures.ts`. */
export default defineConfig({
  projects: [
    // Two browsers and two servers share two cores here: one second try, which `npm test` names at its end.
    { name: 'e2e', testDir: 'tests/e2e', retries: 1 },
    { name: 'kill', testDir: 'tests/kill' },
  ],
  outputDir: 'test-results',
  // One for each core that there surely is; each has a clinic of its own.
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [['line']],
  use: {
    locale: 'en-GB',
    screenshot: 'only-on-failure',
    launchOptions: chromiumOptions,
  },
});
