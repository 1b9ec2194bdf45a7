/** Mutations of the server. */
import { beforeAnyUpdate } from '#domain/patient/patient.ts';
import type { Patient } from '#domain/patient/patient.ts';
import type { Drawer } from '#domain/drawer/drawer.ts';
import type { FlagAmount, OrderFlag } from '#domain/order/flags.ts';
import { statusOf } from '#domain/order/totals.ts';
import type { LinePrice } from '#domain/order/line-prices.ts';
import type { Order } from '#domain/order/order.ts';
import type { DrawerChange } from '#server/modules/drawers/store.ts';
import type { OrderChange } from '#server/modules/orders/changes-store.ts';
import { otherId, untold } from './mutation.ts';
import type { Mutation } from './mutation.ts';

const repeatedMovements = (drawer: Drawer | null): Drawer['movements'] =>
  (drawer?.movements ?? []).map((movement) => ({ ...movement, opId: otherId(movement.opId) }));

/** Returns true if the order still contains everything written, so that no failed transaction or restore has undone the write. */
const isWithin = (written: Order | undefined, order: Order): boolean =>
  written !== undefined && opsOf(written).every((opId) => opsOf(order).includes(opId));
const opsOf = ({ lines, removedLines, payments, cancels, changes }: Order): string[] =>
  [...lines, ...removedLines, ...payments, ...cancels, ...changes].map(({ opId }) => opId);

/** A snapshot that counts running transactions as committed, and one that ends below the oldest of them. */
const countRunning = "format('%1$s:%1$s:', pg_snapshot_xmax(pg_current_snapshot()))";
const belowTheOldest = "format('%1$s:%1$s:', pg_snapshot_xmin(pg_current_snapshot()))";

/** Makes the feed use another snapshot. */
const feedAsOf =
  (snapshot: string): NonNullable<Mutation['functions']> =>
  () => ({
    rowsOf: (real, sql, name: string, text: string, values: unknown[]) => {
      const mutated = text.replace('pg_current_snapshot()::text', snapshot);
      return real(sql, mutated === text ? name : `${name} ${snapshot}`.slice(0, 60), mutated, values) as unknown;
    },
  });

/** Held commits and lost pulls in a workload without pauses. */
const slowCommits: Mutation['under'] = {
  networkFaults: ['commit_held', 'request_lost'],
  profile: { servers: 4, tablets: 3, latencyMs: [20, 60], pauseMs: [0, 3000], steps: 30 },
};

/** Two tablets work on the same treatments for up to an hour without knowing of each other. */
const longApart: Mutation['under'] = {
  incidents: ['offline_spell'],
  profile: { tablets: 2, steps: 40, fiscal: null, offlineMs: [600_000, 3_600_000] },
};

const withoutFlag = (flags: readonly FlagAmount[], kind: OrderFlag): FlagAmount[] =>
  flags.filter((flag) => flag.kind !== kind);

