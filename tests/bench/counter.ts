/**
 * Measures delays at the counter in Chromium, at a quarter of this machine's CPU speed and with 10,000 services: from
 * the tap to the stored sale, with the server running and stopped, and from a keystroke to its result on screen. A bare
 * transaction that stores as many rows, in the same page, shows what of it Chromium's IndexedDB needs.
 */
import { Client } from 'pg';
import type { ServerProcess } from '../support/server-process.ts';
import { serverOrders, Tablet } from '../support/tablet.ts';
import { PageCpu, tabletContext, withBrowser, withClinic } from './clinic.ts';
import { noDelays, observeCounter, searchRound, sellRound } from './counter-page.ts';
import type { Figure, Form, Losses } from './figures.ts';
import { goals } from './goals.ts';
import { callInPage } from './in-page.ts';
import { printSummary, summarise } from './statistics.ts';
import { buildBench, serveBenchModules } from './sync/build.ts';

const services = 10_000;
const salesPerRound = 15;
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

export async function benchCounter({ short }: Form): Promise<Figure[]> {
  await buildBench();
  return withClinic(({ clinic, connectionString }) =>
    withBrowser(async (browser) => {
      await addServices(connectionString);
      const context = await tabletContext(browser, clinic.url);
      await observeCounter(context);
      await serveBenchModules(context);
      const tablet = new Tablet(clinic, context, await context.newPage());
      await tablet.signIn();
      const cpu = await PageCpu.of(tablet.page);
      // This call loads the module at full speed.
      await callInPage(tablet.page, 'limits', 'timeSales', 5);
      await cpu.throttle(throttle);

      const [up, stopped, search, bare] = [noDelays(), noDelays(), noDelays(), [] as number[]];
      const rounds = short ? 1 : 3;
      for (let round = 0; round < rounds; round++) {
        await sellRound(tablet, cpu, salesPerRound, up);
        bare.push(...(await callInPage(tablet.page, 'limits', 'timeSales', salesPerRound)));
        await clinic.stop();
        await sellRound(tablet, cpu, salesPerRound, stopped);
        await searchRound(tablet.page, cpu, searches, search);
        await clinic.start();
      }
      console.log(`\nCounter, ${services} services, CPU throttled ${throttle}×`);
      printSummary('tap to stored, server up', summarise(up.ms));
      printSummary('tap to stored, server stopped', summarise(stopped.ms));
      printSummary('keystroke to result', summarise(search.ms));
      printSummary('bare strict transaction', summarise(bare));
      const { tap, tapStopped, keystroke } = goals.counter;
      const losses = await countLosses(clinic, rounds * salesPerRound * 2);
      return [
        { goal: tap, values: up.ms, cpuMs: up.cpuMs, losses, ratios: byTurns(up.ms, bare) },
        { goal: tapStopped, values: stopped.ms, cpuMs: stopped.cpuMs, losses, ratios: byTurns(stopped.ms, up.ms) },
        { goal: keystroke, values: search.ms, cpuMs: search.cpuMs },
      ];
    }),
  );
}

/** Returns the ratio of the medians of each round. */
function byTurns(ours: readonly number[], theirs: readonly number[]): number[] {
  const rounds = Math.floor(ours.length / salesPerRound);
  const median = (values: readonly number[], round: number) =>
    summarise(values.slice(round * salesPerRound, (round + 1) * salesPerRound)).median;
  return Array.from({ length: rounds }, (_, round) => median(ours, round) / median(theirs, round));
}

/** Waits until the sales have arrived at the server, and counts them by their invoices. */
async function countLosses(clinic: ServerProcess, sold: number): Promise<Losses> {
  const started = Date.now();
  const invoices = async () =>
    [...(await serverOrders(clinic)).values()]
      .flatMap((order) => order.Invoices)
      .filter(({ invoice_number }) => /^INV-A[2-9]-/.test(invoice_number));
  while ((await invoices()).length < sold && Date.now() - started < 90_000)
    await new Promise((resolve) => setTimeout(resolve, 1000));
  const numbers = (await invoices()).map(({ invoice_number }) => invoice_number);
  const distinct = new Set(numbers).size;
  return { lost: sold - distinct, doubled: numbers.length - distinct };
}
