/** Measures the delays of taps and keystrokes at the counter, in the page. */
import type { BrowserContext, Page } from '@playwright/test';
import type { Tablet } from '../support/tablet.ts';
import type { PageCpu } from './clinic.ts';

declare global {
  interface Window {
    taps: number[];
    stored: number[];
    keystrokes: number[];
    results: number[];
  }
}

/** Records, in the page, the times of taps and keystrokes and of completed command transactions. */
export function observe(): void {
  Object.assign(window, { taps: [], stored: [], keystrokes: [], results: [] });
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
  await context.addInitScript(observe);
}

/** Milliseconds of each tap or keystroke until its effect, and of CPU that the main thread spent on it. */
export interface Delays {
  ms: number[];
  cpuMs: number[];
}

export const noDelays = (): Delays => ({ ms: [], cpuMs: [] });

/** Makes sales, and adds the time from each tap until the sale is stored. */
export async function sellRound(tablet: Tablet, cpu: PageCpu, sales: number, { ms, cpuMs }: Delays): Promise<void> {
  const { page } = tablet;
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
    const before = await cpu.spentMs();
    await button.click();
    await page.waitForFunction(() => window.stored.length > 0);
    ms.push(await page.evaluate(() => window.stored[0]! - window.taps[0]!));
    await (await printed).close();
    await page.waitForTimeout(100);
    cpuMs.push((await cpu.spentMs()) - before);
  }
}

/** Forgets earlier keystrokes, and records, in the page, the first frame that follows the next change of the results. */
export function awaitResults(): void {
  window.keystrokes.length = 0;
  window.results.length = 0;
  const list = document.querySelector('[data-tile]')?.closest('ul, ol')?.parentElement ?? document.body;
  const observer = new MutationObserver(() => {
    requestAnimationFrame(() => window.results.push(performance.now()));
    observer.disconnect();
  });
  observer.observe(list, { childList: true, subtree: true, characterData: true, attributes: true });
  setTimeout(() => observer.disconnect(), 400);
}

/** Types names letter by letter, and adds the time from each keystroke to the first change of the results. */
export async function searchRound(
  page: Page,
  cpu: PageCpu,
  names: readonly string[],
  { ms, cpuMs }: Delays,
): Promise<void> {
  const box = page.getByRole('searchbox').or(page.getByRole('combobox')).first();
  for (const name of names) {
    await box.fill('');
    await page.waitForTimeout(400);
    for (const letter of name) {
      await page.evaluate(awaitResults);
      const before = await cpu.spentMs();
      await box.press(letter === ' ' ? 'Space' : letter);
      await page.waitForTimeout(250);
      const [typed, shown] = await page.evaluate(() => [window.keystrokes[0], window.results[0]]);
      // A letter that leaves the results as they are changes nothing on screen.
      if (typed === undefined || shown === undefined) continue;
      ms.push(shown - typed);
      cpuMs.push((await cpu.spentMs()) - before);
    }
  }
  await box.fill('');
}
