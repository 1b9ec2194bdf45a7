/**
 * Lets the installed app send 5,000 operations of three days offline: first alone, then while the clerk continues to
 * sell and search. The page runs at a quarter of this machine's CPU speed, with 10,000 services; the worker, which sends
 * the operations, runs at full speed.
 */
import type { Browser } from '@playwright/test';
import { Pool } from 'pg';
import { Tablet } from '../support/tablet.ts';
import { PageCpu, tabletContext, withBrowser, withClinic } from './clinic.ts';
import type { BenchClinic } from './clinic.ts';
import { noDelays, observeCounter, searchRound, sellRound } from './counter-page.ts';
import type { Delays } from './counter-page.ts';
import { addServices } from './counter.ts';
import type { Figure, Form, Losses } from './figures.ts';
import { goals } from './goals.ts';
import { operationsOfSale } from './headless-tablet.ts';
import { callInPage } from './in-page.ts';
import { printSummary, summarise } from './statistics.ts';
import { buildBench, serveBenchModules } from './sync/build.ts';
import { WorkerHeap } from './worker-heap.ts';

const operations = 5000;
const offlineMs = 3 * 24 * 60 * 60 * 1000;
const throttle = 4;

interface Samples {
  tap: Delays;
  keystroke: Delays;
  drainedSeconds: number[];
  heapMb: number[];
  sent: number;
}

/** A tablet that is installed and whose outbox this section fills. */
class Queueing {
  private constructor(
    private readonly tablet: Tablet,
    private readonly cpu: PageCpu,
    private readonly heap: WorkerHeap,
  ) {}

  static async open(browser: Browser, { clinic }: BenchClinic): Promise<Queueing> {
    const context = await tabletContext(browser, clinic.url);
    await observeCounter(context);
    await serveBenchModules(context);
    const tablet = new Tablet(clinic, context, await context.newPage());
    await tablet.signIn();
    // This call loads the module while the network is up.
    const { bytes, ...owner } = tablet.actorKey!;
    await callInPage(tablet.page, 'counter', 'signAs', owner, [...bytes]);
    return new Queueing(tablet, await PageCpu.of(tablet.page), await WorkerHeap.of(browser, clinic.url));
  }

  /** Fills the outbox offline. Until the network is back, nothing is sent. */
  async fill(): Promise<number> {
    const { page, context } = this.tablet;
    await context.setOffline(true);
    await this.cpu.throttle(1);
    await callInPage(page, 'counter', 'queueSales', Math.ceil(operations / operationsOfSale), offlineMs);
    const queued = await callInPage(page, 'counter', 'waiting');
    await this.cpu.throttle(throttle);
    return queued;
  }

  async drainAlone(samples: Samples): Promise<void> {
    samples.sent += await this.fill();
    await this.tablet.context.setOffline(false);
    samples.drainedSeconds.push((await callInPage(this.tablet.page, 'counter', 'untilSent')) / 1000);
  }

  /** Sells and searches until the outbox is empty. */
  async drainBesideSales(samples: Samples): Promise<void> {
    const { tablet, cpu, heap } = this;
    samples.sent += await this.fill();
    await tablet.context.setOffline(false);
    const names = ['im', 'cr', 'hy', 'fi'];
    while ((await callInPage(tablet.page, 'counter', 'waiting')) > 0) {
      samples.heapMb.push(await heap.used());
      await sellRound(tablet, cpu, 1, samples.tap);
      samples.sent += operationsOfSale;
      await searchRound(tablet.page, cpu, [names[0]!], samples.keystroke);
      names.push(names.shift()!);
    }
  }

  /** Returns the worker's heap after a garbage collection. */
  keptMb(): Promise<number> {
    return this.heap.kept();
  }
}

export async function benchDrain({ short }: Form): Promise<Figure[]> {
  await buildBench();
  return withClinic((bench) =>
    withBrowser(async (browser) => {
      await addServices(bench.connectionString);
      const queueing = await Queueing.open(browser, bench);
      const samples: Samples = { tap: noDelays(), keystroke: noDelays(), drainedSeconds: [], heapMb: [], sent: 0 };
      const keptBefore = await queueing.keptMb();
      const [alone, besideSales] = short ? [1, 1] : [2, 3];
      for (let round = 0; round < alone; round++) await queueing.drainAlone(samples);
      for (let round = 0; round < besideSales; round++) await queueing.drainBesideSales(samples);
      console.log(`\nDrain: ${operations} operations of three days offline, page throttled ${throttle}×`);
      printSummary('until sent', summarise(samples.drainedSeconds), 's');
      printSummary('tap to stored while draining', summarise(samples.tap.ms));
      printSummary('keystroke to result while draining', summarise(samples.keystroke.ms));
      const keptAfter = await queueing.keptMb();
      console.log(`worker heap kept: ${keptBefore.toFixed(1)} MB before, ${keptAfter.toFixed(1)} MB after`);
      const { misplaced, ...losses } = await countArrived(bench.connectionString, samples.sent);
      const { drained, tap, keystroke, misplaced: order, heap } = goals.drain;
      return [
        { goal: drained, values: samples.drainedSeconds, losses },
        { goal: tap, values: samples.tap.ms, cpuMs: samples.tap.cpuMs, losses },
        { goal: keystroke, values: samples.keystroke.ms, cpuMs: samples.keystroke.cpuMs },
        { goal: order, values: [misplaced] },
        { goal: heap, values: samples.heapMb },
      ];
    }),
  );
}

/** Counts, in the server's tables, what the tablet's operations became, and how many of a treatment are out of order. */
async function countArrived(connectionString: string, sent: number): Promise<Losses & { misplaced: number }> {
  const sql = new Pool({ connectionString, max: 1 });
  const own = `from sync_ops where device_id = (select max(device_id) from sync_ops) and status = 'applied'`;
  const { rows } = await sql.query<{ arrived: number; misplaced: number; doubled: number }>(
    `select (select count(*)::int ${own}) as arrived,
       (select count(*)::int from (select device_seq, lag(device_seq) over (partition by aggregate order by xid, device_seq) as earlier ${own}) places where device_seq < earlier) as misplaced,
       (select count(*)::int from (select number from invoices group by clinic_id, number having count(*) > 1) repeated) as doubled`,
  );
  await sql.end();
  const { arrived, misplaced, doubled } = rows[0]!;
  return { lost: sent - arrived, doubled, misplaced };
}
