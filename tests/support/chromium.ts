import type { LaunchOptions } from '@playwright/test';

/** Launch options of the browser for tests, benchmarks and screenshots. The npm scripts set `CHROMIUM_PATH`. */
export const chromiumOptions: LaunchOptions = {
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  args: [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
};
