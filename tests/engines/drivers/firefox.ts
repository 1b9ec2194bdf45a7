/** Firefox without a window, through WebDriver BiDi. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BidiSession } from './bidi.ts';
import { EngineBrowser, tabletSize } from './browser.ts';
import type { BrowserOptions, Paper } from './browser.ts';
import { endProcess, hasEnded } from './ending.ts';
import { finishedFiles } from './files.ts';
import { paperIn } from './paper.ts';
import { Tab } from './tab.ts';
import type { InputSource } from './tab.ts';

interface Context {
  context: string;
  parent: string | null;
}

interface LogEntry {
  type: 'javascript' | 'console';
  level: 'debug' | 'info' | 'warn' | 'error';
  text: string | null;
  stackTrace?: { callFrames: { url: string; lineNumber: number; columnNumber: number }[] };
}

class FirefoxTab extends Tab {
  constructor(
    private readonly session: BidiSession,
    readonly context: string,
  ) {
    super();
  }

  async goto(url: string): Promise<void> {
    await this.session.command('browsingContext.navigate', { context: this.context, url, wait: 'interactive' });
  }

  async reload(): Promise<void> {
    await this.session.command('browsingContext.reload', { context: this.context, wait: 'interactive' });
  }

  async toFront(): Promise<void> {
    await this.session.command('browsingContext.activate', { context: this.context });
  }

  async close(): Promise<void> {
    await this.session.command('browsingContext.close', { context: this.context });
  }

  async screenshot(file: string): Promise<void> {
    const { data } = await this.session.command<{ data: string }>('browsingContext.captureScreenshot', {
      context: this.context,
    });
    await writeFile(file, Buffer.from(data, 'base64'));
  }

  protected async run(expression: string): Promise<unknown> {
    const { type, result, exceptionDetails } = await this.session.command<{
      type: 'success' | 'exception';
      result?: { value?: string };
      exceptionDetails?: { text: string };
    }>('script.evaluate', {
      expression: `Promise.resolve(${expression}).then((value) => JSON.stringify(value))`,
      target: { context: this.context },
      awaitPromise: true,
    });
    if (type === 'exception') throw new Error(exceptionDetails!.text);
    return result?.value === undefined ? undefined : JSON.parse(result.value);
  }

  protected async perform(actions: InputSource[]): Promise<void> {
    // Taps by the driver do not bring a tab to the front, and one behind others takes keys without focus events.
    if (!(await this.run('document.hasFocus()'))) await this.toFront();
    await this.session.command('input.performActions', { context: this.context, actions });
  }
}

/** Firefox reports the pictures that a page no longer wants when somebody leaves it. */
const abandonedLoad = /^Failed to load ‘.*\/uploads\//;

/** Firefox reports an error that is no native one, such as one of Dexie's, as `Object` and without a stack. */
const nameErrors = `{
  const report = console.error;
  const named = (part) => (part?.stack ? part + ' ' + part.stack : part);
  console.error = (...parts) => report(...parts.map(named));
  addEventListener('unhandledrejection', ({ reason }) => {
    if (reason?.constructor !== Error) console.error('Unhandled rejection', reason);
  });
}`;

const printedFile = 'printed-page';
const savedTypes = [
  'application/pdf',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'text/csv',
  'application/zip',
  'application/octet-stream',
];

const preferences = (folder: string) => ({
  // The pop-up blocker is on, as in the field.
  'dom.disable_open_during_load': true,
  // A tap opens windows for five seconds, less than a sale takes on a busy machine; the flow without windows has what comes then.
  'dom.user_activation.transient.timeout': 60_000,
  'intl.accept_languages': 'en-GB',
  'intl.locale.requested': 'en-GB',
  'print.always_print_silent': true,
  print_printer: 'Mozilla Save to PDF',
  'print.printer_Mozilla_Save_to_PDF.print_to_file': true,
  'print.printer_Mozilla_Save_to_PDF.print_to_filename': path.join(folder, printedFile),
  'browser.download.folderList': 2,
  'browser.download.dir': folder,
  'browser.download.useDownloadDir': true,
  'browser.helperApps.neverAsk.saveToDisk': savedTypes.join(','),
  'pdfjs.disabled': true,
});

export class Firefox extends EngineBrowser {
  private readonly tabOf = new Map<string, FirefoxTab>();
  private readonly reported: string[] = [];
  private papersTaken = 0;
  private isEnding = false;

