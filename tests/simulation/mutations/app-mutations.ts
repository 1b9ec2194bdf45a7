/**
 * Known mistakes of programs like this one, each in the place where it would be made. A mistake replaces one function of the
 * product, or a part that the engine is given, in the test only. What is replaced is called with the real one first.
 */
import { orderFromResource } from '../../../domain/order/resource.ts';
import { refuse } from '../../../domain/result.ts';
import type { OperationState } from '../../../src/db/database.ts';
import { orderRow } from '../../../src/db/order-row.ts';
import type { SyncStore } from '../../../sw/sync/store.ts';
import type { Net } from '../../../sw/sync/ports.ts';
import type { NetworkFault, Incident, Profile } from '../faults/profile.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { Replacement } from './replaceable.ts';
import type { Process, ProcessHooks } from '../clients/process.ts';

export interface Mutation {
  name: string;
  /** Product functions by name. */
  functions?: (cluster: Cluster) => Record<string, Replacement>;
  store?: (store: SyncStore, process: Process) => Partial<SyncStore>;
  net?: (net: Net, process: Process) => Net;
  /** Where the search begins: what is caught late need not be looked for from the first seed on in every run. */
  from?: number;
  /** The faults under which it matters, made frequent, and the day that brings it about. */
  under?: {
    networkFaults?: readonly NetworkFault[];
    incidents?: readonly Incident[];
    day?: Partial<Omit<Profile, 'networkFaults' | 'incidents'>>;
  };
  /** Only servers side by side can show it: one alone is right. */
  isOfSeveral?: true;
}

/** The engine with the mistake built into the parts that it is given. */
export function hooksOf({ store, net }: Mutation): ProcessHooks {
  return {
    rebuild: (parts, process) => ({
      ...parts,
      store: { ...parts.store, ...store?.(parts.store, process) },
      net: net?.(parts.net, process) ?? parts.net,
    }),
  };
}

const isBatch = (path: string): boolean => path === '/sync/batch';
const opIdsOf = (body: string | undefined): string[] =>
  (JSON.parse(body ?? '{}') as { operations: { op_id: string }[] }).operations.map(({ op_id }) => op_id);

/** Another id, made from this one. */
export const renamed = (opId: string): string => `${opId.slice(0, 34)}${opId.slice(35)}${opId[34]}`;

const withoutDeleted = <T>(rows: Map<number, T | null>): Map<number, T | null> =>
  new Map([...rows].filter(([, row]) => row !== null));

/** What a server would say that had applied everything. */
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

