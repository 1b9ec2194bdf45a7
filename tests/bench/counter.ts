/**
 * Measures delays at the counter in Chromium, at a quarter of this machine's CPU speed and with 10,000 services: from
 * the tap to the stored sale, with the server running and stopped, and from a keystroke to its result on screen.
 */
import { chromium } from '@playwright/test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { startEmbeddedPostgres } from '../../server/db/embedded/embedded-postgres.ts';
import { Tablet, serverOrders } from '../support/tablet.ts';
import { chromiumOptions } from '../support/chromium.ts';
import { ServerProcess } from '../support/server-process.ts';
import { observeCounter, searchRound, sellRound } from './counter-page.ts';
import { printSummary, summarise } from './statistics.ts';

const services = 10_000;
const salesPerRound = 15;
const rounds = 4;
const throttle = 4;
const searches = ['implant ab', 'hygiene ca', 'crown d', 'zirconia', 'filling z'];

/** Adds services, up to the largest catalogue that a counter has to search. */
export async function addServices(connectionString: string): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  await client.query(
    `insert into stock_items (clinic_id, name, search_key, cost_minor, category_id, quantity_milli)
     select c.id, names.name, lower(names.name), 1000 + n, (select min(id) from categories), 100000
     from clinics c, generate_series(1, ${services}) n, lateral (select
       (array['Amalgam','Bonding','Crown','Denture','Extraction','Filling','Gingival','Hygiene','Implant','Jacket'])[1 + n % 10]
       || ' ' || chr(97 + (n / 10) % 26) || chr(97 + (n / 260) % 26) || ' treatment ' || n as name) names`,
  );
  await client.end();
}

export async function benchCounter(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'dental-counter-bench-'));
  const postgres = await startEmbeddedPostgres({ dataDir: folder });
  const clinic = await ServerProcess.create({ DATABASE_URL: postgres.connectionString });
  const browser = await chromium.launch(chromiumOptions);
  try {
    await addServices(postgres.connectionString);
    const context = await browser.newContext({ baseURL: clinic.url, viewport: { width: 1180, height: 820 } });
    await observeCounter(context);
    const tablet = new Tablet(clinic, context, await context.newPage());
    await tablet.signIn();
    const cdp = await context.newCDPSession(tablet.page);
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: throttle });

    const times = { up: [] as number[], stopped: [] as number[], search: [] as number[] };
    for (let round = 0; round < rounds; round++) {
      times.up.push(...(await sellRound(tablet, salesPerRound)));
      await clinic.stop();
      times.stopped.push(...(await sellRound(tablet, salesPerRound)));
      times.search.push(...(await searchRound(tablet.page, searches)));
      await clinic.start();
    }
    const up = summarise(times.up);
    const stopped = summarise(times.stopped);
    console.log(`\nCounter, ${services} services, CPU throttled ${throttle}×`);
    printSummary('tap to stored, server up', up);
    printSummary('tap to stored, server stopped', stopped);
    printSummary('keystroke to result', summarise(times.search));
    console.log(
      `stopped / up: median ${(stopped.median / up.median).toFixed(2)}, p95 ${(stopped.p95 / up.p95).toFixed(2)}`,
    );
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
  const invoices = async () =>
    [...(await serverOrders(clinic)).values()]
      .flatMap((order) => order.Invoices)
      .filter(({ invoice_number }) => /^INV-A[2-9]-/.test(invoice_number));
  while ((await invoices()).length < sold && Date.now() - started < 90_000)
    await new Promise((resolve) => setTimeout(resolve, 1000));
  const numbers = (await invoices()).map(({ invoice_number }) => invoice_number);
  console.log(`sold ${sold}, lost ${sold - new Set(numbers).size}, doubled ${numbers.length - new Set(numbers).size}`);
}