  private constructor(
    private readonly child: ChildProcess,
    private readonly session: BidiSession,
    private readonly options: BrowserOptions,
    private readonly folder: string,
  ) {
    super();
    child.once('exit', (code, signal) => {
      if (!this.isEnding) this.reported.push(`Firefox has ended by itself: ${signal ?? code}`);
    });
  }

  static async open(options: BrowserOptions): Promise<Firefox> {
    const folder = path.join(options.profile, 'downloads');
    await mkdir(folder, { recursive: true });
    const chosen = { ...preferences(folder), 'dom.serviceWorkers.enabled': options.hasWorkers ?? true };
    const lines = Object.entries(chosen).map(
      ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
    );
    await writeFile(path.join(options.profile, 'user.js'), lines.join('\n'));
    const child = spawn(
      process.env['FIREFOX_PATH'] ?? 'firefox-esr',
      ['--headless', '--no-remote', '--profile', options.profile, '--remote-debugging-port', '0'],
      { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, LANG: 'en_GB.UTF-8' } },
    );
    try {
      const session = await BidiSession.connect(await agentOf(child));
      const browser = new Firefox(child, session, options, folder);
      await session.on('log.entryAdded', (entry: LogEntry) => browser.note(entry));
      for (const script of [nameErrors, options.script ?? ''])
        await session.command('script.addPreloadScript', { functionDeclaration: `() => { ${script} }` });
      return browser;
    } catch (error) {
      await endProcess(child);
      throw error;
    }
  }

  errors(): string[] {
    return this.reported;
  }

  async firstTab(): Promise<Tab> {
    // In the tab of the start the address bar has the focus, and the fields of a page get no focus events.
    const started = await this.tabs();
    const tab = await this.newTab();
    for (const each of started) await each.close();
    return tab;
  }

  async newTab(): Promise<Tab> {
    const { context } = await this.session.command<Context>('browsingContext.create', { type: 'tab' });
    return this.fitted(this.tab(context));
  }

  async close(): Promise<void> {
    if (hasEnded(this.child)) return;
    this.isEnding = true;
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    await this.session.command('browser.close').catch(() => undefined);
    await Promise.race([ended, sleep(10_000)]);
    await this.kill();
  }

  async kill(): Promise<void> {
    this.isEnding = true;
    await endProcess(this.child);
  }

  async papers(): Promise<Paper[]> {
    const [file] = (await finishedFiles(this.folder)).filter((each) => path.basename(each) === printedFile);
    if (!file) return [];
    // Firefox writes every document to the same name.
    const kept = `${file}-${++this.papersTaken}`;
    await rename(file, kept);
    return [await paperIn(kept)];
  }

  async downloads(): Promise<string[]> {
    return (await finishedFiles(this.folder)).filter((each) => !path.basename(each).startsWith(printedFile));
  }

  async tabs(): Promise<FirefoxTab[]> {
    const { contexts } = await this.session.command<{ contexts: Context[] }>('browsingContext.getTree', {
      maxDepth: 0,
    });
    return contexts.map(({ context }) => this.tab(context));
  }

  private tab(context: string): FirefoxTab {
    const tab = this.tabOf.get(context) ?? new FirefoxTab(this.session, context);
    this.tabOf.set(context, tab);
    return tab;
  }

  private async fitted(tab: FirefoxTab): Promise<Tab> {
    const { width, height } = { ...tabletSize, ...this.options };
    await this.session.command('browsingContext.setViewport', { context: tab.context, viewport: { width, height } });
    return tab;
  }

  private note({ type, level, text, stackTrace }: LogEntry): void {
    if (level !== 'error' || abandonedLoad.test(text ?? '')) return;
    const at = stackTrace?.callFrames[0];
    this.reported.push(`${type}: ${text}${at ? ` (${at.url}:${at.lineNumber}:${at.columnNumber})` : ''}`);
  }
}

/** Returns the address of the remote agent, which Firefox prints. */
function agentOf(child: ChildProcess): Promise<string> {
  let printed = '';
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`Firefox has ended: ${printed}`)));
    child.stderr!.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      const address = /WebDriver BiDi listening on (ws:\S+)/.exec(printed)?.[1];
      if (address) resolve(address);
    });
  });
}
