import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ClinicDatabase } from '#src/db/database.ts';
import type { OperationState, OrderRow, DocumentRow, VerifierRow } from '#src/db/database.ts';
import { neverSynced } from '#src/db/singletons.ts';
import { wipePersonal } from '#src/auth/sign-out.ts';
import { unique } from '#tests/support/unique.ts';

let db: ClinicDatabase;

const order = (id: string, unsent: 0 | 1) => ({ id, unsent, customerName: 'Ana' }) as OrderRow;
const document = (id: string, order_id: string) => ({ id, order_id }) as DocumentRow;

const vault = { password: 'wrapped', actor: 'sealed', token: 'sealed', sync: 'syncs only', pin: 'wrapped' };

beforeEach(async () => {
  db = new ClinicDatabase(unique('sign-out'));
  await db.orders.bulkAdd([order('sent', 0), order('waiting', 1), order('refused', 0)]);
  await db.order_bases.add({ id: 'waiting', order: null });
  await db.operation_states.add({
    op_id: 'op',
    aggregate: 'order:refused',
    status: 'attention',
    changed_at: 1,
  } as OperationState);
  await db.documents.bulkAdd([document('a', 'sent'), document('b', 'waiting'), document('c', 'refused')]);
  await db.session.add({ id: 'this', token: 't', exp: 1, user: {} as never });
  await db.verifiers.bulkAdd(
    ['ana@clinic.test', 'bea@clinic.test'].map((email) => ({ email, ...vault }) as unknown as VerifierRow),
  );
  await db.query_cache.add({ key: 'k', value: { clear: 1 }, seen_at: 1 });
  await db.drafts.add({ key: 'k', value: { clear: 1 } });
  await db.sync.add({ ...neverSynced, cursor: '42', epoch: 'e' });
});

afterEach(() => db.delete());

test('SYNC-8 signing out keeps the unsent operations, the rows that they need, and unsent documents', async () => {
  await wipePersonal(db, 'Ana@clinic.test');
  expect(await db.operation_states.count()).toBe(1);
  expect(await db.order_bases.count()).toBe(1);
  expect(await db.orders.toCollection().primaryKeys()).toEqual(['refused', 'waiting']);
  expect(await db.documents.toCollection().primaryKeys()).toEqual(['b', 'c']);
});

test('signing out deletes the session, cached responses, and treatments that the server has', async () => {
  await wipePersonal(db, 'Ana@clinic.test');
  expect(await db.session.count()).toBe(0);
  expect(await db.query_cache.count()).toBe(0);
  expect(await db.drafts.count()).toBe(0);
  expect(await db.orders.get('sent')).toBeUndefined();
});

test('the feed starts over after a sign-out, and returns the deleted treatments', async () => {
  await wipePersonal(db, 'Ana@clinic.test');
  expect(await db.sync.get('this')).toMatchObject({ cursor: null, epoch: 'e' });
});

test('signing out deletes the PIN and the tokens of this user, keeps what an offline sign-in needs, and other users', async () => {
  await wipePersonal(db, 'Ana@clinic.test');
  expect(await db.verifiers.toArray()).toEqual([
    { email: 'ana@clinic.test', password: 'wrapped', actor: 'sealed' },
    { email: 'bea@clinic.test', ...vault },
  ]);
});
