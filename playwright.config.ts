import { defineConfig } from '@playwright/test';
import { chromiumOptions } from './tests/support/chromium.ts';
import { fixRun } from './tests/support/fixed-run/fixed-run.ts';

fixRun();

/** Browser tests run the built product against a server process with its own PostgreSQL. See `tests/e2e/fixtures.ts`. */
export default defineConfig({
  projects: [
    // Three browsers and their servers share two cores, so a test gets a second run. `npm test` lists these tests at its end.
    // One test for each flow and each kind of fault. What repeats them in another place has `@long` in its title.
    { name: 'e2e', testDir: 'tests/e2e', retries: 1, grepInvert: /@long/ },
    { name: 'e2e-long', testDir: 'tests/e2e', retries: 1, grep: /@long/ },
    // Each round may wait a minute until a tablet tries again. A test of this kind gets no second run.
    { name: 'kill', testDir: 'tests/kill', timeout: 300_000, grepInvert: /@long/ },
    { name: 'kill-long', testDir: 'tests/kill', timeout: 300_000, grep: /@long/ },
    // What finds rare faults and takes long. `npm test` leaves it out.
    { name: 'long', testDir: 'tests/long', retries: 1 },
  ],
  globalSetup: './tests/support/browser-setup.ts',
  outputDir: 'test-results',
  // For two cores: a browser waits for a third of its time. Each worker has its own clinic.
  workers: 3,
  // The limits end what hangs. They are far above what a test takes, so that a busy machine does not make one fail.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  reporter: [['line']],
  use: {
    locale: 'en-GB',
    screenshot: 'only-on-failure',
    launchOptions: chromiumOptions,
  },
});
