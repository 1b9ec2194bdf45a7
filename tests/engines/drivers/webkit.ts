/** WebKitGTK, the engine of Safari, through its own WebDriver. */
import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '#tests/support/server-process.ts';
import { EngineBrowser, tabletSize } from './browser.ts';
import type { BrowserOptions, Paper } from './browser.ts';
import type { Display } from './display.ts';
import { BrowserEnded, endProcess, hasEnded } from './ending.ts';
import { paperIn } from './paper.ts';
import { Tab } from './tab.ts';
import type { InputSource } from './tab.ts';

const program = path.join(import.meta.dirname, 'webkit-browser.py');

/** The driver has one current window, so a command to another tab begins with a switch. */
class WebKitTab extends Tab {
  constructor(
    private readonly browser: WebKit,
    readonly handle: string,
  ) {
    super();
  }

  async goto(url: string): Promise<void> {
    await this.command('POST', '/url', { url });
  }

  async reload(): Promise<void> {
    await this.command('POST', '/refresh', {});
  }

  async toFront(): Promise<void> {
    await this.browser.switchTo(this.handle);
  }

  async close(): Promise<void> {
    await this.command('DELETE', '/window');
    this.browser.forget(this.handle);
  }

  async screenshot(file: string): Promise<void> {
    await this.toFront();
    await this.browser.photograph(file);
  }

  protected async run(expression: string): Promise<unknown> {
    const script = `const done = arguments[arguments.length - 1];
      Promise.resolve().then(() => (${expression})).then(
        (value) => done({ value: JSON.stringify(value) ?? null }),
        (error) => done({ error: String(error) }),
      );`;
    const { value, error } = await this.command<{ value: string | null; error?: string }>('POST', '/execute/async', {
      script,
      args: [],
    });
    if (error !== undefined) throw new Error(error);
    return value === null ? undefined : JSON.parse(value);
  }

  protected async perform(actions: InputSource[]): Promise<void> {
    await this.command('POST', '/actions', { actions });
  }

  private async command<T>(method: string, where: string, body?: object): Promise<T> {
    await this.toFront();
    return this.browser.command<T>(method, where, body);
  }
}

interface Event {
  event: 'print' | 'download' | 'window' | 'print failed' | 'process ended' | 'permission';
  file?: string;
  reason?: string;
}

export class WebKit extends EngineBrowser {
  private readonly tabOf = new Map<string, WebKitTab>();
  private current: string | null = null;
  private session = '';
  private papersTaken = 0;

  private constructor(
    private readonly driver: ChildProcess,
    private readonly address: string,
    private readonly options: BrowserOptions,
    private readonly display: Display,
    /** The lengths of the profile's logs when this browser started. */
    private readonly logged: { console: number; events: number },
  ) {
    super();
  }

  static async open(options: BrowserOptions, display: Display): Promise<WebKit> {
    const { profile, script = '', hasWorkers = true } = options;
    const { width, height } = { ...tabletSize, ...options };
    await mkdir(path.join(profile, 'downloads'), { recursive: true });
    const port = await freePort();
    const output = openSync(path.join(profile, 'console.log'), 'a');
    const logged = { console: logOf(profile, 'console').length, events: logOf(profile, 'events').length };
    const driver = spawn('WebKitWebDriver', [`--port=${port}`, '--host=127.0.0.1'], {
      stdio: ['ignore', output, output],
      env: {
        ...process.env,
        DISPLAY: display.name,
        LANG: 'en_GB.UTF-8',
        LANGUAGE: 'en_GB',
        // Without a graphics card and an accessibility bus.
        WEBKIT_DISABLE_DMABUF_RENDERER: '1',
        LIBGL_ALWAYS_SOFTWARE: '1',
        GTK_A11Y: 'none',
        NO_AT_BRIDGE: '1',
        PROFILE: profile,
        // This engine has no switch for workers.
        SCRIPT: hasWorkers ? script : `delete Navigator.prototype.serviceWorker; ${script}`,
        WIDTH: String(width),
        HEIGHT: String(height),
      },
    });
    closeSync(output);
    const browser = new WebKit(driver, `http://127.0.0.1:${port}`, options, display, logged);
    try {
      await browser.start();
      return browser;
    } catch (error) {
      await browser.kill();
      throw error;
    }
  }

