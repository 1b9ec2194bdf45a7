/** The counter's computer: a Chromium of its own with a profile that outlives it, to be killed and started again. */
import { chromium } from '@playwright/test';
import type { Browser, BrowserContext, LaunchOptions, Page } from '@playwright/test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Tablet } from '../support/tablet.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { killGroup } from './processes.ts';

interface ChromiumProcess {
  type: string;
  id: number;
}

export class CounterBrowser {
  private context: BrowserContext | null = null;
  private tabletNow: Tablet | null = null;

  private constructor(
    private readonly clinic: ServerProcess,
    private readonly launchOptions: LaunchOptions,
    private readonly profile: string,
    /** Where the app is opened: the server itself, or a proxy before it. */
    private readonly address: string,
  ) {}

  static async create(
    clinic: ServerProcess,
    launchOptions: LaunchOptions,
    address = clinic.url,
  ): Promise<CounterBrowser> {
    const profile = await mkdtemp(path.join(tmpdir(), 'dental-counter-profile-'));
    const browser = new CounterBrowser(clinic, launchOptions, profile, address);
    await browser.start();
    await browser.tablet.signIn();
    return browser;
  }

  /** The app as it is open now. */
  get tablet(): Tablet {
    if (!this.tabletNow) throw new Error('The browser is not running.');
    return this.tabletNow;
  }

  async start(): Promise<void> {
    this.context = await chromium.launchPersistentContext(this.profile, {
      ...this.launchOptions,
      baseURL: this.address,
      locale: 'en-GB',
      viewport: { width: 1180, height: 820 },
    });
    await this.context.addInitScript(() => {
      window.print = () => undefined;
    });
    this.tabletNow = new Tablet(this.clinic, this.context, this.context.pages()[0]!);
  }

  /** Opens the app again as the person at the counter would. A browser writes cookies late, so a killed one may have forgotten the session. */
  async open(): Promise<void> {
    const { page } = this.tablet;
    await page.goto('/');
    const counter = page.getByRole('tab', { name: 'Create treatment' });
    const password = page.getByLabel('Password', { exact: true });
    await counter.or(password).first().waitFor();
    if (await password.isVisible()) {
      await page.getByLabel('Email', { exact: true }).fill('counter@demo.test');
      await password.fill('demo-counter');
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    }
    // A treatment whose payment was interrupted is still on the screen; the next patient comes first.
    await counter.click();
    await this.tablet.counterReady();
  }

  /** A new tab in the place of one that has died. */
  async reopen(): Promise<void> {
    const { context, page } = this.tablet;
    const next = await freshPage(context);
    await page.close();
    this.tabletNow = new Tablet(this.clinic, context, next);
    await this.open();
  }

  /** The browser with all its processes. */
  async kill(): Promise<void> {
    const [leader] = await this.processes('browser');
    await killGroup(leader!);
    await this.context?.close();
    this.tabletNow = null;
  }

  /** The processes that run pages and workers, leaving the browser itself alive. */
  async killRenderers(): Promise<void> {
    for (const pid of await this.processes('renderer')) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // Gone by itself meanwhile.
      }
    }
  }

  /** Ends the service worker as the browser does when it is short of memory: without asking. */
  async stopWorkers(): Promise<void> {
    const { context, page } = this.tablet;
    const session = await context.newCDPSession(page);
    await session.send('ServiceWorker.enable');
    await session.send('ServiceWorker.stopAllWorkers');
    await session.detach();
  }

  async destroy(): Promise<void> {
    await this.context?.close();
    await rm(this.profile, { recursive: true, force: true, maxRetries: 5 });
  }

  private async processes(type: string): Promise<number[]> {
    const session = await this.browser.newBrowserCDPSession();
    const { processInfo } = (await session.send('SystemInfo.getProcessInfo')) as { processInfo: ChromiumProcess[] };
    await session.detach();
    return processInfo.filter((one) => one.type === type).map(({ id }) => id);
  }

  private get browser(): Browser {
    return this.context!.browser()!;
  }
}

/** The process that a page was to get may have died with the others: then opening it fails, or is never answered. */
async function freshPage(context: BrowserContext): Promise<Page> {
  for (let attempt = 0; attempt < 5; attempt++) {
    const page = await Promise.race([context.newPage().catch(() => null), sleep(5000, null)]);
    if (page) return page;
  }
  throw new Error('The browser opens no page any more.');
}
