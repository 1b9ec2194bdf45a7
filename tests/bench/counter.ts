/**
 * The counter as a clerk feels it, in Chromium at a quarter of this machine's speed, with 10,000 services: from the tap to
 * the sale being stored, with the server up and with it stopped, and from a keystroke to its result on screen.
 */
import { chromium } from '@playwright/test';
import type { Page } from '@playwright/test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { startEmbeddedPostgres } from '../../server/db/embedded/embedded-postgres.ts';
import { Tablet, serverOrders } from '../e2e/clinic.ts';
import { ServerProcess } from '../support/server-process.ts';
import { printSummary, summarise } from './statistics.ts';

const services = 10_000;
const salesPerRound = 15;
const rounds = 4;
const throttle = 4;

declare global {
  interface Window {
    taps: number[];
    stored: number[];
    keystrokes: number[];
    results: number[];
  }
}

/** Notes in the page when it was tapped and when a command's transaction was complete. */
function observe(): void {
  Object.assign(window, { taps: [], stored: [], keystrokes: [], results: [], print: () => undefined });
  addEventListener('click', (event) => window.taps.push(event.timeStamp), { capture: true });
  addEventListener('input', (event) => window.keystrokes.push(event.timeStamp), { capture: true });
  // oxlint-disable-next-line typescript/unbound-method -- It is called with the database that it belongs to.
  const original = IDBDatabase.prototype.transaction;
  IDBDatabase.prototype.transaction = function transaction(this: IDBDatabase, stores, mode, options) {
    const started = original.call(this, stores, mode, options);
    const isCommand = mode === 'readwrite' && Array.isArray(stores) && stores.includes('device') && stores.includes('operations');
    if (isCommand) started.addEventListener('complete', () => window.stored.push(performance.now()));
    return started;
  };
}

async function addServices(connectionString: string): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  await client.query(
    `insert into stock_items (clinic_id, name, search_key, cost_minor, category_id, quantity_milli)
     select c.id, name, lower(name), 1000 + n, (select min(id) from categories), 100000
     from clinics c, generate_series(1, ${services}) n, lateral (select
       (array['Amalgam','Bonding','Crown','Denture','Extraction','Filling','Gingival','Hygiene','Implant','Jacket'])[1 + n % 10]
       || ' ' || chr(97 + (n / 10) % 26) || chr(97 + (n / 260) % 26) || ' treatment ' || n as name) names`,
  );
  await client.end();
}

async function sellRound(tablet: Tablet): Promise<number[]> {
  const { page } = tablet;
  const times: number[] = [];
  for (let sale = 0; sale < salesPerRound; sale++) {
    await tablet.service('Amalgam').click();
    await page.getByRole('button', { name: 'Create and take payment' }).click();
    const button = page.getByRole('button', { name: 'Process Payment' });
    await button.waitFor();
    await page.waitForTimeout(150);
    await page.evaluate(() => {
      window.taps.length = 0;
      window.stored.length = 0;
    });
    const paper = tablet.context.waitForEvent('page');
    await button.click();
    await page.waitForFunction(() => window.stored.length > 0);
    times.push(await page.evaluate(() => window.stored[0]! - window.taps[0]!));
    await (await paper).close();
    await page.waitForTimeout(100);
  }
  return times;
}

/** Types names letter by letter, and takes the first change of the results after each letter. */
async function searchRound(page: Page): Promise<number[]> {
  const box = page.getByRole('searchbox').or(page.getByRole('combobox')).first();
  const times: number[] = [];
  for (const name of ['implant ab', 'hygiene ca', 'crown d', 'zirconia', 'filling z']) {
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

export async function benchCounter(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'dental-counter-bench-'));
  const postgres = await startEmbeddedPostgres({ dataDir: folder });
  const clinic = await ServerProcess.create({ DATABASE_URL: postgres.connectionString });
  await addServices(postgres.connectionString);
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
  try {
    const context = await browser.newContext({ baseURL: clinic.url, viewport: { width: 1180, height: 820 } });
    await context.addInitScript(observe);
    const tablet = new Tablet(clinic, context, await context.newPage());
    await tablet.signIn();
    const cdp = await context.newCDPSession(tablet.page);
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: throttle });

    const times = { up: [] as number[], stopped: [] as number[], search: [] as number[] };
    for (let round = 0; round < rounds; round++) {
      times.up.push(...(await sellRound(tablet)));
      await clinic.stop();
      times.stopped.push(...(await sellRound(tablet)));
      times.search.push(...(await searchRound(tablet.page)));
      await clinic.start();
    }
    const up = summarise(times.up);
    const stopped = summarise(times.stopped);
    console.log(`\nCounter, ${services} services, CPU throttled ${throttle}×`);
    printSummary('tap to stored, server up', up);
    printSummary('tap to stored, server stopped', stopped);
    printSummary('keystroke to result', summarise(times.search));
    console.log(`stopped / up: median ${(stopped.median / up.median).toFixed(2)}, p95 ${(stopped.p95 / up.p95).toFixed(2)}`);
    await reportLosses(clinic, rounds * salesPerRound * 2);
  } finally {
    await browser.close();
    await clinic.stop();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
    await rm(clinic.dataDir, { recursive: true, force: true });
  }
}

async function reportLosses(clinic: ServerProcess, sold: number): Promise<void> {
  const started = Date.now();
  const invoices = async () => [...(await serverOrders(clinic)).values()].flatMap((order) => order.Invoices).filter(({ invoice_number }) => /^INV-A[2-9]-/.test(invoice_number));
  while ((await invoices()).length < sold && Date.now() - started < 90_000) await new Promise((resolve) => setTimeout(resolve, 1000));
  const numbers = (await invoices()).map(({ invoice_number }) => invoice_number);
  console.log(`sold ${sold}, lost ${sold - new Set(numbers).size}, doubled ${numbers.length - new Set(numbers).size}`);
}
