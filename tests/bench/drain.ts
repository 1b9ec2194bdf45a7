/**
 * Sends 5,000 operations of three days offline while the clerk continues to sell and search. The page runs at a quarter
 * of this machine's CPU speed, with 10,000 services; the worker, which sends the operations, runs at full speed.
 */
import { chromium } from '@playwright/test';
import type { BrowserContext } from '@playwright/test';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Pool } from 'pg';
import { startEmbeddedPostgres } from '../../server/db/embedded/embedded-postgres.ts';
import { Tablet } from '../support/tablet.ts';
import { chromiumOptions } from '../support/chromium.ts';
import { ServerProcess } from '../support/server-process.ts';
import { observeCounter, searchRound, sellRound } from './counter-page.ts';
import { addServices } from './counter.ts';
import { callInPage } from './in-page.ts';
import { printSummary, summarise } from './statistics.ts';
import type { Summary } from './statistics.ts';
import { buildBench, pagesFolder } from './sync/build.ts';
import { WorkerHeap } from './worker-heap.ts';

const operations = Number(process.env['BENCH_QUEUE'] ?? 5000);
const offlineMs = 3 * 24 * 60 * 60 * 1000;
const throttle = 4;
const longestWaitMs = 50;

/**
 * Serves the benchmark's modules to the app's page, which imports them to queue sales. The app itself stays unchanged.
 */
async function serveBenchModules(context: BrowserContext): Promise<void> {
  await context.route('**/bench/**/*.js', async (route) => {
    const file = path.join(pagesFolder, new URL(route.request().url()).pathname);
    await route.fulfill({ contentType: 'text/javascript', body: await readFile(file, 'utf8') });
  });
}

interface Samples {
  tap: number[];
  keystroke: number[];
  heap: number[];
}

/** Sells and searches until the outbox is empty. */
async function workWhileDraining(tablet: Tablet, heap: WorkerHeap): Promise<Samples> {
  const samples: Samples = { tap: [], keystroke: [], heap: [] };
  for (
    const names = ['imp', 'cro', 'hyg', 'fil'];
    (await callInPage(tablet.page, 'counter', 'waiting')) > 0;
    names.push(names.shift()!)
  ) {
    samples.heap.push(await heap.used());
    samples.tap.push(...(await sellRound(tablet, 1)));
    samples.keystroke.push(...(await searchRound(tablet.page, [names[0]!])));
  }
  return samples;
}

export async function benchDrain(): Promise<void> {
  await buildBench();
  const folder = await mkdtemp(path.join(tmpdir(), 'dental-counter-bench-'));
  const postgres = await startEmbeddedPostgres({ dataDir: folder });
  const clinic = await ServerProcess.create({ DATABASE_URL: postgres.connectionString });
  const sql = new Pool({ connectionString: postgres.connectionString, max: 1 });
  const browser = await chromium.launch(chromiumOptions);
  try {
    await addServices(postgres.connectionString);
    const context = await browser.newContext({ baseURL: clinic.url, viewport: { width: 1180, height: 820 } });
    await observeCounter(context);
    await serveBenchModules(context);
    const tablet = new Tablet(clinic, context, await context.newPage());
    await tablet.signIn();
    // This call loads the module while the network is up.
    await callInPage(tablet.page, 'counter', 'waiting');
    await context.setOffline(true);
    await callInPage(tablet.page, 'counter', 'queueSales', operations / 2, offlineMs);
    const queued = await callInPage(tablet.page, 'counter', 'waiting');

    const heap = await WorkerHeap.of(browser, clinic.url);
    const before = await heap.kept();
    const cdp = await context.newCDPSession(tablet.page);
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: throttle });
    const started = performance.now();
    await context.setOffline(false);
    const samples = await workWhileDraining(tablet, heap);
    const seconds = (performance.now() - started) / 1000;

    console.log(
      `\nDrain: ${queued} operations of three days offline, in at most ${seconds.toFixed(1)} s, page throttled ${throttle}×`,
    );
    printGoal('tap to stored while draining', summarise(samples.tap));
    printGoal('keystroke to result while draining', summarise(samples.keystroke));
    console.log(
      `worker heap: ${before.toFixed(1)} MB before, at most ${Math.max(...samples.heap).toFixed(1)} MB during, ${(await heap.kept()).toFixed(1)} MB after`,
    );
    await reportArrival(sql, queued + samples.tap.length * 2);
  } finally {
    await browser.close();
    await sql.end();
    await clinic.stop();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
    await rm(clinic.dataDir, { recursive: true, force: true });
  }
}

function printGoal(title: string, summary: Summary): void {
  printSummary(title, summary);
  console.log(
    `${summary.p95 < longestWaitMs ? 'reached' : 'MISSED '}  ${title}: p95 ${summary.p95.toFixed(1)} ms, goal below ${longestWaitMs}`,
  );
}

/** Prints, from the server's tables, how many operations arrived, and whether those of each treatment are in order. */
async function reportArrival(sql: Pool, sent: number): Promise<void> {
  const own = `from sync_ops where device_id = (select max(device_id) from sync_ops) and status = 'applied'`;
  const { rows } = await sql.query<{ arrived: number; misplaced: number; doubled: number }>(
    `select (select count(*)::int ${own}) as arrived,
       (select count(*)::int from (select device_seq, lag(device_seq) over (partition by aggregate order by xid, device_seq) as earlier ${own}) places where device_seq < earlier) as misplaced,
       (select count(*)::int from (select number from invoices group by clinic_id, number having count(*) > 1) repeated) as doubled`,
  );
  const { arrived, misplaced, doubled } = rows[0]!;
  console.log(`sold ${sent} operations: lost ${sent - arrived}, doubled ${doubled}, out of order ${misplaced}`);
}
