/** The people at the counter. They look at the screen of their tab, do one thing, and write down what they were told. */
import type { CommandContext } from '../../../src/db/commands/context.ts';
import { closeDrawer, moveMoney, openDrawer } from '../../../src/db/commands/drawers.ts';
import { openOrder, orderTables, record, save } from '../../../src/db/commands/order-draft.ts';
import { takePayment } from '../../../src/db/commands/payments.ts';
import type { PaymentOutcome } from '../../../src/db/commands/payments.ts';
import type { PlannedService } from '../../../src/db/commands/plan.ts';
import { refundTreatment } from '../../../src/db/commands/refunds.ts';
import type { RefundOutcome } from '../../../src/db/commands/refunds.ts';
import { adjustStock } from '../../../src/db/commands/stock.ts';
import { addServices, cancelTreatment, createTreatment } from '../../../src/db/commands/treatments.ts';
import type { NewTreatment } from '../../../src/db/commands/treatments.ts';
import { retryRefused, voidRemote, voidRefused } from '../../../src/db/commands/tray.ts';
import type { OrderRow } from '../../../src/db/database.ts';
import { searchCatalogue } from '../../../src/db/queries/catalogue.ts';
import { drawerOverview } from '../../../src/db/queries/drawers.ts';
import { confirmedOrders, orderById, recentOrders } from '../../../src/db/queries/orders.ts';
import { attentionEntries, serverAttention } from '../../../src/db/queries/outbox.ts';
import { commit } from '../../../src/db/write.ts';
import { accept, refuse } from '../../../domain/result.ts';
import type { Result } from '../../../domain/result.ts';
import { stockAggregate } from '../../../domain/stock/operations.ts';
import type { PayloadOf } from '../../../domain/protocol/operations.ts';
import type { Role } from '../../../domain/staff/roles.ts';
import type { Random } from '../../support/random.ts';

/** What a person was told, reduced to what they would remember. */
export interface Confirmation {
  orderId?: string;
  payment?: PaymentOutcome;
  refund?: RefundOutcome;
  /** How many operations it took, where the action alone does not say. */
  steps?: number;
}

/** Who works where. */
export interface ClientContext extends CommandContext {
  role: Role;
}

export const actions = {
  sell: 30,
  create: 16,
  pay: 30,
  add_services: 10,
  cancel: 8,
  adjust_stock: 14,
  retry_refused: 14,
  refund: 10,
  void_refused: 8,
  void_elsewhere: 4,
  open_drawer: 10,
  move_money: 14,
  close_drawer: 8,
} as const;
/** What only an incident brings about. */
export const rareActions = ['write_poison', 'count_stock'] as const;
export type Action = keyof typeof actions | (typeof rareActions)[number];

/**
 * How many operations each action makes; null: as many as the person was told of. A sale is two commands, as at the counter: the
 * treatment may stand without its payment.
 */
export const operationCountOf = (action: Action): number | null =>
  action === 'sell' ? 2 : action === 'void_refused' || action === 'count_stock' ? null : 1;

/** Null: there was nothing to do. */
type Done = Promise<Result<Confirmation> | null>;

export function work(action: Action, context: ClientContext, random: Random): Done {
  return workers[action](context, random);
}

/** No clinic has an item with this number, or a higher one. */
export const unknownStock = 2_000_000_000;

/** More than goes into one batch, with notes also by its bytes. */
const longShift = 220;

