/**
 * Playwright fixtures of the kill tests: a clinic with one counter behind a fault proxy, and the check that ends every test.
 * The tests of a worker share the testbed. A failed test gets a new one for the next.
 */
import { test as base } from '../e2e/fixtures.ts';
import { chromiumOptions } from '../support/chromium.ts';
import { FaultProxy } from '../support/fault-proxy.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { expectConsistent, outboxDrained } from './consistency.ts';
import { CounterBrowser } from './counter-browser.ts';
import { SalesWorkload } from './sales-workload.ts';

interface Testbed {
  clinic: ServerProcess;
  browser: CounterBrowser;
  workload: SalesWorkload;
  /** Waits until the tablet has sent everything, then compares printed documents, tablet and server. */
  settle: () => Promise<void>;
}

interface WorkerFixtures {
  testbed: Testbed;
  /** The connection between the counter of `testbed` and the clinic. */
  faultProxy: FaultProxy;
}

export const killTest = base.extend<object, WorkerFixtures>({
  faultProxy: [
    async ({ clinic }, use) => {
      const faultProxy = await FaultProxy.before(clinic.port);
      await use(faultProxy);
      await faultProxy.close();
    },
    { scope: 'worker' },
  ],
  testbed: [
    async ({ clinic, faultProxy }, use) => {
      const browser = await CounterBrowser.create(clinic, chromiumOptions, { address: faultProxy.url });
      const workload = new SalesWorkload();
      const settle = async (): Promise<void> => {
        const { page } = browser.tablet;
        await outboxDrained(page);
        await expectConsistent(clinic, page, workload.invoiceNumbers);
      };
      await use({ clinic, browser, workload, settle });
      await browser.destroy();
    },
    { scope: 'worker' },
  ],
});
