/**
 * Times the report calls of a clinic with a million treatments of three years, and of one with a tenth of them. The
 * ratio shows how the duration of each call grows with the age of a clinic. A new tablet then pulls the larger clinic,
 * which has 100,000 patients, for the first time.
 */
import type { Browser } from '@playwright/test';
import { daysAfter } from '#domain/business-day.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { slowestCall, timeCalls } from './calls.ts';
import { PageCpu, tabletContext, withBrowser, withClinic } from './clinic.ts';
import type { BenchClinic } from './clinic.ts';
import type { Figure, Form } from './figures.ts';
import { untilSynced } from './first-sync.ts';
import type { FirstSync } from './first-sync.ts';
import { goals } from './goals.ts';
import { fillPatients, fillYears } from './report-data.ts';
import type { Summary } from './statistics.ts';
import { WorkerHeap } from './worker-heap.ts';

const treatments = 1_000_000;
const patients = 100_000;

const today = new Date().toISOString().slice(0, 10);
const month = `startDate=${daysAfter(today, -45)}&endDate=${daysAfter(today, -15)}`;

const preview = (query: string) => `/reports/sales/preview?size=50&${query}`;
const calls = {
  dashboard: '/admin/dashboard/stats',
  'income, today': '/admin/dashboard/income-report?period=today',
  'income, week': '/admin/dashboard/income-report?period=week',
  'income, month': '/admin/dashboard/income-report?period=month',
  'analytics, today': '/reports/analytics?period=today',
  'analytics, week': '/reports/analytics?period=week',
  'analytics, month': '/reports/analytics?period=month',
  'preview, everything': preview(''),
  'preview, a month': preview(month),
  'preview, a type': preview('orderType=emergency'),
  'preview, a status': preview('status=cancelled'),
  'preview, served': preview('status=served'),
  'preview, amounts of a month': preview(`${month}&minAmount=200&maxAmount=500`),
  'preview, amounts of all time': preview('minAmount=200&maxAmount=500'),
  'preview, amounts of a type': preview('minAmount=200&maxAmount=500&orderType=emergency'),
  'preview, a number': preview('searchTerm=T-ZZ-00777'),
  'preview, an invoice': preview('searchTerm=inv-zz-0077777'),
  'preview, a surname': preview('searchTerm=apellidoca'),
  'preview, full name of a month': preview(`${month}&searchTerm=nombrec2%20apellidoca`),
  'preview, an item of a month': preview(`${month}&searchTerm=cleaning`),
  'preview, an item of all time': preview('searchTerm=cleaning'),
  'orders, first page': '/reports/orders?size=50',
  'orders, page 200': '/reports/orders?size=50&page=200',
};

async function timeReports(
  { clinic, connectionString }: BenchClinic,
  count: number,
  rounds: number,
): Promise<Map<string, Summary>> {
  const started = performance.now();
  await fillYears(connectionString, count);
  console.log(`\nReports, ${count} treatments (written in ${Math.round((performance.now() - started) / 1000)} s)`);
  await countEveryDay(clinic);
  return timeCalls(clinic, calls, rounds);
}

/** Calls each report until the server has stored the daily totals of all days; each call computes some of them. */
async function countEveryDay(clinic: ServerProcess): Promise<void> {
  const headers = { authorization: `Bearer ${await clinic.signIn()}` };
  const names = [
    'dashboard',
    'analytics, month',
    ...Array.from({ length: 11 }, () => 'preview, everything' as const),
  ] as const;
  for (const name of names) {
    const started = performance.now();
    await (await fetch(`${clinic.url}/api${calls[name]}`, { headers })).arrayBuffer();
    console.log(`first ${name}: ${Math.round(performance.now() - started)} ms`);
  }
}

interface FirstPull extends FirstSync {
  /** Samples of the heaps of page and worker together. */
  heapMb: number[];
}

async function pullFirst(browser: Browser, { clinic }: BenchClinic): Promise<FirstPull> {
  const page = await (await tabletContext(browser, clinic.url)).newPage();
  const cpu = await PageCpu.of(page);
  const heapMb: number[] = [];
  let worker: WorkerHeap | null = null;
  const seconds = await untilSynced(page, 'counter', async () => {
    // The worker is installed meanwhile.
    worker ??= await WorkerHeap.of(browser, clinic.url).catch(() => null);
    heapMb.push((await cpu.heapMb()) + ((await worker?.used()) ?? 0));
  });
  await page.context().close();
  return { ...seconds, heapMb };
}

/** In the short form, the clinics have a tenth of the treatments and patients. */
export async function benchReports({ short }: Form): Promise<Figure[]> {
  const [share, rounds, pulls] = short ? [0.1, 9, 1] : [1, 15, 2];
  const tenth = await withClinic((bench) => timeReports(bench, (treatments * share) / 10, rounds));
  return withClinic(async (bench) => {
    const whole = await timeReports(bench, treatments * share, rounds);
    const growths = [...whole].map(([name, { median }]) => ({ name, times: median / tenth.get(name)!.median }));
    for (const { name, times } of growths) console.log(`${name.padEnd(44)} ${times.toFixed(2)}×`);
    const steepest = growths.reduce((one, other) => (one.times >= other.times ? one : other));
    await fillPatients(bench.connectionString, patients * share);
    const first: FirstPull[] = [];
    await withBrowser(async (browser) => {
      for (let pull = 0; pull < pulls; pull++) first.push(await pullFirst(browser, bench));
    });
    const { tenth: tenthGoal, whole: wholeGoal, growth, usable, complete, memory } = goals.reports;
    const figures: Figure[] = [
      { goal: tenthGoal, ...slowestCall(tenth) },
      { goal: wholeGoal, ...slowestCall(whole) },
      { goal: growth, values: growths.map(({ times }) => times), note: steepest.name },
      { goal: usable, values: first.map(({ usableSeconds }) => usableSeconds!) },
      { goal: complete, values: first.map(({ completeSeconds }) => completeSeconds) },
      { goal: memory, values: first.flatMap(({ heapMb }) => heapMb) },
    ];
    return short
      ? figures.map((figure) => ({
          ...figure,
          note: [figure.note ?? [], 'with a tenth of the rows'].flat().join(', '),
        }))
      : figures;
  });
}
