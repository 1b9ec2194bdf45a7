/** Measures the delays of taps and keystrokes at the counter, in the page. */
import type { BrowserContext, Page } from '@playwright/test';
import type { Tablet } from '../support/tablet.ts';

declare global {
  interface Window {
    taps: number[];
    stored: number[];
    keystrokes: number[];
    results: number[];
  }
}

/** Records, in the page, the times of taps and keystrokes and of completed command transactions. */
function observe(): void {
  Object.assign(window, { taps: [], stored: [], keystrokes: [], results: [], print: () => undefined });
  addEventListener('click', (event) => window.taps.push(event.timeStamp), { capture: true });
  addEventListener('input', (event) => window.keystrokes.push(event.timeStamp), { capture: true });
  // oxlint-disable-next-line typescript/unbound-method -- The wrapper below calls it with its database.
  const original = IDBDatabase.prototype.transaction;
  IDBDatabase.prototype.transaction = function transaction(this: IDBDatabase, stores, mode, options) {
    const started = original.call(this, stores, mode, options);
    const isCommand =
      mode === 'readwrite' && Array.isArray(stores) && stores.includes('device') && stores.includes('operations');
    if (isCommand) started.addEventListener('complete', () => window.stored.push(performance.now()));
    return started;
  };
}

/** Installs the measurement in every page that opens from now on. */
export async function observeCounter(context: BrowserContext): Promise<void> {
  // tsx wraps functions in a helper that does not exist in pages.
  await context.addInitScript('globalThis.__name = (named) => named;');
  await context.addInitScript(observe);
}

/** Makes sales. @returns the milliseconds from each tap until the sale is stored */
export async function sellRound(tablet: Tablet, sales: number): Promise<number[]> {
  const { page } = tablet;
  const times: number[] = [];
  for (let sale = 0; sale < sales; sale++) {
    await tablet.service('Amalgam').click();
    await page.getByRole('button', { name: 'Create and take payment' }).click();
    const button = page.getByRole('button', { name: 'Process Payment' });
    await button.waitFor();
    await page.waitForTimeout(150);
    await page.evaluate(() => {
      window.taps.length = 0;
      window.stored.length = 0;
    });
    const printed = tablet.context.waitForEvent('page');
    await button.click();
    await page.waitForFunction(() => window.stored.length > 0);
    times.push(await page.evaluate(() => window.stored[0]! - window.taps[0]!));
    await (await printed).close();
    await page.waitForTimeout(100);
  }
  return times;
}

/** Types names letter by letter. @returns the milliseconds from each keystroke to the first change of the results */
export async function searchRound(page: Page, names: readonly string[]): Promise<number[]> {
  const box = page.getByRole('searchbox').or(page.getByRole('combobox')).first();
  const times: number[] = [];
  for (const name of names) {
    await box.fill('');
    await page.waitForTimeout(400);
    for (const letter of name) {
      await page.evaluate(() => {
        window.keystrokes.length = 0;
        window.results.length = 0;
        const list = document.querySelector('[data-tile]')?.closest('ul, ol')?.parentElement ?? document.body;
        const observer = new MutationObserver(() => {
          requestAnimationFrame(() => window.results.push(performance.now()));
          observer.disconnect();
        });
        observer.observe(list, { childList: true, subtree: true, characterData: true, attributes: true });
        setTimeout(() => observer.disconnect(), 400);
      });
      await box.press(letter === ' ' ? 'Space' : letter);
      await page.waitForTimeout(250);
      const [typed, shown] = await page.evaluate(() => [window.keystrokes[0], window.results[0]]);
      if (typed !== undefined && shown !== undefined) times.push(shown - typed);
    }
  }
  await box.fill('');
  return times;
}
