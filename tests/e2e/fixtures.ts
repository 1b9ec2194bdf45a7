/**
 * Fixtures of the browser tests: a clinic on the built server, and tablets that connect to it.
 *
 * - `tabletOf` gives a tablet at which a person of the demo is signed in. It opens in a fifth of the time of a sign-in,
 *   so it is the usual one. A further one of the same role is another tablet.
 * - `newTablet` gives an empty one. A test needs it if it is about signing in, leaves refused work, or changes what
 *   Playwright can't take back: the clock, cookies, or scripts and permissions of the context.
 * - `freshClinic` is a server of its own. A test needs it if it requires exact counts, changes the settings, or stops the
 *   server for longer than a moment.
 *
 * Tests of a worker share the clinic and the signed-in profiles, so the rows of other tests are there. A test finds its
 * own rows by a name or number that only it uses, which differs when the test is repeated.
 */
import { test as base, expect } from '@playwright/test';
import type { Browser, BrowserContext } from '@playwright/test';
import { movePageClocks } from '../support/fixed-run/browser-clock.ts';
import { ServerProcess } from '../support/server-process.ts';
import { Tablet } from '../support/tablet.ts';
import type { DemoRole } from '../support/tablet.ts';
import { watchLayoutShifts } from './layout-shift.ts';
import { SignedInProfiles } from './profiles.ts';

export { expect };

interface Fixtures {
  /** Returns a tablet with an empty profile. `address` is the clinic's own, or that of a proxy before it. */
  newTablet: (clinic?: ServerProcess, address?: string) => Promise<Tablet>;
  tablet: Tablet;
  /** Returns a tablet with an empty page, at which somebody is signed in and which works offline. */
  tabletOf: (role: DemoRole) => Promise<Tablet>;
  /** A newly seeded clinic. */
  freshClinic: ServerProcess;
}

interface WorkerFixtures {
  clinic: ServerProcess;
  profiles: SignedInProfiles;
  /** Violations of the content security policy since the last test. */
  policyViolations: string[];
}

async function newProfile(
  browser: Browser,
  { address, violations, locale }: { address: string; violations: string[]; locale: string },
): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: address,
    locale,
    viewport: { width: 1180, height: 820 },
    // A tap waits until its target stands still. Tests of what moves switch the animations on.
    reducedMotion: 'reduce',
  });
  await movePageClocks(context);
  context.on(
    'console',
    (line) =>
      line.text().includes('Content Security Policy') && violations.push(`${line.page()?.url()} ${line.text()}`),
  );
  await context.addInitScript(() => {
    window.print = () => {
      window.printed = (window.printed ?? 0) + 1;
    };
  });
  await watchLayoutShifts(context);
  return context;
}

export const test = base.extend<Fixtures & { checkPolicy: void }, WorkerFixtures>({
  clinic: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures that a fixture needs from this pattern.
    async ({}, use) => {
      const clinic = await ServerProcess.create();
      await use(clinic);
      await clinic.destroy();
    },
    { scope: 'worker' },
  ],
  policyViolations: [
    // oxlint-disable-next-line no-empty-pattern -- As above.
    async ({}, use) => use([]),
    { scope: 'worker' },
  ],
  profiles: [
    async ({ browser, clinic, policyViolations: violations }, use) => {
      const profiles = new SignedInProfiles(clinic, () =>
        newProfile(browser, { address: clinic.url, violations, locale: 'en-GB' }),
      );
      await use(profiles);
      await profiles.close();
    },
    { scope: 'worker' },
  ],
  checkPolicy: [
    async ({ policyViolations }, use) => {
      await use();
      // No test may make a page of the app violate the content security policy of its server.
      expect(policyViolations.splice(0)).toEqual([]);
    },
    { auto: true },
  ],
  // oxlint-disable-next-line no-empty-pattern -- As above.
  freshClinic: async ({}, use) => {
    const clinic = await ServerProcess.create();
    await use(clinic);
    await clinic.destroy();
  },
  tabletOf: async ({ profiles }, use) => {
    await use((role) => profiles.lend(role));
    await profiles.takeBack();
  },
  newTablet: async ({ browser, clinic: sharedClinic, locale, policyViolations: violations }, use) => {
    const contexts: BrowserContext[] = [];
    await use(async (clinic = sharedClinic, address = clinic.url) => {
      const context = await newProfile(browser, { address, violations, locale: locale ?? 'en-GB' });
      contexts.push(context);
      return new Tablet(clinic, context, await context.newPage());
    });
    for (const context of contexts) await context.close();
  },
  tablet: async ({ newTablet }, use) => use(await newTablet()),
});
