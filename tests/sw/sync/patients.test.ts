import { defaultSettings } from '#domain/settings/settings.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTreatment } from '#src/db/commands/treatments.ts';
import { findPatients } from '#src/db/queries/patients.ts';
import { valueOf } from '#tests/src/db/tablet.ts';
import { openRig } from './rig.ts';
import type { Rig } from './rig.ts';

let rig: Rig;
beforeEach(async () => {
  rig = await openRig();
});
afterEach(() => rig.tablet.close());

const found = async (text: string) =>
  (await findPatients(rig.tablet.db, { text, limit: 20 })).map(({ name, unsent }) => [name, unsent === 1]);
const meet = (id: string, name: string) =>
  createTreatment(rig.tablet, {
    orderType: 'walk_in',
    services: [{ itemKey: 's1', quantity: 1 }],
    patient: { id, name, phone: '', isKnown: false },
  });

test('SYNC-9 the feed delivers patients, and a later update replaces an earlier one', async () => {
  rig.server.changePatient({ id: 'p1', name: 'Ana Ruiz', phone: '600 111 222' });
  await rig.engine.run('timer');
  expect(await found('ruiz 600')).toEqual([['Ana Ruiz', false]]);
  rig.server.changePatient({ id: 'p1', name: 'Ana Rey', phone: '' });
  await rig.engine.run('timer');
  expect([await found('ruiz'), await found('600'), await found('rey')]).toEqual([[], [], [['Ana Rey', false]]]);
});

test('SYNC-7 an unsent patient survives starting over, and patients that the server does not return are deleted', async () => {
  rig.server.changePatient({ id: 'p1', name: 'Ana Ruiz', phone: '' });
  await rig.engine.run('timer');
  rig.server.refuses = () => 'VALIDATION';
  valueOf(await meet('p2', 'Eva Nueva'));
  await rig.engine.run('write');
  rig.server.restoreEmpty();
  await rig.engine.run('timer');
  expect([await found('ana'), await found('eva')]).toEqual([[], [['Eva Nueva', true]]]);
});

test('a patient created here equals the server’s row once the feed has delivered it', async () => {
  valueOf(await meet('p2', 'Eva Nueva'));
  expect(await found('nueva')).toEqual([['Eva Nueva', true]]);
  await rig.engine.run('write');
  expect(await found('nueva')).toEqual([['Eva Nueva', false]]);
});

/** Everything on the tablet as text, without what the server calls rewritten. */
async function everything(): Promise<string> {
  const tables = await Promise.all(rig.tablet.db.tables.map((table) => table.toArray() as Promise<unknown[]>));
  return JSON.stringify(tables);
}

test('an erased patient leaves rows, stored replies, drafts and settled operations, but no unsent one', async () => {
  const { db } = rig.tablet;
  const create = valueOf(await meet('p1', 'Zenobia Quintana'));
  await rig.engine.run('write');
  await rig.engine.run('timer');
  await db.query_cache.put({ key: 'orders', value: { clear: [{ customer_name: 'Zenobia Quintana' }] }, seen_at: 1 });
  await db.query_cache.put({ key: 'stock', value: { clear: [{ name: 'Gloves' }] }, seen_at: 1 });
  const sealed = { iv: new Uint8Array(12), data: new ArrayBuffer(8) };
  await db.query_cache.put({ key: 'sealed', value: sealed, seen_at: 1 });
  await db.drafts.put({ key: 'sealed', value: sealed });
  await db.drafts.put({ key: 'edit', value: { clear: { customerName: 'Zenobia Quintana' } } });
  await db.documents.bulkPut(
    (['receipt', 'invoice'] as const).map((kind) => ({
      id: kind,
      kind,
      order_id: create.orderId,
      number: null,
      issued_at: '',
      printed: [{ style: 'pair' as const, left: 'Patient', right: 'Zenobia' }],
      invoice: null,
      prints: 1,
    })),
  );
  const settled = (await db.operations.toArray())[0]!;
  expect(await everything()).toContain('Zenobia Quintana');

  rig.server.refuses = () => 'UNKNOWN_VERSION';
  valueOf(await meet('p1', 'Zenobia Quintana'));
  const [, waiting] = await db.operations.toArray();
  const paid = {
    ...settled,
    op_id: 'pay',
    kind: 'order.pay',
    payload: { order_id: create.orderId, payment_id: 'receipt' },
  };
  await db.operations.put(paid as never);
  await db.operation_states.put({ ...(await db.operation_states.get(settled.op_id))!, op_id: 'pay' });
  rig.server.erasePatient('p1', [
    { ...settled, payload: { ...settled.payload, customer_name: '', patient: undefined }, proof: 'again' } as never,
    { ...waiting!, payload: {}, proof: 'again' } as never,
    paid as never,
  ]);
  await rig.engine.run('timer');

  expect(await found('zenobia')).toEqual([]);
  expect(await db.patients.get('p1')).toMatchObject({ name: '', keys: [], erased_at: expect.any(String) });
  expect(await db.orders.get(create.orderId)).toMatchObject({ customerName: '', patientId: 'p1' });
  expect(await db.operations.get(settled.op_id)).toMatchObject({ proof: 'again', payload: { customer_name: '' } });
  expect(await db.query_cache.toCollection().primaryKeys()).toEqual(['stock']);
  expect(await db.drafts.count()).toBe(0);
  expect((await db.documents.toArray()).map(({ kind }) => kind)).toEqual(['invoice']);
  // What was not sent stays as it was signed, and so does the treatment that it shows.
  expect(await db.operations.get(waiting!.op_id)).toEqual(waiting);
});

test('SYNC-16 settled operations are deleted after the days of the settings', async () => {
  const { db, clock } = rig.tablet;
  valueOf(await meet('p1', 'Ana Ruiz'));
  await rig.engine.run('write');
  await rig.engine.run('timer');
  await db.settings.put({ id: 'this', settings: { ...defaultSettings, tablet_keep_days: 20 } });
  clock.now += 19.9 * 86_400_000;
  await rig.engine.run('timer');
  expect(await db.operations.count()).toBe(1);
  clock.now += 0.2 * 86_400_000;
  await rig.engine.run('timer');
  expect(await db.operations.count()).toBe(0);
});