const workers: Record<Action, (context: ClientContext, random: Random) => Done> = {
  async sell(context, random) {
    const services = await plan(context, random);
    const method = random.pick(['cash', 'card', 'insurance'] as const);
    const tendered = random.happens(0.25)
      ? { method: 'cash' as const, tenderedMinor: random.between(1, 60_000) }
      : null;
    const created = await createTreatment(context, { orderType: 'walk_in', services, discount: discount(random) });
    if (!created.ok) return created;
    const { orderId } = created.value;
    const order = await orderById(context.db, orderId);
    // That it is not there, they do not know: they go by what they were told.
    if (!order) return accept({ orderId });
    return paid(
      await takePayment(context, { orderId, ...(tendered ?? { method, tenderedMinor: order.balanceMinor }) }),
    );
  },
  async create(context, random) {
    return told(
      await createTreatment(context, {
        orderType: 'walk_in',
        services: await plan(context, random),
        discount: discount(random),
        customerName: 'María',
      }),
    );
  },
  async pay(context, random) {
    const order = one(await confirmedOrders(context.db, { limit: 4 }), random);
    if (!order) return null;
    const due = Math.max(0, order.balanceMinor);
    const [method, tenderedMinor] = random.pick([
      ['card', due],
      ['cash', Math.ceil(due / 5000) * 5000],
      ['cash', Math.max(1, Math.floor(due / 2))],
      ['insurance', Math.max(1, Math.floor(due / 3))],
    ] as const);
    return paid(await takePayment(context, { orderId: order.id, method, tenderedMinor }));
  },
  async add_services(context, random) {
    const order = one(await recentOrders(context.db, { limit: 5 }), random);
    return order && told(await addServices(context, { orderId: order.id, services: await plan(context, random) }));
  },
  async cancel(context, random) {
    const order = one(await confirmedOrders(context.db, { limit: 5 }), random);
    return order && told(await cancelTreatment(context, { orderId: order.id }));
  },
  async adjust_stock(context, random) {
    const item = one(
      (await searchCatalogue(context.db, { text: '', categoryId: null, limit: 20 })).filter(
        ({ type }) => type === 'stock',
      ),
      random,
    );
    if (!item) return null;
    const action = random.pick(['add', 'subtract', 'set'] as const);
    return told(await adjustStock(context, { stockId: item.id, action, amount: random.between(1, 40) / 2 }));
  },
  async retry_refused(context, random) {
    const entry = one(await attentionEntries(context.db, { limit: 5 }), random);
    return entry && told(await retryRefused(context, entry.operation.op_id));
  },
  async void_refused(context, random) {
    const entry = context.role === 'manager' ? one(await attentionEntries(context.db, { limit: 5 }), random) : null;
    if (!entry) return null;
    const result = await voidRefused(context, { opId: entry.operation.op_id, reason: 'It never happened.' });
    return result.ok ? accept({ steps: result.value.opIds.length }) : result;
  },
  /** What the server refused of another tablet, which may be lost. */
  async void_elsewhere(context, random) {
    const refused =
      context.role === 'manager' ? (await serverAttention(context.db)).filter(({ kind }) => kind === 'refused') : [];
    const own = new Set(await context.db.operations.toCollection().primaryKeys());
    const item = one(
      refused.filter(({ op_id }) => !own.has(op_id!)),
      random,
    );
    return (
      item &&
      told(
        await voidRemote(context, {
          opId: item.op_id!,
          aggregate: String(item.details['aggregate']),
          reason: 'The tablet is lost.',
        }),
      )
    );
  },
  /** Everything on the shelves, one piece after another. */
  async count_stock(context, random) {
    const items = (await searchCatalogue(context.db, { text: '', categoryId: null, limit: 20 })).filter(
      ({ type }) => type === 'stock',
    );
    if (items.length === 0) return null;
    const notes = random.happens(0.5) ? 'Counted by hand. '.repeat(110) : '';
    let steps = 0;
    for (let step = 0; step < longShift; step++) {
      // oxlint-disable-next-line no-await-in-loop -- One after another, as a person does it.
      const result = await adjustStock(context, {
        stockId: random.pick(items).id,
        action: random.pick(['add', 'subtract', 'set'] as const),
        amount: random.between(1, 40) / 2,
        notes,
      });
      if (result.ok) steps += 1;
    }
    return accept({ steps });
  },
  /** Whoever does it: the app leaves it to managers, and the server must refuse it from others. */
  async refund(context, random) {
    const order = one(
      (await recentOrders(context.db, { limit: 3 })).filter(({ paidMinor }) => paidMinor > 0),
      random,
    );
    if (!order) return null;
    const amountMinor = random.happens(0.7) ? order.paidMinor : Math.ceil(order.paidMinor / 2);
    const result = await refundTreatment(context, {
      orderId: order.id,
      amountMinor,
      method: random.pick(['cash', 'card'] as const),
      reason: 'unhappy',
    });
    return result.ok ? accept({ orderId: order.id, refund: result.value }) : result;
  },
  async open_drawer(context, random) {
    return told(await openDrawer(context, { floatMinor: random.between(0, 2) * 5000 }));
  },
  async move_money(context, random) {
    const { current } = await drawerOverview(context.db, context.ports.now());
    const direction = random.pick(['in', 'out'] as const);
    return (
      current &&
      told(
        await moveMoney(context, {
          drawerId: current.id,
          direction,
          amountMinor: random.between(1, 20_000),
          reason: 'change',
        }),
      )
    );
  },
  async close_drawer(context, random) {
    const { current } = await drawerOverview(context.db, context.ports.now());
    const countedMinor = { cash: random.between(0, 90_000), card: random.between(0, 90_000), insurance: 0, others: 0 };
    return current && told(await closeDrawer(context, { drawerId: current.id, countedMinor }));
  },
  /** What no app of ours would write: the server must refuse it alone, and let the rest pass. */
  async write_poison(context, random) {
    const order = random.happens(0.7) ? one(await recentOrders(context.db, { limit: 5 }), random) : null;
    if (order && random.happens(0.5))
      return onOrder(context, order, 'order.add_services', () => ({ order_id: order.id, items: [] }));
    if (order) {
      return onOrder(context, order, 'order.pay', (newId) => ({
        order_id: order.id,
        payment_id: newId(),
        payment_method: 'cash',
        amount: 0.001,
        tendered: 0.001,
        change: 0,
      }));
    }
    const stockId = unknownStock + random.between(1, 9);
    return commit<Confirmation>(context, [], async (write) => {
      write.append({
        kind: 'stock.adjust',
        aggregate: stockAggregate(stockId),
        payload: { stock_id: stockId, action: 'add', amount: 1 },
        dependsOn: [],
      });
      return accept({});
    });
  },
};

