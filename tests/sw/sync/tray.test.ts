import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { adjustStock } from '#src/db/commands/stock.ts';
import { retryRefused } from '#src/db/commands/tray.ts';
import { attentionEntries } from '#src/db/queries/outbox.ts';
import { orderById } from '#src/db/queries/orders.ts';
import { refusalOf, valueOf } from '#tests/src/db/tablet.ts';
import { openRig } from './rig.ts';
import type { Rig } from './rig.ts';

let rig: Rig;
beforeEach(async () => {
  rig = await openRig();
});
afterEach(() => rig.tablet.close());

describe('SYNC-7 the tray', () => {
  test('SYNC-7 a retry replaces the refused operation in its position, and its dependants depend on the replacement', async () => {
    const orderId = await rig.sell();
    rig.server.refuses = ({ kind }) => (kind === 'order.create' ? 'FORBIDDEN' : null);
    await rig.engine.run('write');
    expect(await orderById(rig.tablet.db, orderId)).toBeUndefined();
    const [entry] = await attentionEntries(rig.tablet.db, { limit: 10 });
    expect(entry!.state.last_error).toMatchObject({ code: 'FORBIDDEN' });

    rig.server.refuses = () => null;
    const retried = valueOf(await retryRefused({ ...rig.tablet, actorId: 1 }, entry!.operation.op_id));
    expect(await orderById(rig.tablet.db, orderId)).toMatchObject({ status: 'completed', unsent: 1 });
    await rig.pass(60_000);
    expect(await rig.statuses()).toEqual(['settled', 'settled', 'settled']);
    const sent = rig.server.batches.at(-1)!;
    expect(sent.map(({ op_id, supersedes, actor_id }) => ({ op_id, supersedes, actor_id }))[0]).toEqual({
      op_id: retried.opId,
      supersedes: entry!.operation.op_id,
      actor_id: 1,
    });
    expect(sent[0]!.payload).toEqual(entry!.operation.payload);
    expect(sent[0]!.occurred_at).toBe(entry!.operation.occurred_at);
    expect(sent.map(({ kind }) => kind)).toEqual(['order.create', 'order.pay']);
    expect(await orderById(rig.tablet.db, orderId)).toMatchObject({ status: 'completed', unsent: 0 });
  });

  test('SYNC-7 a replacement that is refused as well holds the dependants again', async () => {
    await rig.sell();
    rig.server.refuses = ({ kind }) => (kind === 'order.create' ? 'FORBIDDEN' : null);
    await rig.engine.run('write');
    const [entry] = await attentionEntries(rig.tablet.db, { limit: 10 });
    valueOf(await retryRefused(rig.tablet, entry!.operation.op_id));
    await rig.pass(60_000);
    expect(await rig.statuses()).toEqual(['settled', 'retry', 'attention']);
    const sent = () => rig.server.batches.flat().filter(({ kind }) => kind === 'order.pay').length;
    const before = sent();
    await rig.pass(60_000);
    await rig.engine.run('asked');
    expect(sent()).toBe(before);
  });

  test('SYNC-7 only a refused operation can be retried', async () => {
    await rig.create();
    const [state] = await rig.states();
    expect(refusalOf(await retryRefused(rig.tablet, state!.op_id))).toBe('OPERATION_NOT_REFUSED');
    expect(refusalOf(await retryRefused(rig.tablet, 'unknown'))).toBe('OPERATION_NOT_REFUSED');
  });

  test('SYNC-7 a refused stock adjustment is hidden, and shown again when it is retried', async () => {
    valueOf(await adjustStock(rig.tablet, { stockId: 1, action: 'add', amount: 5 }));
    rig.server.refuses = () => 'FORBIDDEN';
    await rig.engine.run('write');
    expect((await rig.tablet.db.catalogue.get('s1'))!.quantity_milli).toBe(10_000);
    const [state] = await rig.states();
    valueOf(await retryRefused(rig.tablet, state!.op_id));
    expect((await rig.tablet.db.catalogue.get('s1'))!.quantity_milli).toBe(15_000);
  });
});
