/** Checks, table by table, the data that a shared tablet keeps after a sign-out. */
import 'fake-indexeddb/auto';
import { expect, test } from 'vitest';
import { ClinicDatabase } from '#src/db/database.ts';
import { neverSynced } from '#src/db/singletons.ts';
import { wipePersonal } from '#src/auth/sign-out.ts';

/** The tables with data that the next user needs or that the clinic would lose. */
const kept = [
  'best_sellers',
  'catalogue',
  'categories',
  'device',
  'operation_states',
  'operations',
  'outages',
  'rooms',
  'settings',
  'sync',
  'verifiers',
];

test('SECURITY a sign-out leaves only the data that the counter needs and the unsent data', async () => {
  const db = new ClinicDatabase('left-behind');
  // A base stands for work that waits: there is none.
  for (const table of db.tables.filter(({ name }) => name !== 'order_bases')) {
    const { primKey } = table.schema;
    const key = Object.fromEntries([primKey.keyPath].flat().map((name) => [name, 1]));
    await table.add(
      table.name === 'sync' ? neverSynced : { ...key, status: 'settled', closed_at: 1, aggregate: 'order:1' },
    );
  }
  await wipePersonal(db, 'ana@clinic.test');
  const filled = await Promise.all(db.tables.map(async (table) => ((await table.count()) > 0 ? table.name : [])));
  expect(filled.flat().toSorted()).toEqual(kept);
  await db.delete();
});