  private async start(): Promise<void> {
    for (let attempt = 0; attempt < 100; attempt++) {
      if (
        await fetch(`${this.address}/status`).then(
          ({ ok }) => ok,
          () => false,
        )
      )
        break;
      await sleep(50);
    }
    const wanted = { 'webkitgtk:browserOptions': { binary: program, args: ['--automation'] } };
    const { sessionId } = await this.request<{ sessionId: string }>('POST', '/session', {
      capabilities: { alwaysMatch: wanted },
    });
    this.session = sessionId;
  }

  errors(): string[] {
    return errorsIn(logOf(this.options.profile, 'console').slice(this.logged.console)).concat(
      this.events().flatMap(({ event, reason }) =>
        event === 'process ended' || event === 'print failed' ? [`${event}: ${reason}`] : [],
      ),
    );
  }

  async firstTab(): Promise<Tab> {
    this.current = await this.command<string>('GET', '/window');
    return this.tab(this.current);
  }

  async newTab(): Promise<Tab> {
    const { handle } = await this.command<{ handle: string }>('POST', '/window/new', { type: 'tab' });
    return this.tab(handle);
  }

  async close(): Promise<void> {
    if (hasEnded(this.driver)) return;
    await Promise.race([this.request('DELETE', `/session/${this.session}`).catch(() => undefined), sleep(5000)]);
    await this.kill();
  }

  async kill(): Promise<void> {
    await endProcess(this.driver);
  }

  async papers(): Promise<Paper[]> {
    const files = this.events().flatMap(({ event, file }) => (event === 'print' && file ? [file] : []));
    const fresh = files.slice(this.papersTaken);
    this.papersTaken = files.length;
    return Promise.all(fresh.map((file) => paperIn(path.join(this.options.profile, 'downloads', file))));
  }

  async downloads(): Promise<string[]> {
    return this.events().flatMap(({ event, file }) =>
      event === 'download' && file ? [path.join(this.options.profile, 'downloads', file)] : [],
    );
  }

  async switchTo(handle: string): Promise<void> {
    if (this.current === handle) return;
    await this.command('POST', '/window', { handle });
    this.current = handle;
  }

  forget(handle: string): void {
    this.tabOf.delete(handle);
    this.current = null;
  }

  /** The driver's own picture is empty on a display in memory, so ImageMagick takes it from there. */
  async photograph(file: string): Promise<void> {
    const { width, height } = { ...tabletSize, ...this.options };
    await sleep(400);
    const area = ['-window', 'root', '-crop', `${width}x${height}+0+0`, '+repage'];
    await promisify(execFile)('import', ['-display', this.display.name, ...area, file], { timeout: 15_000 });
  }

  command<T>(method: string, where: string, body?: object): Promise<T> {
    return this.request<T>(method, `/session/${this.session}${where}`, body);
  }

  async tabs(): Promise<Tab[]> {
    const handles = await this.command<string[]>('GET', '/window/handles');
    return handles.map((handle) => this.tab(handle));
  }

  private tab(handle: string): WebKitTab {
    const tab = this.tabOf.get(handle) ?? new WebKitTab(this, handle);
    this.tabOf.set(handle, tab);
    return tab;
  }

  private async request<T>(method: string, where: string, body?: object): Promise<T> {
    if (hasEnded(this.driver)) throw new BrowserEnded();
    const reply = await fetch(this.address + where, {
      method,
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(120_000),
    });
    const { value } = (await reply.json()) as { value: T & { error?: string; message?: string } };
    if (value?.error !== undefined && !reply.ok) throw new Error(`${value.error}: ${value.message ?? ''}`);
    return value;
  }

  private events(): Event[] {
    const lines = logOf(this.options.profile, 'events').slice(this.logged.events).split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as Event);
  }
}

function logOf(profile: string, name: 'console' | 'events'): string {
  try {
    return readFileSync(path.join(profile, `${name}.log`), 'utf8');
  } catch {
    return '';
  }
}

/** WebKit prints `CONSOLE JS ERROR` for exceptions, `CONSOLE ERROR` for calls of the console, and so on. */
const errorLine = /^(?:\S*:\d+:\d+: )?(CONSOLE (?!NETWORK)(?:\w+ )?ERROR .*)$/gm;

/**
 * WebKit reports what a page no longer wants when somebody leaves it as a refusal of access. All addresses here are the app's
 * own, to which nothing refuses access.
 */
const abandonedLoad = /Fetch API cannot load \S+ due to access control checks/;

const errorsIn = (log: string): string[] =>
  [...log.matchAll(errorLine)].map(([, text]) => text!).filter((text) => !abandonedLoad.test(text));
