/** A clinic with one counter, and what every kill test ends with: all is up, all is sent, the books agree. */
import { test as base } from '@playwright/test';
import { FaultProxy } from '../support/fault-proxy.ts';
import { ServerProcess } from '../support/server-process.ts';
import { audit, drained } from './audit.ts';
import { Clerk } from './clerk.ts';
import { Machine } from './machine.ts';

export interface Scene {
  clinic: ServerProcess;
  machine: Machine;
  clerk: Clerk;
  settle: () => Promise<void>;
}

interface Fixtures {
  clinic: ServerProcess;
  scene: Scene;
  /** The line between the counter and the clinic of `scene`. */
  line: FaultProxy;
}

export const test = base.extend<Fixtures>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures that a fixture needs from this pattern.
  clinic: async ({}, use) => {
    const clinic = await ServerProcess.create();
    await use(clinic);
    await clinic.destroy();
  },
  line: async ({ clinic }, use) => {
    const line = await FaultProxy.before(clinic.port);
    await use(line);
    await line.close();
  },
  scene: async ({ clinic, line, launchOptions }, use) => {
    const machine = await Machine.create(clinic, launchOptions, line.url);
    const clerk = new Clerk();
    const settle = async (): Promise<void> => {
      const { page } = machine.tablet;
      await drained(page);
      await audit(clinic, page, clerk.papers);
    };
    await use({ clinic, machine, clerk, settle });
    await machine.destroy();
  },
});
