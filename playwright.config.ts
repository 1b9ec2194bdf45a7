import { defineConfig } from '@playwright/test';
import { chromiumOptions } from './tests/support/chromium.ts';

/** Browser tests run the built product against a real server process with its own PostgreSQL: see `tests/e2e/clinic.ts`. */
export default defineConfig({
  projects: [
    // The longest first: at the end no core waits for one of them.
    { name: 'kill', testDir: 'tests/kill' },
    // Three browsers and three servers share two cores here: one second try, which `npm test` names at its end.
    { name: 'e2e', testDir: 'tests/e2e', retries: 1 },
  ],
  outputDir: 'test-results',
  // One more than there surely are cores, for each waits a part of its time. Each has a clinic of its own.
  workers: 3,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [['line']],
  use: {
    locale: 'en-GB',
    screenshot: 'only-on-failure',
    launchOptions: chromiumOptions,
  },
});
