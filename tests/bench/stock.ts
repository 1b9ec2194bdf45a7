/**
 * Measures the stock pages of a large clinic with 20,000 items and 500,000 movements: lists, filters and the
 * dashboard, a tablet's first sync of the catalogue over a connection of 10 Mbit/s, and the frame times while a full
 * table scrolls.
 */
import { chromium } from '@playwright/test';
import type { Page } from '@playwright/test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { startEmbeddedPostgres } from '../../server/db/embedded/embedded-postgres.ts';
import { chromiumOptions } from '../support/chromium.ts';
import { FaultProxy } from '../support/fault-proxy.ts';
import { ServerProcess } from '../support/server-process.ts';
import { timeCalls } from './calls.ts';
import { printSummary, summarise } from './statistics.ts';

const items = 20_000;
const movements = 500_000;
const rounds = 25;
const line = { type: 'slow', delayMs: 10, bytesPerSecond: 1_250_000 } as const;

const calls = {
  'items, first page': '/stock?page=1&per_page=50',
  'items, last page': '/stock?page=400&per_page=50',
  'items, searched': '/stock?page=1&per_page=50&search=item%2012',
  'items, low, by quantity': '/stock?page=1&per_page=50&status=low_stock&sort=quantity',
  'dashboard figures': '/stock/stats',
  'dashboard activity': '/stock/inventory/transactions/stats',
  alerts: '/stock/inventory/alerts?page=1&per_page=20',
  'movements, first page': '/stock/inventory/transactions?page=1&per_page=50',
  'movements, page 1,000': '/stock/inventory/transactions?page=1000&per_page=50',
  'movements of one kind': '/stock/inventory/transactions?page=1&per_page=50&type=stock_in',
  'movements, searched': '/stock/inventory/transactions?page=1&per_page=50&search=item%2019999',
  'movements of a week': '/stock/inventory/transactions?page=1&per_page=50&from=2026-03-01&to=2026-03-07',
};

async function fill(connectionString: string): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  await client.query(
    `insert into stock_items (clinic_id, name, search_key, supplier, supplier_contact, cost_minor, quantity_milli, low_stock_threshold_milli, is_available)
     select c.id, 'Item ' || n, 'item ' || n, 'Supplier ' || n % 40, 'orders@supplier.test', 100 + n, (n % 200) * 1000, 10000, n % 4 = 0
     from clinics c, generate_series(1, ${items}) n`,
  );
  await client.query(
    `insert into stock_transactions (clinic_id, stock_id, type, quantity_milli, effect_milli, previous_milli, new_milli, cost_minor, notes, op_id, effective_at)
     select s.clinic_id, s.id, (array['usage','stock_in','stock_out','manual_adjustment'])[1 + n % 4], 1000, 1000, 0, 1000, 500, 'delivery ' || n,
       gen_random_uuid(), timestamptz '2026-06-01' - n * interval '2 minutes'
     from generate_series(1, ${movements}) n join (select clinic_id, id, row_number() over (order by id) as place from stock_items) s on s.place = 1 + n % ${items}`,
  );
  await client.query('analyze');
  await client.end();
}

export async function benchStock(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'dental-counter-bench-'));
  const postgres = await startEmbeddedPostgres({ dataDir: folder });
  const clinic = await ServerProcess.create({ DATABASE_URL: postgres.connectionString });
  const proxy = await FaultProxy.before(clinic.port);
  const browser = await chromium.launch(chromiumOptions);
  try {
    await fill(postgres.connectionString);
    console.log(`\nStock, ${items} items, ${movements} movements, ${rounds} rounds`);
    await timeCalls(clinic, calls, rounds);
    proxy.mode = line;
    const context = await browser.newContext({ baseURL: proxy.url, viewport: { width: 1440, height: 900 } });
    // tsx wraps functions in a helper that does not exist in pages.
    await context.addInitScript('globalThis.__name = (named) => named;');
    const page = await context.newPage();
    await timeFirstSync(page);
    proxy.mode = { type: 'pass' };
    await timeScrolling(page);
  } finally {
    await browser.close();
    await proxy.close();
    await clinic.stop();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
    await rm(clinic.dataDir, { recursive: true, force: true });
  }
}

/** Measures from the tap on "Sign in" until the tablet has the whole catalogue. */
async function timeFirstSync(page: Page): Promise<void> {
  await page.goto('/login');
  await page.locator('input[type=email]').fill('manager@demo.test');
  await page.locator('input[autocomplete=current-password]').fill('demo-manager');
  const started = performance.now();
  let shown = false;
  await page.locator('button[type=submit]').click();
  for (;;) {
    shown ||= (await page.getByText(/Loading services|received so far/).count()) > 0;
    if (await isSynced(page)) break;
    await page.waitForTimeout(100);
  }
  console.log(
    `first sync on 10 Mbit/s: ${((performance.now() - started) / 1000).toFixed(1)} s, progress ${shown ? 'was' : 'was NOT'} shown`,
  );
}

function isSynced(page: Page): Promise<boolean> {
  return page.evaluate(
    () =>
      new Promise<boolean>((resolve) => {
        const open = indexedDB.open('dental-counter');
        open.onsuccess = () => {
          const { result } = open;
          if (!result.objectStoreNames.contains('sync')) {
            result.close();
            resolve(false);
            return;
          }
          const row = result.transaction('sync').objectStore('sync').get('this');
          row.onsuccess = () => {
            result.close();
            resolve((row.result as { cursor?: string | null } | undefined)?.cursor != null);
          };
        };
      }),
  );
}

/** Scrolls a full table of movements for three seconds, and measures the time between frames. */
async function timeScrolling(page: Page): Promise<void> {
  await page.goto('/stock?tab=transactions');
  await page.getByRole('combobox', { name: 'Results per page' }).selectOption('50');
  await page.getByRole('row').nth(50).waitFor();
  const frames = page.evaluate(
    () =>
      new Promise<number[]>((resolve) => {
        const gaps: number[] = [];
        let last = performance.now();
        const until = last + 3000;
        const frame = (now: number) => {
          gaps.push(now - last);
          last = now;
          if (now < until) requestAnimationFrame(frame);
          else resolve(gaps.slice(1));
        };
        requestAnimationFrame(frame);
      }),
  );
  await page.mouse.move(700, 600);
  for (let turn = 0; turn < 50; turn++) {
    await page.mouse.wheel(0, turn < 25 ? 120 : -120);
    await page.waitForTimeout(50);
  }
  const gaps = await frames;
  printSummary('frame while scrolling', summarise(gaps));
  console.log(`frames per second: ${(1000 / (gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length)).toFixed(1)}`);
}
