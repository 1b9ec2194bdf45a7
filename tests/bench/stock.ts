/**
 * Measures the stock pages of a large clinic with 20,000 items and 500,000 movements: lists, filters and the
 * dashboard, a tablet's first sync of the catalogue over a connection of 10 Mbit/s, and the frame times while a full
 * table scrolls.
 */
import type { Page } from '@playwright/test';
import { Client } from 'pg';
import { FaultProxy } from '../support/fault-proxy.ts';
import { slowestCall, timeCalls } from './calls.ts';
import { tabletContext, withBrowser, withClinic } from './clinic.ts';
import type { Figure, Form } from './figures.ts';
import { untilSynced } from './first-sync.ts';
import { goals } from './goals.ts';
import { printSummary, summarise } from './statistics.ts';

const items = 20_000;
const movements = 500_000;
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

export function benchStock({ short }: Form): Promise<Figure[]> {
  return withClinic(({ clinic, connectionString }) =>
    withBrowser(async (browser) => {
      await fill(connectionString);
      console.log(`\nStock, ${items} items, ${movements} movements`);
      const summaries = await timeCalls(clinic, calls, short ? 9 : 25);
      const proxy = await FaultProxy.before(clinic.port);
      try {
        proxy.mode = line;
        const page = await (await tabletContext(browser, proxy.url)).newPage();
        const { completeSeconds } = await untilSynced(page, 'manager');
        proxy.mode = { type: 'pass' };
        const frames = await timeScrolling(page);
        const { lists, firstSync, frame } = goals.stock;
        return [
          { goal: lists, ...slowestCall(summaries) },
          { goal: firstSync, values: [completeSeconds] },
          { goal: frame, values: frames },
        ];
      } finally {
        await proxy.close();
      }
    }),
  );
}

/** Scrolls a full table of movements for three seconds. @returns milliseconds between frames */
async function timeScrolling(page: Page): Promise<number[]> {
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
  return gaps;
}
