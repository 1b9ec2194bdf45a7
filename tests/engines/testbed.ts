/** One engine before one clinic: the built server with the demo's data, a connection that can fail, and browsers. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expectConsistent, outboxDrained } from '../kill/consistency.ts';
import { FaultProxy } from '../support/fault-proxy.ts';
import { ServerProcess } from '../support/server-process.ts';
import { Counter } from './counter.ts';
import type { BrowserOptions, EngineBrowser } from './drivers/browser.ts';
import type { Tab } from './drivers/tab.ts';
import type { Engine } from './launch.ts';

export interface OpenOptions extends Omit<BrowserOptions, 'profile'> {
  /** The folder of an earlier browser of the same flow; a new one if omitted. */
  profile?: string;
}

/** A browser that stands at the counter, with its first tab. */
export interface Tablet {
  browser: EngineBrowser;
  counter: Counter;
  tab: Tab;
  profile: string;
}

export class Testbed {
  private readonly tablets: Tablet[] = [];
  private readonly folders = new Set<string>();

  private constructor(
    readonly engine: Engine,
    readonly clinic: ServerProcess,
    readonly proxy: FaultProxy,
  ) {}

  /** @param clinic a clinic that the caller stops; the testbed's own one if omitted */
  static async create(engine: Engine, clinic: ServerProcess): Promise<Testbed> {
    return new Testbed(engine, clinic, await FaultProxy.before(clinic.port));
  }

  get url(): string {
    return this.proxy.url;
  }

  async open(options: OpenOptions = {}): Promise<Tablet> {
    const profile = options.profile ?? (await mkdtemp(path.join(tmpdir(), 'dental-counter-engine-')));
    this.folders.add(profile);
    const browser = await this.engine.open({ ...options, profile });
    const tab = await browser.firstTab();
    const counter = new Counter(tab, browser, this, { hasWorkers: options.hasWorkers ?? true });
    const tablet = { browser, counter, tab, profile };
    this.tablets.push(tablet);
    return tablet;
  }

  /** Opens a tablet at which somebody is signed in. */
  async signedIn(role?: 'admin' | 'manager' | 'counter', options?: OpenOptions): Promise<Tablet> {
    const tablet = await this.open(options);
    await tablet.counter.signIn(role);
    return tablet;
  }

  /** Opens a browser on the profile of one that has ended, as a person does the next morning. */
  async reopened(tablet: Tablet, options?: OpenOptions): Promise<Tablet> {
    const again = await this.open({ ...options, profile: tablet.profile });
    await again.counter.open();
    return again;
  }

  /** Cuts the connection. The browser itself still believes that it has one, as behind a broken router. */
  loseNetwork(): void {
    this.proxy.mode = { type: 'refuse' };
    this.proxy.cut();
  }

  findNetwork(): void {
    this.proxy.mode = { type: 'pass' };
  }

  /** Waits until the tablet has sent everything. Then its storage, the server and the given papers must agree. */
  async settle(tab: Tab, printed: readonly string[]): Promise<void> {
    await outboxDrained(tab);
    if (printed.length > 0) await expectConsistent(this.clinic, tab, printed);
  }

  /** Returns what the pages of the flow reported as errors. */
  errors(): string[] {
    return this.tablets.flatMap(({ browser }) => browser.errors());
  }

  /** Writes a picture of each tab that is open. @param file without its ending */
  async photograph(file: string): Promise<void> {
    for (const [tablet, { browser }] of this.tablets.entries())
      for (const [index, tab] of (await browser.tabs().catch(() => [])).entries())
        await tab.screenshot(`${file}-${tablet}-${index}.png`).catch(() => undefined);
  }

  /** Ends the browsers of a flow, and mends the connection for the next one. */
  async endFlow(): Promise<void> {
    this.findNetwork();
    for (const { browser } of this.tablets.splice(0)) await browser.close();
    // The last processes of a browser may still write.
    await sleep(200);
    for (const folder of this.folders) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    this.folders.clear();
  }

  async close(): Promise<void> {
    await this.endFlow();
    await this.proxy.close();
  }
}
