/** Mutations of the sync engine's store and network. */
import type { OperationState } from '#src/db/database.ts';
import { orderRow } from '#src/db/rows.ts';
import type { Process } from '../clients/process.ts';
import { otherId } from './mutation.ts';
import type { Mutation } from './mutation.ts';

const isBatch = (path: string): boolean => path.startsWith('/sync/batch');
const opIdsOf = (body: string | undefined): string[] =>
  (JSON.parse(body ?? '{}') as { operations: { op_id: string }[] }).operations.map(({ op_id }) => op_id);

const withoutDeleted = <T>(rows: Map<number, T | null>): Map<number, T | null> =>
  new Map([...rows].filter(([, row]) => row !== null));

/** The response of a server that applied every operation of a batch. */
const allApplied = (process: Process, body: string | undefined) => ({
  status: 200,
  retryAfterMs: null,
  json: {
    success: true,
    data: {
      epoch: 'x',
      server_time: new Date(process.tablet.now()).toISOString(),
      results: opIdsOf(body).map((op_id) => ({
        op_id,
        status: 'applied',
        replayed: false,
        reply: { success: true, data: null },
      })),
    },
  },
});

const setStates = async ({ db }: Process, opIds: readonly string[], change: Partial<OperationState>): Promise<void> => {
  await db.operation_states
    .where('op_id')
    .anyOf(opIds)
    .modify((state) => {
      Object.assign(state, change);
      if (change.status === 'settled' || change.status === 'attention') delete state.queue_place;
    });
};

