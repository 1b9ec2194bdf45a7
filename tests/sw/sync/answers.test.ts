import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { transition } from '#src/db/operation-state.ts';
import { sendingState } from '#tests/support/sending-state.ts';
import { outboxSummary } from '#src/db/queries/outbox.ts';
import { error, lost, lostReply, none, says } from './clinic-server.ts';
import type { Trouble } from './clinic-server.ts';
import { openRig } from './rig.ts';
import type { Rig } from './rig.ts';

let rig: Rig;
beforeEach(async () => {
  rig = await openRig();
});
afterEach(() => rig.tablet.close());

const isBatch = (path: string) => path.startsWith('/sync/batch');
const batchesOnly =
  (trouble: Trouble): Trouble =>
  (call, handle) =>
    isBatch(call.path) ? trouble(call, handle) : handle();
const answered = { epoch: 'epoch-1', server_time: '2026-05-12T10:00:00.000Z' };
const sizes = () => rig.server.batches.map((batch) => batch.length);
const batchCalls = () => rig.server.calls.filter(({ path }) => isBatch(path)).length;

describe('SYNC-6 replies', () => {
  const portal = says(200, undefined);
  test.each<[string, Trouble]>([
    ['no answer', lost],
    ['a lost reply', lostReply],
    ['408', error(408, 'TRY_AGAIN')],
    ['425', error(425, 'TRY_AGAIN')],
    ['429', error(429, 'TOO_MANY_REQUESTS')],
    ['500', error(500, 'INTERNAL')],
    ['503', error(503, 'UNAVAILABLE')],
    ["a portal's 200", portal],
    ['a 200 of another service', says(200, { success: true, data: { ok: true } })],
    [
      'a 200 without the op ids',
      says(200, { success: true, data: { epoch: 'e', server_time: '2026-01-01T00:00:00Z', results: [] } }),
    ],
    ["a portal's 401", says(401, undefined)],
    ["a portal's 404", says(404, undefined)],
  ])('SYNC-6 %s: the operation is sent again under the same id', async (_name, trouble) => {
    await rig.create();
    rig.server.troubles.push(trouble);
    await rig.engine.run('write');
    const [state] = await rig.states();
    // A pull may have succeeded and brought the receipt of a lost reply home.
    expect(['retry', 'settled']).toContain(state!.status);
    await rig.pass(60_000);
    expect(await rig.statuses()).toEqual(['settled']);
    expect(new Set(rig.server.batches.flat().map(({ op_id }) => op_id)).size).toBe(1);
    expect(rig.server.receipts.size).toBe(1);
  });

  test('SYNC-6 a reply with results for other operations is rejected', async () => {
    await rig.create();
    const results = [{ op_id: 'another', status: 'applied', replayed: false, reply: { success: true, data: null } }];
    rig.server.troubles.push(says(200, { success: true, data: { ...answered, results } }));
    rig.server.rule = (call, handle) => (isBatch(call.path) ? handle() : null);
    await rig.engine.run('write');
    expect((await rig.states())[0]).toMatchObject({ status: 'retry', last_error: { code: 'NETWORK' } });
  });

  test('SYNC-6 backoff doubles with full jitter, and Retry-After is honoured', async () => {
    await rig.create();
    rig.server.rule = lost;
    await rig.engine.run('write');
    expect((await rig.states())[0]!.next_at - rig.tablet.clock.now).toBe(1500);
    expect(batchCalls()).toBe(1);
    await rig.engine.run('timer');
    expect(batchCalls()).toBe(1);
    await rig.pass(1500);
    expect((await rig.states())[0]!.next_at - rig.tablet.clock.now).toBe(2500);
    await rig.pass(2500);
    rig.server.rule = batchesOnly(says(503, { success: false, code: 'UNAVAILABLE', message: '' }, 45_000));
    await rig.pass(4500);
    expect(batchCalls()).toBe(4);
    rig.server.rule = (_call, handle) => handle();
    await rig.pass(44_000);
    expect(batchCalls()).toBe(4);
    await rig.pass(1000);
    expect(await rig.statuses()).toEqual(['settled']);
  });

  test('SYNC-6 sends one operation as a probe after 5 failures, and then batches that grow again', async () => {
    for (let count = 0; count < 12; count += 1) await rig.create();
    rig.server.rule = lost;
    await rig.engine.run('write');
    for (let round = 0; round < 4; round += 1) await rig.pass(60_000);
    const before = rig.server.calls.length;
    await rig.pass(60_000);
    const probe = rig.server.calls.slice(before).find(({ path }) => isBatch(path))!;
    expect((JSON.parse(probe.body!) as { operations: unknown[] }).operations).toHaveLength(1);
    rig.server.rule = (_call, handle) => handle();
    await rig.pass(60_000);
    expect(sizes()).toEqual([1, 2, 4, 5]);
    expect(new Set(await rig.statuses())).toEqual(new Set(['settled']));
  });

  test('SYNC-6 the first reply after a failure ends the wait of all operations that failed with it', async () => {
    await rig.create();
    await rig.create();
    const [first] = await rig.states();
    const unreached = { last_error: { code: 'NETWORK' as const, message: '' }, next_at: rig.tablet.clock.now + 50_000 };
    await rig.tablet.db.operation_states.put({ ...first!, status: 'retry', ...unreached });
    rig.server.rule = lost;
    await rig.engine.run('write');
    rig.server.rule = none;
    await rig.pass(1500);
    expect(await rig.statuses()).toEqual(['settled', 'settled']);
  });

  test('SYNC-6 a sign of a recovered network ends the wait', async () => {
    await rig.create();
    rig.server.rule = lost;
    await rig.engine.run('write');
    expect((await outboxSummary(rig.tablet.db)).link).toBe('offline');
    rig.server.rule = (_call, handle) => handle();
    await rig.engine.run('online');
    expect(await rig.statuses()).toEqual(['settled']);
    expect((await outboxSummary(rig.tablet.db)).link).toBe('online');
  });

  test('SYNC-6 after a 401 the token is read again, and the batch sent once more', async () => {
    await rig.create();
    rig.server.troubles.push(error(401, 'SESSION_EXPIRED'));
    await rig.engine.run('write');
    expect(await rig.statuses()).toEqual(['settled']);
  });

  test('SYNC-6 SYNC-8 after a second 401 sending pauses, and continues with another token', async () => {
    await rig.create();
    rig.server.tokens = new Set(['fresh']);
    await rig.engine.run('write');
    expect(batchCalls()).toBe(2);
    expect(await outboxSummary(rig.tablet.db)).toMatchObject({ link: 'paused', waiting: 1, attention: 0 });
    await rig.engine.run('timer');
    expect(rig.server.calls).toHaveLength(2);
    await rig.tablet.db.session.update('this', { token: 'fresh' });
    await rig.engine.run('signed-in');
    expect(await rig.statuses()).toEqual(['settled']);
  });

  test('SYNC-8 signing out stops sending and loses nothing', async () => {
    await rig.create();
    await rig.tablet.db.session.clear();
    await rig.engine.run('write');
    expect(rig.server.calls).toEqual([]);
    expect(await outboxSummary(rig.tablet.db)).toMatchObject({ link: 'paused', waiting: 1 });
    expect((await rig.states())[0]).toMatchObject({ status: 'pending', attempts: 0 });
  });

  test('SYNC-6 a 4xx for a whole batch halves it until one operation is left, which waits long and never reaches the tray', async () => {
    for (let count = 0; count < 10; count += 1) await rig.create();
    rig.server.rule = batchesOnly((call, handle) =>
      call.body!.includes('"device_seq":4,') ? error(422, 'VALIDATION')(call, handle) : handle(),
    );
    await rig.engine.run('write');
    const states = await rig.states();
    expect(states.filter(({ status }) => status !== 'settled')).toEqual([
      expect.objectContaining({
        device_seq: 4,
        status: 'retry',
        last_error: { code: 'VALIDATION', message: 'VALIDATION' },
      }),
    ]);
    expect(states[3]!.next_at - rig.tablet.clock.now).toBeGreaterThan(600_000);
    expect((await outboxSummary(rig.tablet.db)).attention).toBe(0);
  });

  test('SYNC-6 only a person’s request ends a long wait at once', async () => {
    await rig.create();
    rig.server.rule = batchesOnly(says(413, undefined));
    await rig.engine.run('write');
    expect((await rig.states())[0]!.next_at - rig.tablet.clock.now).toBeGreaterThan(600_000);
    rig.server.rule = none;
    await rig.engine.run('online');
    expect(await rig.statuses()).toEqual(['retry']);
    await rig.engine.run('asked');
    expect(await rig.statuses()).toEqual(['settled']);
  });

  test('SYNC-6 a person’s request does not send operations held for an update or a dependency, or in the tray', async () => {
    for (let count = 0; count < 3; count += 1) await rig.create();
    const wait = (code: 'UNKNOWN_VERSION' | 'DEPENDENCY_PENDING') => ({
      event: 'postpone' as const,
      changes: { next_at: rig.tablet.clock.now + 60_000, last_error: { code, message: '' } },
    });
    const held = [
      wait('UNKNOWN_VERSION'),
      wait('DEPENDENCY_PENDING'),
      { event: 'refuse' as const, changes: { last_error: { code: 'VALIDATION' as const, message: '' } } },
    ];
    const { operation_states } = rig.tablet.db;
    for (const [index, state] of (await rig.states()).entries())
      await operation_states.put(transition(sendingState(state), held[index]!.event, 0, held[index]!.changes));
    await rig.engine.run('asked');
    expect(batchCalls()).toBe(0);
  });

  test('SYNC-6 a 413 of a proxy halves the batch too', async () => {
    for (let count = 0; count < 4; count += 1) await rig.create();
    rig.server.rule = batchesOnly((call, handle) =>
      (JSON.parse(call.body!) as { operations: unknown[] }).operations.length > 2
        ? { status: 413, json: undefined, retryAfterMs: null }
        : handle(),
    );
    await rig.engine.run('write');
    expect(sizes()).toEqual([2, 2]);
  });

  test('SYNC-6 an operation of an unknown version is held, the update is offered, and the new app sends the operation', async () => {
    await rig.create();
    rig.server.refuses = () => 'UNKNOWN_VERSION';
    await rig.engine.run('write');
    expect(await rig.statuses()).toEqual(['retry']);
    expect((await outboxSummary(rig.tablet.db)).updateNeeded).toBe(true);
    rig.server.refuses = () => null;
    await rig.engine.appUpdated();
    await rig.engine.run('timer');
    expect(await rig.statuses()).toEqual(['settled']);
    expect((await outboxSummary(rig.tablet.db)).updateNeeded).toBe(false);
  });

  test('SYNC-6 operations that a killed worker was sending are sent again under the same id', async () => {
    await rig.create();
    await rig.store.selectBatch({ limit: 200, nowMs: rig.tablet.clock.now });
    expect(await rig.statuses()).toEqual(['sending']);
    await rig.newEngine().run('timer');
    expect(await rig.statuses()).toEqual(['settled']);
  });

  test('SYNC-14 a clock that is set back delays no operation', async () => {
    await rig.create();
    const [state] = await rig.states();
    await rig.tablet.db.operation_states.put({
      ...state!,
      status: 'retry',
      next_at: rig.tablet.clock.now + 86_400_000,
    });
    await rig.engine.run('timer');
    expect(await rig.statuses()).toEqual(['settled']);
  });
});
