/**
 * Runs 200 tablets at a clerk's pace against one server: for a minute, or for ten with the trend of its memory. Measures
 * batches, pulls and the server's memory, and checks that each operation took effect exactly once.
 */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Client } from 'pg';
import { withClinic } from './clinic.ts';
import type { Figure, Form, Losses } from './figures.ts';
import { goals } from './goals.ts';
import type { Observed } from './load/tablet-load.ts';
import { printSummary, summarise } from './statistics.ts';

const tablets = 200;
const sampledMs = 10_000;

interface Sample {
  minute: number;
  megabytes: number;
}

async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)![1]) / 1024;
}

/** Queries for the effects of operations of a kind. Each operation has one effect of each query. */
const effects: readonly { kind: string; effect: string }[] = [
  { kind: 'order.create', effect: 'select distinct op_id, order_id::text as effect from order_lines' },
  { kind: 'order.add_services', effect: 'select distinct op_id, order_id::text as effect from order_lines' },
  { kind: 'order.pay', effect: 'select op_id, id::text as effect from payments' },
  // The fiscal record of the invoice, which is an operation of its own.
  { kind: 'order.pay', effect: 'select document_op_id as op_id, id::text as effect from fiscal_records' },
  { kind: 'order.cancel', effect: 'select op_id, order_id::text as effect from order_cancels' },
  { kind: 'stock.adjust', effect: 'select op_id, id::text as effect from stock_transactions where line_id is null' },
];

async function countLosses(connectionString: string, { sent }: Observed): Promise<Losses> {
  const client = new Client({ connectionString });
  await client.connect();
  let [lost, doubled] = [0, 0];
  for (const { kind, effect } of effects) {
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

/** Returns the trend in megabytes per hour, by least squares. The first third is warm-up and does not count. */
function slope(samples: readonly Sample[]): number {
  const settled = samples.slice(Math.floor(samples.length / 3));
  const mean = (of: (sample: Sample) => number) =>
    settled.reduce((sum, sample) => sum + of(sample), 0) / settled.length;
  const [at, level] = [mean(({ minute }) => minute), mean(({ megabytes }) => megabytes)];
  const spread = settled.reduce((sum, { minute }) => sum + (minute - at) ** 2, 0);
  return (settled.reduce((sum, { minute, megabytes }) => sum + (minute - at) * (megabytes - level), 0) / spread) * 60;
}

export async function benchLoad({ short }: Form): Promise<Figure[]> {
  const { seen, losses } = await run(short ? 0.75 : 1);
  const { batch, pull, errors } = goals.load;
  return [
    { goal: batch, values: seen.batchMs, losses },
    { goal: pull, values: seen.pullMs },
    { goal: errors, values: [seen.errors.length] },
  ];
}

export async function benchEndurance(): Promise<Figure[]> {
  const { seen, losses, samples } = await run(10);
  const { batch, errors, memory } = goals.endurance;
  return [
    { goal: batch, values: seen.batchMs, losses },
    { goal: errors, values: [seen.errors.length] },
    { goal: memory, values: [slope(samples)] },
  ];
}

interface Run {
  seen: Observed;
  losses: Losses;
  samples: Sample[];
}

function run(minutes: number): Promise<Run> {
  return withClinic(async ({ clinic, connectionString }) => {
    const tabletProcess = fork(path.join(import.meta.dirname, 'load/tablets.ts'), [
      clinic.url,
      String(tablets),
      String(minutes),
    ]);
    try {
      await nextMessage(tabletProcess);
      console.log(`\nLoad: ${tablets} tablets, a sale every 20 to 40 s on each, ${minutes} minutes`);
      const samples: Sample[] = [];
      const begun = Date.now();
      const sample = async () =>
        void samples.push({ minute: (Date.now() - begun) / 60_000, megabytes: await residentMegabytes(clinic.pid) });
      await sample();
      const timer = setInterval(() => void sample(), sampledMs);
      const seen = (await nextMessage(tabletProcess).finally(() => clearInterval(timer))) as Observed;
      await sample();
      const losses = await countLosses(connectionString, seen);
      report(seen, samples, minutes);
      return { seen, losses, samples };
    } finally {
      tabletProcess.kill();
    }
  });
}

function report(seen: Observed, samples: readonly Sample[], minutes: number): void {
  printSummary('batch', summarise(seen.batchMs));
  printSummary('pull', summarise(seen.pullMs));
  const perSecond = (count: number) => (count / minutes / 60).toFixed(1);
  console.log(
    `per second: ${perSecond(seen.sent.length)} operations, ${perSecond(seen.pullMs.length)} pulls after ${perSecond(seen.pokes)} pokes`,
  );
  const each = samples.filter((_, index) => index % (60_000 / sampledMs) === 0 || index === samples.length - 1);
  console.log(`memory of the server in MB, by minute: ${each.map(({ megabytes }) => megabytes.toFixed(0)).join(' ')}`);
  for (const error of new Set(seen.errors.slice(0, 20))) console.log(`error: ${error}`);
}

/** Waits for the next message of a process. @throws if the process exits first */
async function nextMessage(child: ChildProcess): Promise<unknown> {
  const gone = once(child, 'exit').then(() => {
    throw new Error('The process of the tablets exited early.');
  });
  const [message] = await Promise.race([once(child, 'message'), gone]);
  return message;
}
