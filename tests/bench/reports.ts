/**
 * Times the report calls of a clinic with a million treatments of three years, and of one with a tenth of them. The
 * ratio shows how the duration of each call grows with the age of a clinic.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { daysAfter } from '../../domain/business-day.ts';
import { startEmbeddedPostgres } from '../../server/db/embedded/embedded-postgres.ts';
import { ServerProcess } from '../support/server-process.ts';
import { timeCalls } from './calls.ts';
import { fillYears } from './report-data.ts';
import type { Summary } from './statistics.ts';

const treatments = Number(process.env['BENCH_ORDERS'] ?? 1_000_000);
const rounds = 25;

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

async function timeClinic(count: number): Promise<Map<string, Summary>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'dental-counter-bench-'));
  const postgres = await startEmbeddedPostgres({ dataDir: folder });
  const clinic = await ServerProcess.create({ DATABASE_URL: postgres.connectionString });
  try {
    const started = performance.now();
    await fillYears(postgres.connectionString, count);
    console.log(
      `\nReports, ${count} treatments (written in ${Math.round((performance.now() - started) / 1000)} s), ${rounds} rounds`,
    );
    await countEveryDay(clinic);
    return await timeCalls(clinic, calls, rounds);
  } finally {
    await clinic.stop();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
    await rm(clinic.dataDir, { recursive: true, force: true });
  }
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

export async function benchReports(): Promise<void> {
  const tenth = await timeClinic(treatments / 10);
  const whole = await timeClinic(treatments);
  console.log(`\nRatio of medians, ${treatments} treatments to ${treatments / 10}`);
  for (const [name, { median }] of whole)
    console.log(`${name.padEnd(44)} ${(median / tenth.get(name)!.median).toFixed(2)}×`);
}
