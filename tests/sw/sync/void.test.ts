import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { maxMinor } from '#domain/limits.ts';
import type { Operation } from '#domain/protocol/operations.ts';
import { takePayment } from '#src/db/commands/payments.ts';
import { adjustStock } from '#src/db/commands/stock.ts';
import { correctRefused, retryRefused, voidRemote, voidRefused } from '#src/db/commands/tray.ts';
import { addServices } from '#src/db/commands/treatments.ts';
import { dependantsOf } from '#src/db/dependants.ts';
import { attentionEntries } from '#src/db/queries/outbox.ts';
import { orderById } from '#src/db/queries/orders.ts';
import { remoteAttention } from '#src/db/queries/attention.ts';
import { unsentMoney, unsettledEntries, voidedEntries } from '#src/db/queries/tray.ts';
import { refusalOf, valueOf } from '#tests/src/db/tablet.ts';
import { openRig } from './rig.ts';
import type { Rig } from './rig.ts';

let rig: Rig;
beforeEach(async () => {
  rig = await openRig();
});
afterEach(() => rig.tablet.close());

const reason = 'Entered twice';
const sentVoids = () =>
  rig.server.batches
    .flat()
    .filter(
      (operation): operation is Operation<'operation.void'> & { kind: 'operation.void' } =>
        operation.kind === 'operation.void',
    );

/** A sale whose creation the server refuses: creation in the tray, payment waiting behind it. */
async function refusedSale(): Promise<{ orderId: string; createId: string; payId: string }> {
  const orderId = await rig.sell();
  rig.server.refuses = ({ kind }) => (kind === 'order.create' ? 'VALIDATION' : null);
  await rig.engine.run('write');
  const [create, pay] = await rig.states();
  expect([create!.status, pay!.status]).toEqual(['attention', 'retry']);
  return { orderId, createId: create!.op_id, payId: pay!.op_id };
}

