/**
 * Measures the wait at the lock at a quarter of this machine's CPU speed: from the last digit of a PIN until the counter can be
 * tapped, with the server and without a network, and after a reload.
 */
import type { Page } from '@playwright/test';
import { Tablet } from '../support/tablet.ts';
import { PageCpu, tabletContext, withBrowser, withClinic } from './clinic.ts';
import type { Figure, Form } from './figures.ts';
import { goals } from './goals.ts';
import { printSummary, summarise } from './statistics.ts';

const throttle = 4;
const pin = '407183';
const password = 'demo-counter';

declare global {
  interface Window {
    opening: { askedAt: number; derivedMs: number; shownAt: number | null };
  }
}

/**
 * Slows down what derives keys, because the throttle slows the main thread only: each key is derived several times, one after
 * the other.
 */
function slowDown(times: number): void {
  // oxlint-disable-next-line typescript/unbound-method -- The wrapper below calls it with its object.
  const original = crypto.subtle.deriveKey;
  crypto.subtle.deriveKey = async function deriveKey(...how: Parameters<SubtleCrypto['deriveKey']>) {
    const startedAt = performance.now();
    // oxlint-disable-next-line no-await-in-loop -- In parallel they would take no longer.
    for (let time = 1; time < times; time++) await original.apply(crypto.subtle, how);
    const key = await original.apply(crypto.subtle, how);
    if (window.opening) window.opening.derivedMs = performance.now() - startedAt;
    return key;
  };
}

/** Records, in the page, the time from the next tap or key after which the app unlocks until its services can be tapped. */
function awaitOpening(): void {
  window.opening = { askedAt: 0, derivedMs: 0, shownAt: null };
  const note = (event: Event) => (window.opening.askedAt = event.timeStamp);
  for (const type of ['click', 'keydown']) addEventListener(type, note, { capture: true });
  const look = () => {
    const tile = document.querySelector<HTMLElement>('[data-tile]');
    if (!tile?.checkVisibility()) return void requestAnimationFrame(look);
    for (const type of ['click', 'keydown']) removeEventListener(type, note, { capture: true });
    // The frame in which it shows has been drawn when the next one begins.
    requestAnimationFrame(() => (window.opening.shownAt = performance.now()));
  };
  requestAnimationFrame(look);
}

interface Waits {
  ms: number[];
  derivedMs: number[];
  cpuMs: number[];
}

const lock = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('button', { name: 'Lock', exact: true }).click();
  await page.getByRole('heading', { name: 'Locked' }).waitFor();
};

async function tapPin(page: Page): Promise<void> {
  for (const digit of pin) await page.getByRole('button', { name: digit, exact: true }).click();
}

async function typePassword(page: Page): Promise<void> {
  await page.getByLabel(/^Password of/).fill(password);
  await page.keyboard.press('Enter');
}

/** Sets a PIN at the first lock. */
async function takePin({ page }: Tablet): Promise<void> {
  await lock(page);
  await typePassword(page);
  await page.getByRole('heading', { name: 'Use a PIN next time?' }).waitFor();
  await tapPin(page);
  await page.getByRole('heading', { name: 'Repeat the new PIN' }).waitFor();
  await tapPin(page);
  await page.locator('[data-tile]').first().waitFor();
}

interface Round {
  times: number;
  reload?: boolean;
  open?: (page: Page) => Promise<void>;
}

async function unlock({ page }: Tablet, cpu: PageCpu, { times, reload, open = tapPin }: Round): Promise<Waits> {
  const waits: Waits = { ms: [], derivedMs: [], cpuMs: [] };
  for (let time = 0; time < times; time++) {
    await page.waitForTimeout(1000);
    await lock(page);
    if (reload) await page.reload();
    const byPassword = page.getByRole('button', { name: 'Use password instead' });
    await byPassword.waitFor();
    if (open !== tapPin) await byPassword.click();
    await page.waitForTimeout(1000);
    await page.evaluate(awaitOpening);
    const before = await cpu.spentMs();
    await open(page);
    await page.waitForFunction(() => window.opening.shownAt !== null);
    waits.cpuMs.push((await cpu.spentMs()) - before);
    const { askedAt, derivedMs, shownAt } = await page.evaluate(() => window.opening);
    waits.ms.push(shownAt! - askedAt);
    waits.derivedMs.push(derivedMs);
  }
  return waits;
}

export async function benchUnlock({ short }: Form): Promise<Figure[]> {
  const times = short ? 7 : 21;
  return withClinic(({ clinic }) =>
    withBrowser(async (browser) => {
      const context = await tabletContext(browser, clinic.url);
      const tablet = new Tablet(clinic, context, await context.newPage());
      await tablet.signIn();
      await context.addInitScript(slowDown, throttle);
      await tablet.page.reload();
      const cpu = await PageCpu.of(tablet.page);
      await cpu.throttle(throttle);
      await takePin(tablet);
      const online = await unlock(tablet, cpu, { times });
      const reloaded = await unlock(tablet, cpu, { times, reload: true });
      const byPassword = await unlock(tablet, cpu, { times: 7, open: typePassword });
      await tablet.loseNetwork();
      const offline = await unlock(tablet, cpu, { times });
      console.log(`\nUnlocking, CPU and key derivation throttled ${throttle}×`);
      const all = { PIN: online, 'PIN after a reload': reloaded, 'PIN, offline': offline, password: byPassword };
      for (const [name, waits] of Object.entries(all)) {
        printSummary(name, summarise(waits.ms));
        printSummary('  of this, the derivation', summarise(waits.derivedMs));
      }
      const { pin: first, pinReloaded, pinOffline, password: last } = goals.unlock;
      return [
        { goal: first, values: online.ms, cpuMs: online.cpuMs },
        { goal: pinReloaded, values: reloaded.ms, cpuMs: reloaded.cpuMs },
        { goal: pinOffline, values: offline.ms, cpuMs: offline.cpuMs },
        { goal: last, values: byPassword.ms, cpuMs: byPassword.cpuMs },
      ];
    }),
  );
}
