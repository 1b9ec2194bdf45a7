/**
 * The check of the kill tests. When everything runs again and the outbox is empty, the printed invoices, the tablet's storage
 * and the server's tables must agree. The check reads storage and tables directly and uses no code under test.
 */
import { expect } from '@playwright/test';
import type { ServerProcess } from '../support/server-process.ts';

/** A page of Playwright, or a tab of `tests/engines/`. */
interface Page {
  evaluate<R>(work: () => Promise<R>): Promise<R>;
}

interface StoredOnTablet {
  /** Numbers of the invoices that the tablet issued. */
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

/** Reads the browser's database directly, without the app. */
export function readTabletStorage(page: Page): Promise<StoredOnTablet> {
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
    const [documents, operations, states] = await Promise.all([
      read('documents'),
      read('operations'),
      read('operation_states'),
    ]);
    db.close();
    const stateOf = new Map(states.map((state) => [state.op_id, state]));
    return {
      invoices: documents.flatMap(({ number }) => number ?? []),
      operations: operations.map(({ op_id, kind }) => ({
        op_id,
        kind,
        status: stateOf.get(op_id)?.status ?? 'without a state',
        attempts: stateOf.get(op_id)?.attempts ?? 0,
      })),
    };
  });
}

/** Waits until every operation of the tablet is settled. */
export async function outboxDrained(page: Page): Promise<void> {
  const unsettled = async () => (await readTabletStorage(page)).operations.filter(({ status }) => status !== 'settled');
  await expect.poll(unsettled, { timeout: 60_000, intervals: [100, 250] }).toEqual([]);
}

/** @param printed the numbers of the invoices that were printed */
export async function expectConsistent(clinic: ServerProcess, page: Page, printed: readonly string[]): Promise<void> {
  const tablet = await readTabletStorage(page);
  expect(repeated(printed), 'numbers printed on two invoices').toEqual([]);
  expect(
    printed.filter((number) => !tablet.invoices.includes(number)),
    'invoices that were printed and are not on the tablet',
  ).toEqual([]);

  // A restored server lacks records, so the tablet goes on under another code.
  const codes = [...new Set(printed.map((number) => number.split('-')[1]))];
  const booked = await clinic.query<{ number: string }>(
    `select number from invoices where split_part(number, '-', 2) = any($1)`,
    [codes],
  );
  expect(booked.map(({ number }) => number).sort(), 'invoices of this tablet on the server').toEqual(
    tablet.invoices.toSorted(),
  );
  expect(repeated(booked.map(({ number }) => number)), 'invoices that the server recorded twice').toEqual([]);

  const receipts = await clinic.query<{ op_id: string; status: string }>(
    'select op_id, status from sync_ops where device_id in (select device_id from device_codes where code = any($1))',
    [codes],
  );
  const applied = receipts.filter(({ status }) => status === 'applied').map(({ op_id }) => op_id);
  expect(applied.sort(), 'operations that the server applied').toEqual(
    tablet.operations.map(({ op_id }) => op_id).sort(),
  );

  const treatments = await clinic.query<Treatment>(
    `select o.number, o.total_minor::int as total, o.paid_minor::int as paid,
       (select coalesce(sum(p.amount_minor), 0)::int from payments p where p.clinic_id = o.clinic_id and p.order_id = o.id) as payments,
       (select sum(l.total_minor)::int from order_lines l where l.clinic_id = o.clinic_id and l.order_id = o.id) as lines
     from orders o where split_part(o.number, '-', 2) = any($1)`,
    [codes],
  );
  // An interrupted sale may leave a treatment that is created and not yet paid.
  const inconsistent = treatments.filter(
    ({ total, paid, payments, lines }) => lines !== total || paid !== payments || ![0, total].includes(paid),
  );
  expect(inconsistent, 'treatments whose lines or payments do not add up').toEqual([]);
  expect(repeated(treatments.map(({ number }) => number)), 'treatment numbers used twice').toEqual([]);
  const usedTwice = `select line_id from stock_transactions where type = 'usage' group by line_id, stock_id having count(*) > 1`;
  expect(await clinic.query(usedTwice), 'lines whose supplies were deducted twice').toEqual([]);
}

function repeated(values: readonly string[]): string[] {
  return values.filter((value, index) => values.indexOf(value) !== index);
}
