/**
 * Runs 200 tablets at a clerk's pace against one server for ten minutes (`LOAD_TABLETS` and `LOAD_MINUTES` change
 * this). Measures batches, pulls and the server's memory, and checks that each operation took effect exactly once.
 */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { startEmbeddedPostgres } from '../../server/db/embedded/embedded-postgres.ts';
import { ServerProcess } from '../support/server-process.ts';
import type { Observed } from './load/tablet-load.ts';
import { printSummary, summarise } from './statistics.ts';

const minutes = Number(process.env['LOAD_MINUTES'] ?? 10);
const tablets = Number(process.env['LOAD_TABLETS'] ?? 200);
const longestBatchMs = 500;
const sampledMs = 10_000;

interface Sample {
  minute: number;
  megabytes: number;
}

async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)![1]) / 1024;
}

/** Queries for the effects of operations, by kind. Each operation has one effect. */
const effects: Record<string, string> = {
  'order.create': 'select distinct op_id, order_id::text as effect from order_lines',
  'order.add_services': 'select distinct op_id, order_id::text as effect from order_lines',
  'order.pay': 'select op_id, id::text as effect from payments',
  'order.cancel': 'select op_id, order_id::text as effect from order_cancels',
  'stock.adjust': 'select op_id, id::text as effect from stock_transactions where line_id is null',
};

async function countLosses(connectionString: string, { sent }: Observed): Promise<{ lost: number; doubled: number }> {
  const client = new Client({ connectionString });
  await client.connect();
  let [lost, doubled] = [0, 0];
  for (const [kind, effect] of Object.entries(effects)) {
    const { rows } = await client.query<{ lost: number; doubled: number }>(
      `select count(*) filter (where effects = 0)::int as lost, coalesce(sum(greatest(effects - 1, 0)), 0)::int as doubled
       from (select s.op_id, count(e.effect) as effects from unnest($1::uuid[]) as s(op_id) left join (${effect}) e using (op_id) group by s.op_id) counted`,
      [sent.filter((operation) => operation.kind === kind).map(({ op_id }) => op_id)],
    );
    lost += rows[0]!.lost;
    doubled += rows[0]!.doubled;
  }
  const { rows } = await client.query<{ doubled: number }>(
    `select count(*)::int as doubled from (
       select number from orders group by clinic_id, number having count(*) > 1 union all
       select number from invoices group by clinic_id, number having count(*) > 1) repeated`,
  );
  await client.end();
  return { lost, doubled: doubled + rows[0]!.doubled };
}

/** Shortest run, in minutes, that shows a trend of the memory: a process takes a while to warm up. */
const shortestForSlope = 5;

/** Returns the trend in megabytes per hour, by least squares. The first third is warm-up and does not count. */
function slope(samples: readonly Sample[]): number {
  const settled = samples.slice(Math.floor(samples.length / 3));
  const mean = (of: (sample: Sample) => number) =>
    settled.reduce((sum, sample) => sum + of(sample), 0) / settled.length;
  const [at, level] = [mean(({ minute }) => minute), mean(({ megabytes }) => megabytes)];
  const spread = settled.reduce((sum, { minute }) => sum + (minute - at) ** 2, 0);
  return (settled.reduce((sum, { minute, megabytes }) => sum + (minute - at) * (megabytes - level), 0) / spread) * 60;
}

function report(
  seen: Observed,
  samples: readonly Sample[],
  { lost, doubled }: { lost: number; doubled: number },
): void {
  const batches = summarise(seen.batchMs);
  printSummary('batch', batches);
  printSummary('pull', summarise(seen.pullMs));
  console.log(
    `operations ${seen.sent.length}, ${(seen.sent.length / minutes / 60).toFixed(1)} per second; pulls ${(seen.pullMs.length / minutes / 60).toFixed(0)} per second after ${(seen.pokes / minutes / 60).toFixed(0)} pokes; lost ${lost}, doubled ${doubled}`,
  );
  const each = samples.filter((_, index) => index % (60_000 / sampledMs) === 0 || index === samples.length - 1);
  console.log(
    `memory of the server in MB, by minute: ${each.map(({ megabytes }) => megabytes.toFixed(0)).join(' ')}; ${minutes < shortestForSlope ? 'too short for a slope' : `slope ${slope(samples).toFixed(0)} MB an hour`}`,
  );
  for (const error of new Set(seen.errors.slice(0, 20))) console.log(`error: ${error}`);
  printGoal(`errors: ${seen.errors.length}, goal 0`, seen.errors.length === 0);
  printGoal(`lost and doubled: ${lost} and ${doubled}, goal 0`, lost === 0 && doubled === 0);
  printGoal(`p99 of a batch: ${batches.p99.toFixed(0)} ms, goal below ${longestBatchMs}`, batches.p99 < longestBatchMs);
}

function printGoal(text: string, isReached: boolean): void {
  console.log(`${isReached ? 'reached' : 'MISSED '}  ${text}`);
}

export async function benchLoad(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'dental-counter-bench-'));
  const postgres = await startEmbeddedPostgres({ dataDir: folder });
  const clinic = await ServerProcess.create({ DATABASE_URL: postgres.connectionString });
  const tabletProcess = fork(path.join(import.meta.dirname, 'load/tablets.ts'), [
    clinic.url,
    String(tablets),
    String(minutes),
  ]);
  try {
    await nextMessage(tabletProcess);
    console.log(
      `\nLoad: ${tablets} tablets, a sale every 20 to 40 s on each, ${minutes} minutes, load average before ${loadavg()[0]!.toFixed(1)}`,
    );
    const samples: Sample[] = [];
    const begun = Date.now();
    const sample = async () =>
      void samples.push({ minute: (Date.now() - begun) / 60_000, megabytes: await residentMegabytes(clinic.pid) });
    await sample();
    const timer = setInterval(() => void sample(), sampledMs);
    const seen = (await nextMessage(tabletProcess).finally(() => clearInterval(timer))) as Observed;
    await sample();
    report(seen, samples, await countLosses(postgres.connectionString, seen));
  } finally {
    tabletProcess.kill();
    await clinic.destroy();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Waits for the next message of a process. @throws if the process exits first */
async function nextMessage(child: ChildProcess): Promise<unknown> {
  const gone = once(child, 'exit').then(() => {
    throw new Error('The process of the tablets exited early.');
  });
  const [message] = await Promise.race([once(child, 'message'), gone]);
  return message;
}
