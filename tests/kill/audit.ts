/**
 * What must be true when everything is up again and the queue is empty, judged from the tables themselves, without the
 * code under test: what the clerk has seen on paper, what the tablet has stored, and what the server has booked agree.
 */
import type { Page } from '@playwright/test';
import path from 'node:path';
import { Client } from 'pg';
import { superuser } from '../../server/db/embedded/cluster.ts';
import { databaseName } from '../../server/db/embedded/ownership.ts';
import { runningPostmaster } from '../../server/db/embedded/postmaster.ts';
import { expect } from '@playwright/test';
import type { ServerProcess } from '../support/server-process.ts';

interface TabletBooks {
  /** Numbers of the invoices it has issued. */
  invoices: string[];
  operations: { op_id: string; kind: string; status: string; attempts: number }[];
}

interface Treatment {
  number: string;
  total: number;
  paid: number;
  payments: number;
  lines: number;
}

/** Reads the browser's database as it stands, past the app. */
export function tabletBooks(page: Page): Promise<TabletBooks> {
  return page.evaluate(async () => {
    const opening = indexedDB.open('dental-counter');
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      opening.addEventListener('success', () => resolve(opening.result));
      opening.addEventListener('error', () => reject(opening.error ?? new Error('The database does not open.')));
    });
    const transaction = db.transaction(['documents', 'operations', 'operation_states'], 'readonly');
    const read = (store: string) =>
      new Promise<any[]>((resolve) => {
        const request = transaction.objectStore(store).getAll();
        request.addEventListener('success', () => resolve(request.result));
      });
    const [papers, operations, states] = await Promise.all([
      read('documents'),
      read('operations'),
      read('operation_states'),
    ]);
    db.close();
    const stateOf = new Map(states.map((state) => [state.op_id, state]));
    return {
      invoices: papers.flatMap(({ number }) => number ?? []),
      operations: operations.map(({ op_id, kind }) => ({
        op_id,
        kind,
        status: stateOf.get(op_id)?.status ?? 'without a state',
        attempts: stateOf.get(op_id)?.attempts ?? 0,
      })),
    };
  });
}

/** Questions to the server's own PostgreSQL. */
export async function ask<T>(clinic: ServerProcess, text: string, values: unknown[] = []): Promise<T[]> {
  const postmaster = await runningPostmaster(path.join(clinic.dataDir, 'postgresql'));
  if (!postmaster) throw new Error('PostgreSQL is not running.');
  const client = new Client({ host: postmaster.socketFolder, user: superuser, database: databaseName });
  await client.connect();
  return client
    .query(text, values)
    .then(({ rows }) => rows as T[])
    .finally(() => client.end());
}

/** Waits until the tablet has sent everything and heard of it. */
export async function drained(page: Page): Promise<void> {
  const open = async () => (await tabletBooks(page)).operations.filter(({ status }) => status !== 'settled');
  await expect.poll(open, { timeout: 60_000, intervals: [100, 250] }).toEqual([]);
}

/** @param papers the numbers that came out of the printer */
export async function audit(clinic: ServerProcess, page: Page, papers: readonly string[]): Promise<void> {
  const tablet = await tabletBooks(page);
  expect(repeated(papers), 'numbers on two papers').toEqual([]);
  expect(
    papers.filter((number) => !tablet.invoices.includes(number)),
    'on paper, but not on the tablet',
  ).toEqual([]);

  const code = /^INV-(\w+)-/.exec(papers[0] ?? '')?.[1];
  const booked = await ask<{ number: string }>(
    clinic,
    `select number from invoices where number like 'INV-' || $1 || '-%'`,
    [code],
  );
  expect(booked.map(({ number }) => number).sort(), 'invoices of this tablet with the server').toEqual(
    tablet.invoices.toSorted(),
  );
  expect(repeated(booked.map(({ number }) => number)), 'invoices booked twice').toEqual([]);

  const receipts = await ask<{ op_id: string; status: string }>(
    clinic,
    'select op_id, status from sync_ops where device_id = (select device_id from device_codes where code = $1)',
    [code],
  );
  const applied = receipts.filter(({ status }) => status === 'applied').map(({ op_id }) => op_id);
  expect(applied.sort(), 'operations applied').toEqual(tablet.operations.map(({ op_id }) => op_id).sort());

  const treatments = await ask<Treatment>(
    clinic,
    `select o.number, o.total_minor::int as total, o.paid_minor::int as paid,
       (select coalesce(sum(p.amount_minor), 0)::int from payments p where p.clinic_id = o.clinic_id and p.order_id = o.id) as payments,
       (select sum(l.total_minor)::int from order_lines l where l.clinic_id = o.clinic_id and l.order_id = o.id) as lines
     from orders o where o.number like 'T-' || $1 || '-%'`,
    [code],
  );
  // Created and not yet paid is how an interrupted sale may end.
  const crooked = treatments.filter(
    ({ total, paid, payments, lines }) => lines !== total || paid !== payments || ![0, total].includes(paid),
  );
  expect(crooked, 'treatments that do not add up').toEqual([]);
  expect(repeated(treatments.map(({ number }) => number)), 'treatment numbers used twice').toEqual([]);
  const usedTwice = `select line_id from stock_transactions where type = 'usage' group by line_id, stock_id having count(*) > 1`;
  expect(await ask(clinic, usedTwice), 'supplies deducted twice').toEqual([]);
}

function repeated(values: readonly string[]): string[] {
  return values.filter((value, index) => values.indexOf(value) !== index);
}
