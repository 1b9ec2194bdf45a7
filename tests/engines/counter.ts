/** A person at the counter, in any engine. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerProcess } from '../support/server-process.ts';
import type { EngineBrowser, Paper } from './drivers/browser.ts';
import { button, css, link, tabNamed } from './drivers/elements.ts';
import type { Tab } from './drivers/tab.ts';

export type DemoRole = 'admin' | 'manager' | 'counter';

export interface Sale {
  treatment: string;
  invoice: string;
  paper: Paper;
}

interface Place {
  clinic: ServerProcess;
  url: string;
}

const passwordField = css('input[autocomplete=current-password]');
const someService = css('[data-tile]');
const numberOf = { invoice: /\b(INV|F)-[A-Z]+\d-\d{6}\b/, treatment: /\bT-[A-Z]+\d-\d{6}\b/ };

export class Counter {
  constructor(
    readonly tab: Tab,
    readonly browser: EngineBrowser,
    private readonly place: Place,
    private readonly options: { hasWorkers: boolean },
  ) {}

  /** The same person in another tab of the same browser. */
  at(tab: Tab): Counter {
    return new Counter(tab, this.browser, this.place, this.options);
  }

  async goto(path: string): Promise<void> {
    await this.tab.goto(`${this.place.url}${path}`);
  }

  async signIn(role: DemoRole = 'counter'): Promise<void> {
    await this.goto('/login');
    await this.submitSignIn(role);
    await this.ready();
  }

  async submitSignIn(role: DemoRole, password = `demo-${role}`): Promise<void> {
    await this.tab.fill(css('input[type=email]'), `${role}@${this.place.clinic.emailDomain}`);
    await this.tab.fill(passwordField, password);
    await this.tab.tap(css('button[type=submit]'));
  }

  /** Opens the app. A browser that was killed may have lost the session, because browsers write cookies late. */
  async open(role: DemoRole = 'counter'): Promise<void> {
    await this.goto('/');
    const isSignedIn = await this.tab.until('the app opens', async () => {
      if (await this.tab.has(passwordField)) return 'no';
      return (await this.tab.has(someService)) || (await this.tab.has(tabNamed('Create treatment'))) ? 'yes' : false;
    });
    if (isSignedIn === 'no') await this.submitSignIn(role);
    // The screen may still show a treatment whose payment was interrupted.
    await this.tab.tap(tabNamed('Create treatment'));
    await this.ready();
  }

  /** Opens the counter and waits until it works offline: it shows services, and the worker controls the page. */
  async ready(): Promise<void> {
    const { tab } = this;
    const counterLink = css('a[href$="/counter"]:not([aria-current])');
    await tab.until('the app is open', async () => (await tab.has(someService)) || tab.has(counterLink));
    if (!(await tab.has(someService))) await tab.tap(counterLink);
    await tab.shows(someService);
    await this.tilesAtRest();
    if (!this.options.hasWorkers) return;
    await tab.until('the worker controls the page', () =>
      tab.evaluate(() => navigator.serviceWorker.controller !== null),
    );
  }

  /** Best sellers arrive after the first services and move their tiles. */
  private async tilesAtRest(): Promise<void> {
    const names = () =>
      this.tab.evaluate(() => [...document.querySelectorAll('[data-tile]')].map((each) => each.textContent));
    let before = '';
    await this.tab.until('the services stand still', async () => {
      const now = (await names()).join();
      await sleep(300);
      const isSame = now === before;
      before = now;
      return isSame;
    });
  }

  /** Waits until the status in the header says so. */
  status(state: RegExp, timeoutMs?: number): Promise<boolean> {
    return this.tab.shows(
      link(new RegExp(`^${state.source}.*Open the outbox`)),
      timeoutMs === undefined ? {} : { timeoutMs },
    );
  }

  async add(name = 'Dental cleaning'): Promise<void> {
    await this.tab.tap(button(new RegExp(`^(Add|One more) ${name}`)));
    // A plan that survived a restart may hold the service already.
    await this.tab.shows(button(new RegExp(`^(Remove|One less) ${name}`)));
  }

  /** Adds services, creates the treatment and opens its payment. Returns its number. */
  async openPayment(...names: string[]): Promise<string> {
    for (const name of names.length > 0 ? names : ['Dental cleaning']) await this.add(name);
    await this.tab.tap(button('Create and take payment'));
    await this.tab.shows(button('Process Payment'));
    return (await this.tab.reads(numberOf.treatment))[0];
  }

  /** Takes the payment that the screen shows. Returns the number of the paper, and its window, which is still open. */
  async pay(act = () => this.tab.tap(button('Process Payment'))): Promise<{ number: string; window: Tab }> {
    const window = await this.browser.opened(act);
    if (!window)
      throw new Error(`The payment opened no window. The page says: ${(await this.tab.text()).slice(0, 300)}`);
    return { number: (await window.reads(numberOf.invoice))[0], window };
  }

  /** Takes the payment that the screen shows where the app opens no window. Returns the number of the paper that its page prints. */
  async payInPage(): Promise<{ number: string; paper: Paper }> {
    const before = await this.browser.tabs();
    await this.tab.tap(button('Process Payment'));
    const paper = (await this.tab.until('a paper', async () => (await this.browser.papers())[0]))!;
    if ((await this.browser.tabs()).length > before.length) throw new Error('The payment opened a window.');
    const number = numberOf.invoice.exec(paper.text)?.[0];
    if (!number) throw new Error(`The paper says: ${paper.text}`);
    return { number, paper };
  }

  /** Sells one service, by exact cash unless another method is named. Returns when the paper is printed and its window closed. */
  async sell({ service = 'Dental cleaning', method }: { service?: string; method?: string } = {}): Promise<Sale> {
    const treatment = await this.openPayment(service);
    if (method) await this.tab.tap(button(method));
    const { number, window } = await this.pay();
    const paper = await this.paper(number);
    await window.close();
    return { treatment, invoice: number, paper };
  }

  /** Waits for a paper with this text. */
  paper(text: string): Promise<Paper> {
    return this.tab.until(`a paper with ${text}`, async () =>
      (await this.browser.papers()).find((paper) => paper.text.includes(text)),
    ) as Promise<Paper>;
  }
}