describe('SYNC-7 a void on the device', () => {
  test('SYNC-7 voids the refused operation and its waiting dependants with one void each, in one transaction', async () => {
    const { orderId, createId, payId } = await refusedSale();
    expect((await dependantsOf(rig.tablet.db, createId)).map(({ operation }) => operation.op_id)).toEqual([payId]);
    expect(valueOf(await voidRefused(rig.tablet, { opId: createId, reason: `  ${reason} ` })).opIds).toEqual([
      createId,
      payId,
    ]);
    expect(await rig.statuses()).toEqual(['settled', 'settled', 'pending', 'pending']);
    expect(await orderById(rig.tablet.db, orderId)).toBeUndefined();
    expect(await unsentMoney(rig.tablet.db)).toMatchObject({ payments: 0, totalMinor: 0 });

    await rig.pass(60_000);
    expect(await rig.statuses()).toEqual(['settled', 'settled', 'settled', 'settled']);
    const aggregate = `order:${orderId}`;
    expect(sentVoids()).toMatchObject([
      {
        aggregate,
        supersedes: createId,
        depends_on: [],
        actor_id: 7,
        payload: { op_id: createId, reason, voided: { kind: 'order.create', number: 'T-A7-000001', amount: 10 } },
      },
      {
        aggregate,
        supersedes: payId,
        payload: { op_id: payId, reason, voided: { kind: 'order.pay', number: 'INV-A7-000001', amount: 10 } },
      },
    ]);
    expect(await rig.tablet.db.order_bases.count()).toBe(0);
    expect(rig.server.orders.has(orderId)).toBe(false);
  });

  test.each([
    { total: maxMinor / 100, stated: maxMinor / 100 },
    { total: -maxMinor / 100, stated: -maxMinor / 100 },
    { total: (maxMinor + 1) / 100, stated: undefined },
    { total: -(maxMinor + 1) / 100, stated: undefined },
    { total: 'ten', stated: undefined },
  ])('SYNC-7 of an operation over $total a void states $stated', async ({ total, stated }) => {
    const { createId } = await refusedSale();
    const { payload } = (await rig.tablet.db.operations.get(createId))!;
    await rig.tablet.db.operations.update(createId, { payload: { ...payload, total } } as object);
    valueOf(await voidRefused(rig.tablet, { opId: createId, reason }));
    await rig.pass(60_000);
    const { voided } = sentVoids()[0]!.payload;
    expect(voided).toMatchObject({ kind: 'order.create', number: 'T-A7-000001' });
    expect(voided!.amount).toBe(stated);
  });

  test('SYNC-7 voided operations stay visible with reason and author', async () => {
    const { createId, payId } = await refusedSale();
    await voidRefused(rig.tablet, { opId: createId, reason });
    const entries = await voidedEntries(rig.tablet.db, { limit: 10 });
    expect(entries.map(({ operation }) => operation.op_id).sort()).toEqual([createId, payId].sort());
    expect(entries[0]!.voidOperation).toMatchObject({ actor_id: 7, isSent: false, payload: { reason } });
    await rig.pass(60_000);
    expect((await voidedEntries(rig.tablet.db, { limit: 10 }))[0]!.voidOperation).toMatchObject({ isSent: true });
    expect(await unsettledEntries(rig.tablet.db)).toEqual([]);
  });

  test('SYNC-7 keeps dependants that the server has, and independent operations', async () => {
    const orderId = await rig.create();
    await rig.engine.run('write');
    valueOf(await addServices(rig.tablet, { orderId, services: [{ itemKey: 's2', quantity: 1 }] }));
    rig.server.refuses = ({ kind }) => (kind === 'order.add_services' ? 'VALIDATION' : null);
    await rig.engine.run('write');
    const other = await rig.create();
    const [refused] = await attentionEntries(rig.tablet.db, { limit: 1 });
    expect(await dependantsOf(rig.tablet.db, refused!.operation.op_id)).toEqual([]);
    expect(valueOf(await voidRefused(rig.tablet, { opId: refused!.operation.op_id, reason })).opIds).toHaveLength(1);
    expect(await orderById(rig.tablet.db, orderId)).toMatchObject({ status: 'confirmed', totalMinor: 1000 });
    expect(await orderById(rig.tablet.db, other)).toMatchObject({ unsent: 1 });
    await rig.engine.run('write');
    expect(await orderById(rig.tablet.db, orderId)).toMatchObject({ unsent: 0, totalMinor: 1000 });
  });

  test('SYNC-7 a fiscal record is sent again, and never voided', async () => {
    await rig.sell();
    rig.server.refuses = ({ kind }) => (kind === 'fiscal.record' ? 'PROOF_INVALID' : null);
    await rig.engine.run('write');
    const [refused] = await attentionEntries(rig.tablet.db, { limit: 1 });
    expect(refused!.operation.kind).toBe('fiscal.record');
    const { op_id: opId, payload } = refused!.operation;
    expect(refusalOf(await voidRefused(rig.tablet, { opId, reason }))).toBe('NOT_VOIDABLE');
    expect(await attentionEntries(rig.tablet.db, { limit: 2 })).toHaveLength(1);

    rig.server.refuses = () => null;
    valueOf(await retryRefused(rig.tablet, opId));
    await rig.engine.run('write');
    expect(await attentionEntries(rig.tablet.db, { limit: 1 })).toEqual([]);
    expect(rig.server.batches.flat().at(-1)).toMatchObject({ kind: 'fiscal.record', payload, supersedes: opId });
  });

  test('SYNC-7 finds dependants of the first operation in a chain of replacements', async () => {
    const { createId, payId } = await refusedSale();
    const { opId } = valueOf(await retryRefused(rig.tablet, createId));
    await rig.pass(60_000);
    expect(valueOf(await voidRefused(rig.tablet, { opId, reason })).opIds).toEqual([opId, payId]);
  });

  test('SYNC-7 the treatment can be worked on after the void', async () => {
    const orderId = await rig.create();
    await rig.engine.run('write');
    valueOf(await addServices(rig.tablet, { orderId, services: [{ itemKey: 's2', quantity: 1 }] }));
    rig.server.refuses = ({ kind }) => (kind === 'order.add_services' ? 'VALIDATION' : null);
    await rig.engine.run('write');
    const [refused] = await attentionEntries(rig.tablet.db, { limit: 1 });
    await voidRefused(rig.tablet, { opId: refused!.operation.op_id, reason });
    valueOf(await takePayment(rig.tablet, { orderId, method: 'cash', tenderedMinor: 1000 }));
    await rig.engine.run('write');
    expect(await rig.statuses()).toEqual(Array.from({ length: 4 }, () => 'settled'));
    expect(await orderById(rig.tablet.db, orderId)).toMatchObject({ status: 'completed', unsent: 0 });
  });

  test('SYNC-7 never voids an operation that the server has confirmed meanwhile', async () => {
    const { createId, payId } = await refusedSale();
    for (const status of ['accepted', 'settled'] as const) {
      await rig.tablet.db.operation_states.update(payId, { status });
      expect(await dependantsOf(rig.tablet.db, createId)).toEqual([]);
    }
  });

  test('SYNC-7 refuses a void without a reason or of an operation that was not refused', async () => {
    const { createId, payId } = await refusedSale();
    expect(refusalOf(await voidRefused(rig.tablet, { opId: createId, reason: ' x ' }))).toBe('VALIDATION');
    expect(refusalOf(await voidRefused(rig.tablet, { opId: payId, reason }))).toBe('OPERATION_NOT_REFUSED');
    expect(await rig.statuses()).toEqual(['attention', 'retry']);
  });

  test('SYNC-7 an operation voided on another device leaves the tray, and its dependants reach it', async () => {
    const { createId } = await refusedSale();
    rig.server.closeElsewhere(createId, 'void-of-another');
    await rig.engine.run('asked');
    expect(await attentionEntries(rig.tablet.db, { limit: 5 })).toEqual([]);
    const [entry] = await voidedEntries(rig.tablet.db, { limit: 5 });
    expect(entry).toMatchObject({
      operation: { op_id: createId },
      voidOperation: null,
      state: { superseded_by: 'void-of-another' },
    });
  });

  test('SYNC-7 a manager voids an operation in the tray of another device', async () => {
    const aggregate = 'order:01a1fb81-0000-7000-8000-000000000001';
    const item = {
      id: 4,
      kind: 'refused',
      op_id: 'theirs',
      op_kind: 'order.pay',
      order_id: null,
      details: { code: 'FORBIDDEN', aggregate },
      created_at: '',
      settled_at: null,
    } as const;
    await rig.tablet.db.attention.put(item);
    expect(await remoteAttention(rig.tablet.db)).toEqual([item]);
    valueOf(await voidRemote(rig.tablet, { opId: 'theirs', aggregate, reason }));
    expect(await remoteAttention(rig.tablet.db)).toEqual([]);
    await rig.engine.run('write');
    expect(sentVoids()).toMatchObject([{ aggregate, supersedes: 'theirs', payload: { op_id: 'theirs', reason } }]);
    expect(await rig.statuses()).toEqual(['settled']);
  });

  test('SYNC-5 a void of a refusal of another device does not wait for the tray of this one', async () => {
    const { orderId } = await refusedSale();
    valueOf(await voidRemote(rig.tablet, { opId: 'theirs', aggregate: `order:${orderId}`, reason }));
    await rig.engine.run('write');
    expect(sentVoids()).toMatchObject([{ supersedes: 'theirs' }]);
    expect(await rig.statuses()).toEqual(['attention', 'retry', 'settled']);
  });

  test('SYNC-7 a refused stock correction that is voided is never shown again', async () => {
    valueOf(await adjustStock(rig.tablet, { stockId: 1, action: 'add', amount: 5 }));
    rig.server.refuses = ({ kind }) => (kind === 'stock.adjust' ? 'FORBIDDEN' : null);
    await rig.engine.run('write');
    const [state] = await rig.states();
    valueOf(await voidRefused(rig.tablet, { opId: state!.op_id, reason }));
    await rig.engine.run('write');
    expect((await rig.tablet.db.catalogue.get('s1'))!.quantity_milli).toBe(10_000);
    expect(await rig.statuses()).toEqual(['settled', 'settled']);
  });

  test('SYNC-16 the void is sent to a restored server again, but never the voided operation', async () => {
    const { createId, payId } = await refusedSale();
    await voidRefused(rig.tablet, { opId: createId, reason });
    await rig.pass(60_000);
    rig.server.restoreEmpty();
    const before = rig.server.batches.length;
    await rig.engine.run('asked');
    await rig.pass(60_000);
    const again = rig.server.batches.slice(before).flat();
    // The invoice was printed, so its record is sent again.
    const [record, ...voids] = again.toSorted((a) => (a.kind === 'fiscal.record' ? -1 : 1));
    expect(record!.kind).toBe('fiscal.record');
    expect(new Set(voids.map(({ supersedes }) => supersedes))).toEqual(new Set([createId, payId]));
    expect(voids.every(({ kind }) => kind === 'operation.void')).toBe(true);
  });
});