async function plan({ db }: CommandContext, random: Random): Promise<PlannedService[]> {
  const items = await searchCatalogue(db, { text: '', categoryId: null, limit: 20 });
  if (items.length === 0) return [];
  return Array.from({ length: random.between(1, 2) }, () => ({
    itemKey: random.pick(items).key,
    quantity: random.between(1, 3),
  }));
}

/** A discount within the clinic's limit or far above it: a tablet that has not heard of a change may let anybody give either. */
function discount(random: Random): NewTreatment['discount'] {
  if (!random.happens(0.25)) return undefined;
  const amount = random.pick([
    { kind: 'percent', bps: 2550 },
    { kind: 'amount', minor: 199 },
  ] as const);
  return { ...amount, reason: 'staff', mayExceed: true };
}

/** An operation that no command of the counter makes, by the same path as those that it does. */
function onOrder<K extends 'order.add_services' | 'order.pay'>(
  context: CommandContext,
  order: OrderRow,
  kind: K,
  payload: (newId: () => string) => PayloadOf[K],
): Done {
  return commit<Confirmation>(context, orderTables(context.db), async (write) => {
    const draft = await openOrder(write, order.id);
    if (!draft) return refuse('ORDER_NOT_FOUND');
    record(
      write,
      draft,
      kind,
      payload(() => write.newId()),
    );
    await save(write, draft);
    return accept({ orderId: order.id });
  });
}

const one = <T>(choices: readonly T[], random: Random): T | null =>
  choices.length === 0 ? null : random.pick(choices);

function told(result: Result<object>): Result<Confirmation> {
  if (!result.ok) return result;
  return accept('orderId' in result.value ? { orderId: result.value.orderId as string } : {});
}

function paid(result: Result<PaymentOutcome>): Result<Confirmation> {
  return result.ok ? accept({ orderId: result.value.orderId, payment: result.value }) : result;
}
