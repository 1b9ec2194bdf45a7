import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addServices } from '#src/db/commands/treatments.ts';
import { retryRefused } from '#src/db/commands/tray.ts';
import type { VerifierRow } from '#src/db/database.ts';
import { outboxSummary } from '#src/db/queries/outbox.ts';
import { orderById } from '#src/db/queries/orders.ts';
import { valueOf } from '#tests/src/db/tablet.ts';
import { elsewhere, stockResource } from './clinic-server.ts';
import { openRig } from './rig.ts';
import type { Rig } from './rig.ts';

let rig: Rig;
beforeEach(async () => {
  rig = await openRig();
});
afterEach(() => rig.tablet.close());

const isBatch = (path: string) => path.startsWith('/sync/batch');

describe('SYNC-16 starting over', () => {
  test('SYNC-9 after a 410 everything is pulled again, and rows that the feed lacks are deleted unless unsent operations need them', async () => {
    rig.server.change(elsewhere('gone'));
    rig.server.change(elsewhere('waited'));
    rig.server.changeStock(stockResource(8));
    await rig.engine.run('timer');
    valueOf(await addServices(rig.tablet, { orderId: 'waited', services: [{ itemKey: 's1', quantity: 1 }] }));
    rig.server.orders.delete('gone');
    rig.server.orders.delete('waited');
    rig.server.forgetCursors();
    rig.server.rule = (call, handle) => (isBatch(call.path) ? null : handle());
    await rig.engine.run('online');
    expect(await orderById(rig.tablet.db, 'gone')).toBeUndefined();
    expect(await orderById(rig.tablet.db, 'waited')).toMatchObject({ totalMinor: 2000, unsent: 1 });
    expect(await rig.tablet.db.catalogue.get('s3')).toBeUndefined();
    expect(await rig.tablet.db.catalogue.get('s8')).toBeDefined();
    expect((await outboxSummary(rig.tablet.db)).waiting).toBe(1);
  });

  test('SYNC-16 after a new epoch confirmed operations are sent again under the same ids, and the server has them all', async () => {
    const orderId = await rig.sell();
    await rig.engine.run('write');
    const before = rig.server.orders.get(orderId);
    const opIds = rig.server.batches.flat().map(({ op_id }) => op_id);
    rig.server.restoreEmpty();
    for (const id of [1, 2]) rig.server.changeStock(stockResource(id));
    await rig.engine.run('timer');
    expect(rig.server.batches.at(-1)!.map(({ op_id }) => op_id)).toEqual(opIds);
    expect(rig.server.orders.get(orderId)).toEqual(before);
    expect(await rig.statuses()).toEqual(['settled', 'settled']);
    expect(await orderById(rig.tablet.db, orderId)).toMatchObject({ status: 'completed', unsent: 0 });
    expect(await rig.store.position()).toMatchObject({ epoch: 'epoch-1+' });
  });

  test('SYNC-16 the tablet shows an operation until the restored server has it again', async () => {
    const orderId = await rig.sell();
    await rig.engine.run('write');
    rig.server.restoreEmpty();
    rig.server.rule = (call, handle) => (isBatch(call.path) ? null : handle());
    await rig.engine.run('timer');
    expect(await rig.statuses()).toEqual(['retry', 'retry']);
    expect(await orderById(rig.tablet.db, orderId)).toMatchObject({ status: 'completed', unsent: 1 });
  });

  test('SYNC-16 SYNC-7 replaced operations are not sent again', async () => {
    await rig.create();
    rig.server.refuses = () => 'FORBIDDEN';
    await rig.engine.run('write');
    rig.server.refuses = () => null;
    const [refused] = await rig.states();
    const replacement = valueOf(await retryRefused(rig.tablet, refused!.op_id));
    await rig.engine.run('write');
    rig.server.restoreEmpty();
    await rig.engine.run('timer');
    expect(rig.server.batches.at(-1)!.map(({ op_id }) => op_id)).toEqual([replacement.opId]);
    expect(await rig.statuses()).toEqual(['settled', 'settled']);
  });

  test('SYNC-16 operations that the restored server still has are not sent again', async () => {
    await rig.sell();
    await rig.engine.run('write');
    const before = await rig.states();
    rig.server.epoch = 'epoch-2';
    rig.tablet.clock.now += 1000;
    await rig.engine.run('timer');
    expect(rig.server.batches).toHaveLength(1);
    expect(await rig.states()).toEqual(before);
  });

  test('SYNC-16 settled operations stay for 7 days', async () => {
    await rig.sell();
    await rig.engine.run('write');
    rig.tablet.clock.now += 6 * 86_400_000;
    await rig.engine.run('timer');
    expect(await rig.tablet.db.operations.count()).toBe(3);
    rig.tablet.clock.now += 2 * 86_400_000;
    await rig.engine.run('timer');
    expect(await rig.tablet.db.operations.count()).toBe(0);
    expect(await rig.tablet.db.operation_states.count()).toBe(0);
  });

  test('SECURITY the verifier of somebody who has not signed in for 7 days is deleted', async () => {
    const { db, clock } = rig.tablet;
    const people = [-8, -6, 300].map((days) => ({ email: `${days}`, last_online_at: clock.now + days * 86_400_000 }));
    await db.verifiers.bulkPut(people as VerifierRow[]);
    await rig.engine.run('timer');
    // A time in the future is a clock that was set back, and says nothing about the age.
    expect((await db.verifiers.toArray()).map(({ email }) => email).sort()).toEqual(['-6', '300']);
  });

  test('SYNC-7 a completed treatment is deleted after a week, but not while it has unsent operations', async () => {
    const settled = await rig.sell();
    await rig.engine.run('write');
    const unsent = await rig.sell();
    rig.server.rule = (call, handle) => (isBatch(call.path) ? null : handle());
    rig.tablet.clock.now += 8 * 86_400_000;
    await rig.engine.run('timer');
    expect(await orderById(rig.tablet.db, settled)).toBeUndefined();
    expect(await orderById(rig.tablet.db, unsent)).toBeDefined();
    expect(await rig.tablet.db.documents.toArray()).toEqual([expect.objectContaining({ order_id: unsent })]);
  });
});