export const serverMutations: readonly Mutation[] = [
  {
    name: 'server: the receipt is written in a separate transaction',
    functions: (cluster) => ({
      insertReceipts: (real, _sql, ...rest: unknown[]) =>
        real(
          { query: (query: { text: string; values: unknown[] }) => cluster.query(query.text, query.values) },
          ...rest,
        ) as unknown,
    }),
    under: { networkFaults: ['server_killed_before_commit', 'statement_fails'] },
  },
  {
    name: 'server: a fork of a chain is not told',
    seed: 30,
    functions: () => untold('chain_broken'),
    under: { incidents: ['storage_cloned'] },
  },
  {
    name: 'server: the last fiscal record of a batch is lost',
    functions: () => ({
      insertRecords: (real, sql, context, records: unknown[]) => real(sql, context, records.slice(0, -1)) as unknown,
    }),
  },
  {
    name: 'server: receipts are not looked up',
    functions: () => ({ loadReceipts: () => Promise.resolve(new Map()) }),
    under: { networkFaults: ['reply_lost', 'duplicated'] },
  },
  {
    name: 'server: a replay gets a new reply instead of the stored one',
    functions: () => ({
      loadReceipts: async (real, ...args: unknown[]) => {
        const receipts = (await real(...args)) as Map<string, { reply: string }>;
        return new Map(
          [...receipts].map(([id, receipt]) => [id, { ...receipt, reply: '{"success":true,"data":null}' }]),
        );
      },
    }),
    under: { networkFaults: ['reply_lost', 'duplicated'] },
  },
  {
    name: 'server: the uploader is recorded as the actor',
    seed: 8,
    functions: () => ({
      insertReceipts: (real, sql, clinicId, receipts: { envelope: object; uploadedBy: number }[]) =>
        real(
          sql,
          clinicId,
          receipts.map((receipt) => ({ ...receipt, envelope: { ...receipt.envelope, actor_id: receipt.uploadedBy } })),
        ) as unknown,
    }),
    under: { incidents: ['other_person_takes_over', 'offline_spell'] },
  },
  {
    name: "server: the clock's offset is applied twice",
    functions: () => ({
      effectiveAt: (real, times: { offsetMs: number | null }) =>
        real({ ...times, offsetMs: times.offsetMs === null ? null : times.offsetMs * 2 }) as unknown,
    }),
    under: { incidents: ['clock_jumped'] },
  },
  {
    name: 'server: every payment deducts supplies',
    functions: () => ({ loadUsed: () => Promise.resolve(new Set()) }),
  },
  {
    name: 'server: supplies are deducted only if the treatment stays completed',
    seed: 6,
    functions: () => ({
      usageOf: (real, changes: OrderChange[], used) =>
        real(
          changes.filter(({ after }) => statusOf(after) === 'completed'),
          used,
        ) as unknown,
    }),
  },
  {
    name: 'server: used supplies are reserved again',
    seed: 5,
    functions: () => ({
      reservationChanges: (real, changes, _used, ingredients) =>
        real(changes, { before: new Set(), after: new Set() }, ingredients) as unknown,
    }),
  },
  {
    name: 'server: a count ignores later deltas',
    seed: 70,
    functions: () => ({ moveStock: (real, level, movement) => real(level, movement, 0) as unknown }),
    under: { incidents: ['offline_spell', 'clock_jumped'] },
  },
  {
    name: 'server: the cursor passes running transactions',
    seed: 20,
    functions: feedAsOf(countRunning),
    under: slowCommits,
  },
  {
    name: 'server: the cursor stays below the oldest running transaction',
    seed: 589,
    functions: feedAsOf(belowTheOldest),
    under: slowCommits,
  },
  {
    name: 'server: each process trusts its own cache of treatments',
    seed: 21,
    needsSeveralServers: true,
    under: { profile: { servers: 4 } },
    functions: (cluster) => {
      const written = new Map<string, Order>();
      return {
        saveOrders: (real, sql: object, context, changes: { after: Order }[], used) => {
          for (const { after } of changes) written.set(`${cluster.serverOf(sql)} ${after.id}`, after);
          return real(sql, context, changes, used) as unknown;
        },
        loadOrders: async (real, sql: object, ...rest: unknown[]) => {
          const orders = (await real(sql, ...rest)) as Map<string, Order>;
          const own = (order: Order) => written.get(`${cluster.serverOf(sql)} ${order.id}`);
          return new Map([...orders].map(([id, order]) => [id, isWithin(own(order), order) ? own(order)! : order]));
        },
      };
    },
  },
  {
    name: 'server: a cancel stands despite a payment',
    seed: 600,
    functions: () => ({
      statusOf: (real, order: { cancels: unknown[] }) =>
        order.cancels.length > 0 ? 'cancelled' : (real(order) as unknown),
    }),
    under: { incidents: ['offline_spell'] },
  },
  {
    name: 'server: a service stays away although it is on an invoice',
    seed: 321,
    functions: () => ({
      billedLineIds: () => new Set(),
    }),
    under: { incidents: ['offline_spell'] },
  },
  {
    name: 'server: a refusal raises no attention item',
    seed: 3,
    functions: () => untold('refused'),
    under: { incidents: ['poison_written'] },
  },
  {
    name: 'server: a duplicate number raises no attention item',
    seed: 45,
    functions: () => untold('duplicate_number'),
    under: { incidents: ['storage_cloned', 'offline_spell'] },
  },
  {
    name: 'server: a replaced operation can be voided as well',
    seed: 130,
    functions: () => ({
      loadReceipts: async (real, ...args: unknown[]) => {
        const receipts = (await real(...args)) as Map<string, object>;
        return new Map([...receipts].map(([id, receipt]) => [id, { ...receipt, superseded_by: null }]));
      },
    }),
    under: { incidents: ['storage_cloned', 'poison_written', 'offline_spell'] },
  },
  {
    name: 'server: a void is not logged',
    seed: 38,
    functions: () => ({ recordAudit: () => Promise.resolve() }),
    under: { incidents: ['poison_written'] },
  },
  {
    name: 'server: an invoice gets a number from the server',
    functions: () => ({
      saveOrders: (real, sql, context, changes: { after: { invoices: object[] } }[], used) =>
        real(
          sql,
          context,
          changes.map((change) => ({
            ...change,
            after: {
              ...change.after,
              invoices: change.after.invoices.map((invoice) => ({ ...invoice, invoice_number: 'INV-S0-000001' })),
            },
          })),
          used,
        ) as unknown,
    }),
  },
  {
    name: 'server: drawer movements are stored again with the next one',
    seed: 72,
    functions: () => ({
      saveDrawers: (real, sql, clinicId, changes: DrawerChange[]) =>
        real(
          sql,
          clinicId,
          changes.map((change) => ({
            ...change,
            after: { ...change.after, movements: [...change.after.movements, ...repeatedMovements(change.before)] },
          })),
        ) as unknown,
    }),
  },
  {
    name: 'server: an excess refund raises no attention item',
    seed: 1671,
    functions: () => untold('over_refunded'),
    under: { incidents: ['offline_spell'] },
  },
  {
    name: 'server: what is invoiced twice is no concern',
    seed: 175,
    functions: () => ({
      flagAmounts: (real, order: Order) => withoutFlag(real(order) as FlagAmount[], 'over_invoiced'),
    }),
    under: { incidents: ['offline_spell'] },
  },
  {
    name: 'server: a service that two tablets gave back is no concern',
    seed: 158,
    functions: () => ({
      flagAmounts: (real, order: Order) => withoutFlag(real(order) as FlagAmount[], 'refunded_twice'),
    }),
    under: longApart,
  },
  {
    name: 'server: money on no invoice is no concern',
    seed: 79,
    functions: () => ({
      flagAmounts: (real, order: Order) => withoutFlag(real(order) as FlagAmount[], 'under_invoiced'),
    }),
    under: longApart,
  },
  {
    name: 'server: what a line earns stays what it is charged',
    seed: 5,
    functions: () => ({
      linePrices: (real, order: Order) =>
        (real(order) as LinePrice[]).map((price) => ({ ...price, earnedMinor: price.chargedMinor })),
    }),
  },
  {
    name: 'server: an exchanged invoice counts beside the one in its place',
    seed: 7,
    functions: () => ({
      flagAmounts: (real, order: Order) =>
        real({ ...order, invoices: order.invoices.map((invoice) => ({ ...invoice, replaces: undefined })) }) as unknown,
    }),
  },
  {
    name: 'server: a discount above the limit raises no attention item',
    seed: 182,
    functions: () => untold('discount_over_limit'),
  },
  {
    name: 'server: of two details of a patient the one that arrives last stays',
    seed: 15,
    functions: () => ({
      mergeFields: (real, known: Patient, update) =>
        real(
          {
            ...known,
            phoneAt: beforeAnyUpdate,
            emailAt: beforeAnyUpdate,
            notesAt: beforeAnyUpdate,
            recipientAt: beforeAnyUpdate,
          },
          update,
        ) as unknown,
    }),
  },
  {
    name: 'server: the prices of products are not looked up',
    functions: () => ({
      loadPrices: async (real, ...args: unknown[]) => ({ ...((await real(...args)) as object), products: new Map() }),
    }),
  },
  {
    name: 'server: a note of added services overwrites those before it',
    seed: 5,
    functions: () => ({
      loadOrders: async (real, ...given: unknown[]) => {
        const orders = (await real(...given)) as Map<string, Order>;
        return new Map([...orders].map(([id, order]) => [id, { ...order, addedNotes: [] }]));
      },
    }),
  },
];
