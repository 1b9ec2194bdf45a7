import { chromium } from '@playwright/test';
import type { Browser, BrowserContext, LaunchOptions, Page } from '@playwright/test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { movePageClocks } from '../support/fixed-run/browser-clock.ts';
import { Tablet } from '../support/tablet.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { killGroup } from './processes.ts';

interface ChromiumProcess {
  type: string;
  id: number;
}

interface Options {
  /** The address of the app, if a proxy is in front of the server. */
  address?: string;
  /** Called at each start, before the first page. */
  prepare?: (context: BrowserContext) => Promise<void>;
}

/** The browser at the counter: a Chromium whose profile survives, so that it can be killed and started again. */
export class CounterBrowser {
  private context: BrowserContext | null = null;
  private currentTablet: Tablet | null = null;

  private constructor(
    private readonly clinic: ServerProcess,
    private readonly launchOptions: LaunchOptions,
    readonly profile: string,
    private readonly options: Options,
  ) {}

  static async create(
    clinic: ServerProcess,
    launchOptions: LaunchOptions,
    options: Options = {},
  ): Promise<CounterBrowser> {
    const profile = await mkdtemp(path.join(tmpdir(), 'dental-counter-profile-'));
    const browser = new CounterBrowser(clinic, launchOptions, profile, options);
    await browser.start();
    await browser.tablet.signIn();
    return browser;
  }

  get tablet(): Tablet {
    if (!this.currentTablet) throw new Error('The browser is not running.');
    return this.currentTablet;
  }

  async start(): Promise<void> {
    this.context = await chromium.launchPersistentContext(this.profile, {
      ...this.launchOptions,
      baseURL: this.options.address ?? this.clinic.url,
      locale: 'en-GB',
      viewport: { width: 1180, height: 820 },
    });
    await movePageClocks(this.context);
    await this.options.prepare?.(this.context);
    await this.context.addInitScript(() => {
      window.print = () => undefined;
    });
    this.currentTablet = new Tablet(this.clinic, this.context, this.context.pages()[0]!);
  }

  /** Opens the app as a person does. A killed browser may have lost the session, because browsers write cookies late; then it signs in. */
  async open(): Promise<void> {
    const { page } = this.tablet;
    await page.goto('/');
    const counter = page.getByRole('tab', { name: 'Create treatment' });
    const password = page.getByLabel('Password', { exact: true });
    await counter.or(password).first().waitFor();
    if (await password.isVisible()) {
      await page.getByLabel('Email', { exact: true }).fill(`counter@${this.clinic.emailDomain}`);
      await password.fill('demo-counter');
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    }
    // The screen may still show a treatment whose payment was interrupted; the workload starts a new one.
    await counter.click();
    await this.tablet.counterReady();
  }

  /** Replaces a crashed tab by a new one. */
  async reopen(): Promise<void> {
    const { context, page } = this.tablet;
    const next = await freshPage(context);
    await page.close();
    this.currentTablet = new Tablet(this.clinic, context, next);
    await this.open();
  }

  /** Kills the browser with all its processes. */
  async kill(): Promise<void> {
    const [leader] = await this.processes('browser');
    await killGroup(leader!);
    await this.context?.close();
    this.currentTablet = null;
  }

  /** Kills the processes that run pages and workers; the browser itself survives. */
  async killRenderers(): Promise<void> {
    for (const pid of await this.processes('renderer')) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // The process has already ended.
      }
    }
  }

  /** Stops the service worker without warning, as a browser does when it is short of memory. */
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

/** Opens a page. Retries, because the process of the new page may die with the others; then the call fails or never answers. */
async function freshPage(context: BrowserContext): Promise<Page> {
  for (let attempt = 0; attempt < 5; attempt++) {
    const page = await Promise.race([context.newPage().catch(() => null), sleep(5000, null)]);
    if (page) return page;
  }
  throw new Error('The browser does not open a page.');
}