describe('SYNC-7 an edit on the device', () => {
  test('SYNC-7 sends the corrected operation in the position of the refused one', async () => {
    const { orderId, createId } = await refusedSale();
    const [entry] = await attentionEntries(rig.tablet.db, { limit: 1 });
    const payload = { ...entry!.operation.payload, customer_name: 'Ana' } as Operation<'order.create'>['payload'];
    rig.server.refuses = () => null;
    const { opId } = valueOf(await correctRefused(rig.tablet, { opId: createId, payload }));
    expect(await orderById(rig.tablet.db, orderId)).toMatchObject({
      customerName: 'Ana',
      status: 'completed',
      unsent: 1,
    });
    await rig.pass(60_000);
    expect(rig.server.batches.at(-1)![0]).toMatchObject({
      op_id: opId,
      supersedes: createId,
      payload: { customer_name: 'Ana' },
    });
    expect(await orderById(rig.tablet.db, orderId)).toMatchObject({ customerName: 'Ana', unsent: 0 });
  });

  test('SYNC-7 an operation that the server has already replaced is neither retried nor edited', async () => {
    const { createId } = await refusedSale();
    rig.server.refuses = () => 'SUPERSEDES_APPLIED';
    const { opId } = valueOf(await retryRefused(rig.tablet, createId));
    await rig.pass(60_000);
    expect(refusalOf(await retryRefused(rig.tablet, opId))).toBe('SUPERSEDES_APPLIED');
    rig.server.refuses = () => null;
    expect(refusalOf(await voidRefused(rig.tablet, { opId, reason }))).toBeNull();
  });
});
