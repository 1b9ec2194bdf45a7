import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ReportOrder } from '#domain/report/resources.ts';
import { reportSummary } from '#domain/report/sums.ts';
import { defaultSettings } from '#domain/settings/settings.ts';
import { salesWorkbook } from '#server/modules/exports/sales-workbook.ts';
import { pdfInWorker } from '#server/modules/exports/pdf-in-worker.ts';
import { BackOffice } from '../stock/clinic.ts';
import { fillTreatments } from './treatments.ts';
import { quietTime } from '#tests/support/quiet-time.ts';

const count = 12_000;
let office: BackOffice;
let address: string;

beforeAll(async () => {
  office = await BackOffice.open();
  const { clinicId, database, app } = office.server;
  await fillTreatments(database.$client, { clinicId, count, firstDay: '2024-01-01', perDay: 100 });
  await office.rows('analyze');
  address = await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => office.server.close(), 30_000);

const treatment: ReportOrder = {
  id: '',
  number: '',
  order_type: 'walk_in',
  status: 'completed',
  customer_name: 'Ana',
  created_at: '2026-03-02T10:00:00Z',
  business_day: '2026-03-02',
  currency: 'EUR',
  items_count: 1,
  total: 60.5,
  paid: 60.5,
  refunded: 0,
  discount: 0,
  invoice_numbers: [],
  items: [{ name: 'Cleaning', quantity: 1, unit_cost: 60.5, price: 60.5, notes: '' }],
};

function ask(
  format: 'excel' | 'pdf',
  { signal, as = office.manager.token, body = {} }: { signal?: AbortSignal; as?: string; body?: object } = {},
): Promise<Response> {
  const headers = { authorization: `Bearer ${as}`, 'content-type': 'application/json' };
  return fetch(`${address}/api/reports/sales/export/${format}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
}

const openReports = async () =>
  (
    await office.rows(
      `select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null`,
    )
  ).length;

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error('It never became so');
}

describe('the PDF worker', () => {
  const subject = {
    clinic: defaultSettings,
    filters: {},
    language: 'en',
    atMs: Date.parse('2026-03-02T12:00:00Z'),
  } as const;
  async function documentOf(rows: AsyncIterable<ReportOrder>, signal = new AbortController().signal): Promise<void> {
    for await (const bytes of pdfInWorker(
      { kind: 'sales', report: { ...reportSummary([], 'EUR'), taxes: [] }, context: subject },
      rows,
      signal,
    ))
      expect(bytes.byteLength).toBeGreaterThan(0);
  }

  test('rejects with the cause of a failure', async () => {
    async function* broken(): AsyncGenerator<ReportOrder> {
      yield { ...treatment, created_at: 'at no time' };
    }
    await expect(documentOf(broken())).rejects.toThrow('Invalid time value');
  });

  test('ends when the rows fail', async () => {
    async function* breaking(): AsyncGenerator<ReportOrder> {
      yield treatment;
      throw new Error('the database went away');
    }
    await expect(documentOf(breaking())).rejects.toThrow('the database went away');
  });

  test('ends when the client disconnects', async () => {
    const leaving = new AbortController();
    async function* left(): AsyncGenerator<ReportOrder> {
      yield treatment;
      leaving.abort();
      yield treatment;
    }
    await expect(documentOf(left(), leaving.signal)).rejects.toThrow('aborted');
  });
});

describe('a running export', () => {
  test('is the only one of its user', async () => {
    const reply = await ask('excel');
    expect(reply.headers.get('x-total-rows')).toBe(String(count));
    const second = await ask('pdf', { body: { endDate: '2024-01-02' } });
    expect([second.status, ((await second.json()) as { code: string }).code]).toEqual([429, 'EXPORT_BUSY']);
    // Another user does not have to wait for it.
    const other = await ask('excel', { as: await office.server.login('admin'), body: { endDate: '2024-01-01' } });
    expect([other.status, other.headers.get('x-total-rows')]).toEqual([200, '100']);
    await other.arrayBuffer();

    const file = new Uint8Array(await reply.arrayBuffer());
    expect(String.fromCharCode(...file.subarray(0, 2))).toBe('PK');
    const next = await ask('excel', { body: { endDate: '2024-01-01' } });
    expect(next.status).toBe(200);
    await next.arrayBuffer();
    await until(async () => (await openReports()) === 0);
  });

  test('runs only as fast as its client reads', async () => {
    let [taken, isOver] = [0, false];
    async function* endless(): AsyncGenerator<ReportOrder> {
      try {
        for (;;) {
          taken += 1;
          yield { ...treatment, number: `T-Z9-${taken}` };
        }
      } finally {
        isOver = true;
      }
    }
    const subject = {
      clinic: defaultSettings,
      filters: {},
      language: 'en',
      atMs: Date.parse('2026-03-02T12:00:00Z'),
    } as const;
    const file = salesWorkbook({ ...reportSummary([], 'EUR'), taxes: [], rows: endless() }, subject);
    for (let chunk = 0; chunk < 20; chunk++) expect((await file.next()).done).toBe(false);
    expect(taken).toBeLessThan(5_000);
    await file.return(undefined);
    expect(isOver).toBe(true);
  });

  test.each(['excel', 'pdf'] as const)('ends when its client disconnects: %s', async (format) => {
    const leaving = new AbortController();
    const reply = await ask(format, {
      signal: leaving.signal,
      body: format === 'pdf' ? { endDate: '2024-02-15' } : {},
    });
    expect(reply.status).toBe(200);
    leaving.abort();
    await until(async () => (await openReports()) === 0);
    const next = await ask('excel', { body: { endDate: '2024-01-01' } });
    expect(next.status).toBe(200);
    await next.arrayBuffer();
  });

  test('leaves database connections for other requests, and a place for another clinic, when many users export', async () => {
    const people = await Promise.all(
      ['admin', 'manager', 'admin', 'manager'].map((role) => office.server.login(role as 'admin')),
    );
    const neighbour = await office.server.login('admin', { clinicId: await office.server.addClinic() });
    const leaving = new AbortController();
    const replies: Response[] = [];
    for (const person of people) replies.push(await ask('excel', { as: person, signal: leaving.signal }));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 429, 429]);
    for (let turn = 0; turn < 2; turn += 1) {
      const other = await ask('excel', { as: neighbour });
      expect(other.status).toBe(200);
      await other.arrayBuffer();
    }
    const list = async () => expect((await office.call('GET', '/orders?per_page=1')).statusCode).toBe(200);
    expect(await quietTime(list)).toBeLessThan(2000);
    leaving.abort();
    await until(async () => (await openReports()) === 0);
  });

  test('does not delay a shutdown', async () => {
    const unread = await ask('excel');
    expect(unread.status).toBe(200);
    const closed = office.server.app.close();
    await expect(unread.arrayBuffer()).rejects.toThrow();
    // What else a client holds ready is none of an export's.
    office.server.app.server.closeAllConnections();
    await closed;
  });
});
