/** The surroundings of a section: a server process, its PostgreSQL, a browser. */
import { chromium } from '@playwright/test';
import type { Browser, BrowserContext, CDPSession, Page } from '@playwright/test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startEmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts';
import { chromiumOptions } from '../support/chromium.ts';
import { ServerProcess } from '../support/server-process.ts';

export interface BenchClinic {
  clinic: ServerProcess;
  /** Of the server's PostgreSQL, which is as durable as the product's. */
  connectionString: string;
}

/** Runs the work with the demo clinic in an empty database, and removes everything afterwards. */
export async function withClinic<T>(work: (bench: BenchClinic) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'dental-counter-bench-'));
  const postgres = await startEmbeddedPostgres({ dataDir: folder });
  try {
    const { connectionString } = postgres;
    const clinic = await ServerProcess.create({ DATABASE_URL: connectionString, REQUEST_LIMITS: '0' });
    try {
      return await work({ clinic, connectionString });
    } finally {
      await clinic.stop();
      await rm(clinic.dataDir, { recursive: true, force: true });
    }
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

export async function withBrowser<T>(work: (browser: Browser) => Promise<T>): Promise<T> {
  const browser = await chromium.launch(chromiumOptions);
  try {
    return await work(browser);
  } finally {
    await browser.close();
  }
}

/** Opens a context of a tablet's size. */
export async function tabletContext(browser: Browser, baseURL: string): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL, viewport: { width: 1180, height: 820 } });
  // tsx wraps functions in a helper that does not exist in pages.
  await context.addInitScript('globalThis.__name = (named) => named; globalThis.print = () => undefined;');
  return context;
}

/** The speed of a page's main thread, and the CPU time that it spends. */
export class PageCpu {
  private constructor(private readonly cdp: CDPSession) {}

  static async of(page: Page): Promise<PageCpu> {
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
    return new PageCpu(cdp);
  }

  /** Slows the main thread down. Workers keep their speed. */
  async throttle(rate: number): Promise<void> {
    await this.cdp.send('Emulation.setCPUThrottlingRate', { rate });
  }

  /** Returns the milliseconds that the main thread has worked so far, at its throttled speed. */
  async spentMs(): Promise<number> {
    const { metrics } = await this.cdp.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')!.value * 1000;
  }

  async heapMb(): Promise<number> {
    const { usedSize } = await this.cdp.send('Runtime.getHeapUsage');
    return usedSize / 1_000_000;
  }
}