export const engineMutations: readonly Mutation[] = [
  {
    name: 'the outbox deletes operations before it sends them',
    store: (store, { db }) => ({
      selectBatch: async (choice) => {
        const taken = await store.selectBatch(choice);
        await db.operation_states.bulkDelete(taken.opIds);
        return taken;
      },
    }),
  },
  {
    name: 'a reply with status 500 counts as applied',
    net: (net, process) => async (call) => {
      const answer = await net(call);
      return answer && answer.status >= 500 && isBatch(call.path) ? allApplied(process, call.body) : answer;
    },
    under: { networkFaults: ['unavailable_503', 'commit_unknown'] },
  },
  {
    name: "a captive portal's page with status 200 counts as applied",
    seed: 2,
    net: (net, process) => async (call) => {
      const answer = await net(call);
      return answer?.status === 200 && answer.json === undefined && isBatch(call.path)
        ? allApplied(process, call.body)
        : answer;
    },
    under: { networkFaults: ['portal_page'] },
  },
  {
    name: 'a reply with status 401 clears the outbox',
    seed: 3,
    net:
      (net, { db }) =>
      async (call) => {
        const answer = await net(call);
        if (answer?.status === 401) await db.operation_states.clear();
        return answer;
      },
    under: { incidents: ['session_ended'] },
  },
  {
    name: 'a pull stores receipts without their rows',
    seed: 12,
    store: (store) => ({
      applyFeed: (pull) =>
        store.applyFeed({
          ...pull,
          feed: { ...pull.feed, orders: pull.feed.receipts.length > 0 ? new Map() : pull.feed.orders },
        }),
    }),
  },
  {
    name: 'a pull stores the cursor outside the transaction of the rows',
    seed: 2,
    store: (store, { db }) => ({
      applyFeed: async (pull) => {
        const sync = await db.sync.get('this');
        if (sync?.cursor !== pull.startedFrom) return false;
        await db.sync.put({ ...sync, cursor: pull.cursor, epoch: pull.epoch });
        return store.applyFeed({ ...pull, startedFrom: pull.cursor });
      },
    }),
    under: { incidents: ['worker_killed', 'storage_full_at_write'] },
  },
  {
    name: 'an operation is settled by the reply instead of the feed',
    seed: 28,
    store: (store, process) => ({
      recordResults: async (results, contact) => {
        const isCurrent = await store.recordResults(results, contact, null);
        await setStates(
          process,
          results.filter(({ status }) => status === 'applied').map(({ op_id }) => op_id),
          { status: 'settled' },
        );
        return isCurrent;
      },
    }),
  },
  {
    name: 'the feed of a reply is applied although the one before it was not',
    seed: 26,
    store: (store) => {
      let isLost = false;
      return {
        recordResults: async (results, contact, brought) => {
          isLost = brought !== null && !isLost;
          if (!brought || isLost) return store.recordResults(results, contact, null).then(() => isLost);
          const { cursor, lacks } = await store.position();
          return store.recordResults(results, contact, { ...brought, startedFrom: cursor, lacks });
        },
      };
    },
  },
  {
    name: 'a rejected batch moves all of its operations to the tray',
    store: (store, process) => ({
      release: async (opIds, how) => {
        await store.release(opIds, how);
        if (how.error?.code !== 'NETWORK') await setStates(process, opIds, { status: 'attention' });
      },
    }),
    under: { networkFaults: ['proxy_413'], incidents: ['session_ended'] },
  },
  {
    name: 'an operation with an unknown outcome is sent again under a new id',
    store: (store, { db }) => ({
      release: async (opIds, how) => {
        await store.release(opIds, how);
        await db.transaction('rw', db.operations, db.operation_states, async () => {
          for (const opId of opIds) {
            const operation = (await db.operations.get(opId))!;
            const state = (await db.operation_states.get(opId))!;
            const op_id = otherId(opId);
            await Promise.all([db.operations.delete(opId), db.operation_states.delete(opId)]);
            await Promise.all([
              db.operations.put({ ...operation, op_id }),
              db.operation_states.put({ ...state, op_id }),
            ]);
          }
        });
      },
    }),
    under: { networkFaults: ['reply_lost', 'server_killed_after_commit'] },
  },
  {
    name: 'a deferred operation is never sent again',
    seed: 2,
    store: (store, process) => ({
      release: async (opIds, how) => {
        await store.release(opIds, how);
        await setStates(process, opIds, { status: 'settled' });
      },
    }),
  },
  {
    name: 'the operations that a crashed worker was sending are never sent again',
    seed: 40,
    store: () => ({ recoverSending: () => Promise.resolve() }),
    under: { networkFaults: ['request_lost', 'swallowed'], incidents: ['worker_killed'] },
  },
  {
    name: 'a refused operation blocks the whole outbox',
    seed: 11,
    store: (store, { db }) => ({
      selectBatch: async (choice) =>
        (await db.operation_states
          .where('[status+changed_at]')
          .between(['attention', 0], ['attention', Number.MAX_VALUE])
          .count()) > 0
          ? { opIds: [], texts: [], nextDueAt: Number.POSITIVE_INFINITY, isFull: false }
          : store.selectBatch(choice),
    }),
    under: { incidents: ['poison_written'] },
  },
  {
    name: 'a batch reverses the order of its operations',
    seed: 33,
    store: (store) => ({
      selectBatch: async (choice) => {
        const taken = await store.selectBatch(choice);
        return { ...taken, opIds: taken.opIds.toReversed(), texts: taken.texts.toReversed() };
      },
    }),
    under: { incidents: ['offline_spell'] },
  },
  {
    name: 'a tablet ignores a new epoch',
    seed: 2,
    store: (store) => ({ applyFeed: (pull) => store.applyFeed({ ...pull, resend: false }) }),
    under: { incidents: ['server_restored'] },
  },
  {
    name: "the server's row overwrites outstanding operations",
    seed: 84,
    store: (store, { db }) => ({
      applyFeed: async (pull) => {
        const isApplied = await store.applyFeed(pull);
        if (isApplied) await db.orders.bulkPut([...pull.feed.orders.values()].map((order) => orderRow(order, 0)));
        return isApplied;
      },
    }),
    under: { networkFaults: ['proxy_413'] },
  },
  {
    name: 'deleted items stay in the catalogue',
    seed: 7,
    store: (store) => ({
      applyFeed: (pull) =>
        store.applyFeed({
          ...pull,
          feed: { ...pull.feed, stock: withoutDeleted(pull.feed.stock), products: withoutDeleted(pull.feed.products) },
        }),
    }),
    under: { incidents: ['item_deleted'] },
  },
  {
    name: "a cloned tablet does not compare its counters with the server's",
    seed: 5,
    store: () => ({ device: () => Promise.resolve(undefined) }),
    under: { incidents: ['storage_cloned'] },
  },
  {
    name: 'a cloned tablet keeps its old device code',
    seed: 5,
    store: () => ({ saveDevice: () => Promise.resolve() }),
    under: { incidents: ['storage_cloned'] },
  },
];
