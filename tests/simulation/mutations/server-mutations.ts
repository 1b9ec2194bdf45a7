/** Known mistakes of servers. */
import type { Drawer } from '../../../domain/drawer/drawer.ts';
import { statusOf } from '../../../domain/order/order.ts';
import type { Order } from '../../../domain/order/order.ts';
import type { DrawerChange } from '../../../server/modules/drawers/store.ts';
import type { OrderChange } from '../../../server/modules/orders/store.ts';
import { renamed } from './app-mutations.ts';
import type { Mutation } from './app-mutations.ts';

const again = (drawer: Drawer | null): Drawer['movements'] =>
  (drawer?.movements ?? []).map((movement) => ({ ...movement, opId: renamed(movement.opId) }));

/** What was written is there, and not undone by a transaction that failed or by a restore. */
const isWithin = (written: Order | undefined, order: Order): boolean =>
  written !== undefined && opsOf(written).every((opId) => opsOf(order).includes(opId));
const opsOf = ({ lines, payments, cancels }: Order): string[] =>
  [...lines, ...payments, ...cancels].map(({ opId }) => opId);

/** A snapshot that takes what still runs for committed, and one that ends below it. */
const allThatBegan = "format('%1$s:%1$s:', pg_snapshot_xmax(pg_current_snapshot()))";
const belowTheOldest = "format('%1$s:%1$s:', pg_snapshot_xmin(pg_current_snapshot()))";

/** The feed told as if the snapshot were another. */
const feedAsOf =
  (snapshot: string): NonNullable<Mutation['functions']> =>
  () => ({
    rowsOf: (real, sql, name: string, text: string, values: unknown[]) => {
      const mistaken = text.replace('pg_current_snapshot()::text', snapshot);
      return real(sql, mistaken === text ? name : `${name} ${snapshot}`.slice(0, 60), mistaken, values) as unknown;
    },
  });

/** Commits that take their time while others go on, and pulls that are missed, on a day without a pause. */
const slowCommits: Mutation['under'] = {
  networkFaults: ['commit_held', 'request_lost'],
  day: { servers: 4, tablets: 3, latencyMs: [20, 60], pauseMs: [0, 3000], steps: 30 },
};

export const serverMutations: readonly Mutation[] = [
  {
    name: 'server: the receipt is written in a transaction of its own',
    functions: (cluster) => ({
      insertReceipts: (real, _sql, ...rest: unknown[]) =>
        real(
          { query: (query: { text: string; values: unknown[] }) => cluster.ask(query.text, query.values) },
          ...rest,
        ) as unknown,
    }),
    under: { networkFaults: ['server_killed_before_commit', 'statement_fails'] },
  },
  {
    name: 'server: receipts are not looked up',
    functions: () => ({ loadReceipts: () => Promise.resolve(new Map()) }),
    under: { networkFaults: ['reply_lost', 'duplicated'] },
  },
  {
    name: 'server: a repetition is answered anew',
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
    name: 'server: the uploader is taken for the actor',
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
    name: 'server: supplies are taken at every payment',
    functions: () => ({ loadUsed: () => Promise.resolve(new Set()) }),
  },
  {
    name: 'server: supplies are taken only where a treatment ends completed',
    functions: () => ({
      usageOf: (real, changes: OrderChange[], used) =>
        real(
          changes.filter(({ after }) => statusOf(after) === 'completed'),
          used,
        ) as unknown,
    }),
  },
  {
    name: 'server: what was used is promised again',
    functions: () => ({
      reservationChanges: (real, changes, _used, ingredients) =>
        real(changes, { before: new Set(), after: new Set() }, ingredients) as unknown,
    }),
  },
  {
    name: 'server: a count ignores the deltas after it',
    from: 15,
    functions: () => ({ moveStock: (real, level, movement) => real(level, movement, 0) as unknown }),
    under: { incidents: ['offline_spell', 'clock_jumped'] },
  },
  {
    name: 'server: the feed goes on past transactions that still run',
    functions: feedAsOf(allThatBegan),
    under: slowCommits,
  },
  {
    name: 'server: the feed ends below the oldest transaction that still runs',
    from: 20,
    functions: feedAsOf(belowTheOldest),
    under: slowCommits,
  },
  {
    name: 'server: each of several goes by the treatments as it wrote them itself',
    isOfSeveral: true,
    under: { day: { servers: 4 } },
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
    name: 'server: a cancel holds whatever was paid',
    from: 230,
    functions: () => ({
      statusOf: (real, order: { cancels: unknown[] }) =>
        order.cancels.length > 0 ? 'cancelled' : (real(order) as unknown),
    }),
    under: { incidents: ['offline_spell'] },
  },
  {
    name: 'server: a refusal is shown to nobody',
    functions: () => ({
      raiseAttention: (real, sql, clinicId, atMs, concerns: { kind: string }[]) =>
        real(
          sql,
          clinicId,
          atMs,
          concerns.filter(({ kind }) => kind !== 'refused'),
        ) as unknown,
    }),
    under: { incidents: ['poison_written'] },
  },
  {
    name: 'server: a number on two papers is shown to nobody',
    functions: () => ({
      raiseAttention: (real, sql, clinicId, atMs, concerns: { kind: string }[]) =>
        real(
          sql,
          clinicId,
          atMs,
          concerns.filter(({ kind }) => kind !== 'duplicate_number'),
        ) as unknown,
    }),
    under: { incidents: ['storage_cloned', 'offline_spell'] },
  },
  {
    name: 'server: what was replaced can be given up as well',
    functions: () => ({
      loadReceipts: async (real, ...args: unknown[]) => {
        const receipts = (await real(...args)) as Map<string, object>;
        return new Map([...receipts].map(([id, receipt]) => [id, { ...receipt, superseded_by: null }]));
      },
    }),
    under: { incidents: ['storage_cloned', 'poison_written', 'offline_spell'] },
  },
  {
    name: 'server: a void stands in no log',
    functions: () => ({ recordAudit: () => Promise.resolve() }),
    under: { incidents: ['poison_written'] },
  },
  {
    name: "server: an invoice gets a number of the server's own",
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
    name: "server: a drawer's movements are written down again with the next",
    functions: () => ({
      saveDrawers: (real, sql, clinicId, changes: DrawerChange[]) =>
        real(
          sql,
          clinicId,
          changes.map((change) => ({
            ...change,
            after: { ...change.after, movements: [...change.after.movements, ...again(change.before)] },
          })),
        ) as unknown,
    }),
  },
  {
    name: 'server: more given back than was paid is shown to nobody',
    from: 700,
    functions: () => ({
      raiseAttention: (real, sql, clinicId, atMs, concerns: { kind: string }[]) =>
        real(
          sql,
          clinicId,
          atMs,
          concerns.filter(({ kind }) => kind !== 'over_refunded'),
        ) as unknown,
    }),
    under: { incidents: ['offline_spell'] },
  },
  {
    name: 'server: a discount above the limit is shown to nobody',
    from: 20,
    functions: () => ({
      raiseAttention: (real, sql, clinicId, atMs, concerns: { kind: string }[]) =>
        real(
          sql,
          clinicId,
          atMs,
          concerns.filter(({ kind }) => kind !== 'discount_over_limit'),
        ) as unknown,
    }),
  },
];
