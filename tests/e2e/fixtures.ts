/** Fixtures of the browser tests: a clinic on the built server, and tablets that connect to it. */
import { test as base, expect } from '@playwright/test';
import type { BrowserContext } from '@playwright/test';
import { ServerProcess } from '../support/server-process.ts';
import { Tablet } from '../support/tablet.ts';
import { watchLayoutShifts } from './layout-shift.ts';

export { expect };

interface Fixtures {
  newTablet: (clinic?: ServerProcess) => Promise<Tablet>;
  tablet: Tablet;
  /** A newly seeded clinic for a test that stops the server or needs exact counts. */
  freshClinic: ServerProcess;
}

export const test = base.extend<Fixtures, { clinic: ServerProcess }>({
  clinic: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures that a fixture needs from this pattern.
    async ({}, use) => {
      const clinic = await ServerProcess.create();
      await use(clinic);
      await clinic.destroy();
    },
    { scope: 'worker' },
  ],
  // oxlint-disable-next-line no-empty-pattern -- As above.
  freshClinic: async ({}, use) => {
    const clinic = await ServerProcess.create();
    await use(clinic);
    await clinic.destroy();
  },
  newTablet: async ({ browser, clinic: sharedClinic, locale }, use) => {
    const contexts: BrowserContext[] = [];
    const policyViolations: string[] = [];
    await use(async (clinic = sharedClinic) => {
      const context = await browser.newContext({
        baseURL: clinic.url,
        locale: locale ?? 'en-GB',
        viewport: { width: 1180, height: 820 },
      });
      contexts.push(context);
      context.on(
        'console',
        (line) =>
          line.text().includes('Content Security Policy') &&
          policyViolations.push(`${line.page()?.url()} ${line.text()}`),
      );
      await context.addInitScript(() => {
        window.print = () => {
          window.printed = (window.printed ?? 0) + 1;
        };
      });
      await watchLayoutShifts(context);
      return new Tablet(clinic, context, await context.newPage());
    });
    for (const context of contexts) await context.close();
    // No test may make a page of the app violate the content security policy of its server.
    expect(policyViolations).toEqual([]);
  },
  tablet: async ({ newTablet }, use) => use(await newTablet()),
});
