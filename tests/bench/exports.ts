/**
 * Exports a report of 100,000 treatments to Excel, and one of 5,000 to PDF. Measures the duration, the growth of the
 * server's memory, the delay of other requests meanwhile, and the time until an aborted export has ended.
 */
import { readFile } from 'node:fs/promises';
import { Pool } from 'pg';
import { fillTreatments } from '../server/exports/treatments.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { withClinic } from './clinic.ts';
import type { Figure, Form } from './figures.ts';
import { goals } from './goals.ts';
import { printSummary, summarise } from './statistics.ts';

const treatments = 100_000;

export function benchExports({ short }: Form): Promise<Figure[]> {
  return withClinic(async ({ clinic, connectionString }) => {
    const pool = new Pool({ connectionString });
    try {
      const { rows } = await pool.query<{ id: number }>('select id from clinics');
      await fillTreatments(pool, { clinicId: rows[0]!.id, count: treatments, firstDay: '2023-01-01', perDay: 100 });
      await pool.query('analyze');
      console.log(`\nExports of ${treatments} treatments`);
      const token = await clinic.signIn();
      // The first report of a clinic computes the daily totals of its finished days; later ones read them.
      await exportOnce(clinic, token, { name: 'Excel, first', format: 'excel', body: { endDate: '2023-01-01' } });
      const whole = [];
      for (const name of short ? ['Excel'] : ['Excel', 'Excel again'])
        whole.push(await exportOnce(clinic, token, { name, format: 'excel', body: {} }));
      const body = { startDate: '2023-01-01', endDate: '2023-02-19' };
      const pdf = await exportOnce(clinic, token, { name: 'PDF of 5,000', format: 'pdf', body });
      await abortOne(clinic, token, pool);
      const { seconds, memory, others } = goals.exports;
      return [
        { goal: seconds, values: whole.map((one) => one.seconds) },
        { goal: memory, values: [...whole, pdf].map(({ growthMb }) => growthMb) },
        { goal: others, values: [...whole, pdf].flatMap(({ waits }) => waits) },
      ];
    } finally {
      await pool.end();
    }
  });
}

interface Run {
  name: string;
  format: 'excel' | 'pdf';
  body: object;
}

function ask(
  clinic: ServerProcess,
  token: string,
  { format, body }: Omit<Run, 'name'>,
  signal?: AbortSignal,
): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return fetch(`${clinic.url}/api/reports/sales/export/${format}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
}

interface Exported {
  seconds: number;
  growthMb: number;
  /** Milliseconds of other requests meanwhile. */
  waits: number[];
}

async function exportOnce(clinic: ServerProcess, token: string, { name, ...run }: Run): Promise<Exported> {
  const watch = watchServer(clinic, token);
  await watch.settled();
  const started = performance.now();
  const reply = await ask(clinic, token, run);
  if (!reply.ok) throw new Error(`${name} failed with ${reply.status}: ${await reply.text()}`);
  let bytes = 0;
  for await (const chunk of reply.body!) bytes += chunk.byteLength;
  const seconds = (performance.now() - started) / 1000;
  const { growthMb, waits } = await watch.end();
  console.log(
    `${name}: ${reply.headers.get('x-total-rows')} rows, ${(bytes / 1e6).toFixed(1)} MB in ${seconds.toFixed(1)} s; the server grew by ${growthMb.toFixed(0)} MB`,
  );
  printSummary('  other requests meanwhile', summarise(waits));
  return { seconds, growthMb, waits };
}

/** Requests the counter's list and samples the server's memory until it is ended. */
function watchServer(clinic: ServerProcess, token: string) {
  const waits: number[] = [];
  let [before, most] = [0, 0];
  let isWatching = true;
  const asking = (async () => {
    while (isWatching) {
      const started = performance.now();
      await (
        await fetch(`${clinic.url}/api/orders?status=confirmed&per_page=20`, {
          headers: { authorization: `Bearer ${token}` },
        })
      ).arrayBuffer();
      waits.push(performance.now() - started);
      most = Math.max(most, await residentMb(clinic.pid));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  return {
    /** Starts the measurement once the memory that these requests need is allocated. */
    async settled() {
      await new Promise((resolve) => setTimeout(resolve, 2000));
      before = await residentMb(clinic.pid);
      most = before;
      waits.length = 0;
    },
    async end() {
      isWatching = false;
      await asking;
      return { growthMb: most - before, waits };
    },
  };
}

async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)![1]) / 1000;
}

async function abortOne(clinic: ServerProcess, token: string, pool: Pool): Promise<void> {
  const leaving = new AbortController();
  const reply = await ask(clinic, token, { format: 'excel', body: {} }, leaving.signal);
  await reply.body!.getReader().read();
  const started = performance.now();
  leaving.abort();
  const isHeld = async () =>
    (
      await pool.query(
        `select 1 from pg_stat_activity where state in ('active', 'idle in transaction') and xact_start is not null and pid <> pg_backend_pid() and backend_type = 'client backend'`,
      )
    ).rowCount! > 0;
  while (await isHeld()) await new Promise((resolve) => setTimeout(resolve, 5));
  console.log(`an aborted export ends within ${(performance.now() - started).toFixed(0)} ms`);
}