/** Known mistakes of apps; those of servers stand in `planted-on-server.ts`. */
export const appMutations: readonly Mutation[] = [
  {
    name: 'operations are deleted before they are sent',
    store: (store, { db }) => ({
      take: async (choice) => {
        const taken = await store.take(choice);
        await db.operation_states.bulkDelete(taken.opIds);
        return taken;
      },
    }),
  },
  {
    name: 'a 500 counts as sent',
    net: (net, process) => async (call) => {
      const answer = await net(call);
      return answer && answer.status >= 500 && isBatch(call.path) ? allApplied(process, call.body) : answer;
    },
    under: { networkFaults: ['unavailable_503', 'commit_unknown'] },
  },
  {
    name: 'a page that says 200 counts as an answer',
    net: (net, process) => async (call) => {
      const answer = await net(call);
      return answer?.status === 200 && answer.json === undefined && isBatch(call.path)
        ? allApplied(process, call.body)
        : answer;
    },
    under: { networkFaults: ['portal_page'] },
  },
  {
    name: 'a 401 drops the queue',
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
    name: 'receipts are applied but rows are not',
    store: (store) => ({
      applyFeed: (pull) =>
        store.applyFeed({
          ...pull,
          feed: { ...pull.feed, orders: pull.feed.receipts.length > 0 ? new Map() : pull.feed.orders },
        }),
    }),
  },
  {
    name: 'the cursor is stored outside the transaction of the rows',
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
    name: 'an operation is retired at the reply instead of the feed',
    store: (store, process) => ({
      recordResults: async (results, contact) => {
        await store.recordResults(results, contact);
        await setStates(
          process,
          results.filter(({ status }) => status === 'applied').map(({ op_id }) => op_id),
          { status: 'settled' },
        );
      },
    }),
  },
  {
    name: 'a batch that is turned away trays all of it',
    store: (store, process) => ({
      release: async (opIds, how) => {
        await store.release(opIds, how);
        if (how.error?.code !== 'NETWORK') await setStates(process, opIds, { status: 'attention' });
      },
    }),
    under: { networkFaults: ['proxy_413'], incidents: ['session_ended'] },
  },
  {
    name: 'an unknown outcome is sent again under a new id',
    store: (store, { db }) => ({
      release: async (opIds, how) => {
        await store.release(opIds, how);
        await db.transaction('rw', db.operations, db.operation_states, async () => {
          for (const opId of opIds) {
            const operation = (await db.operations.get(opId))!;
            const state = (await db.operation_states.get(opId))!;
            const op_id = renamed(opId);
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
    name: 'what was put off is never sent again',
    store: (store, process) => ({
      release: async (opIds, how) => {
        await store.release(opIds, how);
        await setStates(process, opIds, { status: 'settled' });
      },
    }),
  },
  {
    name: 'what a dead worker was sending is forgotten',
    from: 20,
    store: () => ({ recoverSending: () => Promise.resolve() }),
    under: { networkFaults: ['request_lost', 'swallowed'], incidents: ['worker_killed'] },
  },
  {
    name: 'poison stops everything behind it',
    store: (store, { db }) => ({
      take: async (choice) =>
        (await db.operation_states
          .where('[status+changed_at]')
          .between(['attention', 0], ['attention', Number.MAX_VALUE])
          .count()) > 0
          ? { opIds: [], texts: [], nextDueAt: Number.POSITIVE_INFINITY }
          : store.take(choice),
    }),
    under: { incidents: ['poison_written'] },
  },
  {
    name: 'a batch is sent in the wrong order',
    from: 20,
    store: (store) => ({
      take: async (choice) => {
        const taken = await store.take(choice);
        return { ...taken, opIds: taken.opIds.toReversed(), texts: taken.texts.toReversed() };
      },
    }),
    under: { incidents: ['offline_spell'] },
  },
  {
    name: 'a new epoch is not noticed',
    store: (store) => ({ applyFeed: (pull) => store.applyFeed({ ...pull, resend: false }) }),
    under: { incidents: ['server_restored'] },
  },
  {
    name: 'what is in the tray is still replayed',
    functions: () => ({
      isReplayed: (real, state: OperationState) => real(state) === true || state.status === 'attention',
    }),
    under: { incidents: ['poison_written'] },
  },
  {
    name: 'the base is captured after the view has changed',
    functions: () => ({
      save: (real, write, draft: { id: string; order: unknown; base: object | null }) =>
        real(write, { ...draft, base: draft.base && { id: draft.id, order: draft.order } }),
    }),
    under: { incidents: ['poison_written'] },
  },
  {
    name: "the server's row overwrites what waits",
    store: (store, { db }) => ({
      applyFeed: async (pull) => {
        const isApplied = await store.applyFeed(pull);
        if (isApplied)
          await db.orders.bulkPut(
            [...pull.feed.orders.values()].map((document) => orderRow(orderFromResource(document), 0)),
          );
        return isApplied;
      },
    }),
    under: { networkFaults: ['proxy_413'] },
  },
  {
    name: 'a retry keeps the old id',
    functions: () => ({
      retryRefused: async (_real, { db }: Process['context'], opId: string) => {
        const state = (await db.operation_states.get(opId))!;
        await db.operation_states.put({ ...state, status: 'pending', queue_place: state.position });
        return { ok: true, value: { opId } };
      },
    }),
    under: { incidents: ['other_person_takes_over'] },
  },
  {
    name: 'a number is used up by a sale that was undone',
    functions: () => ({
      commit: async (real, context: Process['context'], ...rest: unknown[]) => {
        const result = (await real(context, ...rest)) as { ok: boolean };
        if (!result.ok) await context.db.device.toCollection().modify((device) => void (device.counters.invoice += 1));
        return result;
      },
    }),
    under: { incidents: ['storage_full_at_write'] },
  },
  {
    name: "a counter is stored outside the sale's transaction",
    from: 20,
    functions: () => ({
      commit: async (real, context: Process['context'], ...rest: unknown[]) => {
        const before = await context.db.device.get('this');
        const result = (await real(context, ...rest)) as { ok: boolean };
        const after = await context.db.device.get('this');
        if (!before || !after) return result;
        await context.db.device.put({ ...after, counters: before.counters });
        await context.db.device.put(after);
        return result;
      },
    }),
    under: { incidents: ['tab_killed', 'work_in_two_tabs_at_once'] },
  },
  {
    name: 'full storage is reported as a sale',
    functions: () => ({
      commit: async (real, context, tables, work: (write: unknown) => Promise<unknown>) => {
        const result = (await real(context, tables, work)) as { ok: boolean; refusal?: { code: string } };
        if (result.refusal?.code !== 'STORAGE_FULL') return result;
        let told: unknown;
        const undone = refuse('STORAGE_FULL');
        await real(context, tables, async (write: unknown) => {
          told = await work(write);
          return undone;
        });
        return told ?? undone;
      },
    }),
    under: { incidents: ['storage_full_at_commit'] },
  },
  {
    name: 'what was deleted stays on sale',
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
    name: 'a cloned storage is not noticed',
    store: () => ({ device: () => Promise.resolve(undefined) }),
    under: { incidents: ['storage_cloned'] },
  },
  {
    name: 'a cloned storage goes on under its old code',
    store: () => ({ saveDevice: () => Promise.resolve() }),
    under: { incidents: ['storage_cloned'] },
  },
  {
    name: 'what a rescue file holds is sent under new ids',
    functions: () => ({
      sendRescued: (real, sending: { operations: { op_id: string }[] }) =>
        real({
          ...sending,
          operations: sending.operations.map((operation) => ({ ...operation, op_id: renamed(operation.op_id) })),
        }) as unknown,
    }),
    under: { incidents: ['offline_spell', 'rescue_file_sent'] },
  },
  {
    name: 'the diary of outages counts one sale only',
    functions: () => ({ queuedPayments: async (real, db) => ((await real(db)) as unknown[]).slice(0, 1) }),
    under: { incidents: ['offline_spell'] },
  },
  {
    name: 'a refund counts twice in the drawer',
    functions: () => ({
      drawerReport: (real, drawer, payments: { amountMinor: number }[], devices) =>
        real(drawer, [...payments, ...payments.filter(({ amountMinor }) => amountMinor < 0)], devices) as unknown,
    }),
  },
  {
    name: "a drawer's movement that has come home is replayed again",
    functions: () => ({
      drawerRowFromResource: (real, document) => {
        const row = real(document) as { movements: unknown[] };
        return { ...row, movements: [...row.movements, ...row.movements.slice(-1)] };
      },
    }),
  },
  {
    name: 'a discount is taken off twice',
    functions: () => ({
      totals: (real, order: { discountMinor: number }) =>
        real({ ...order, discountMinor: order.discountMinor * 2 }) as unknown,
    }),
  },
];
