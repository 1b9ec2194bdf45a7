/** The workload: the actions of the people at the counter. Each action reads what its tab shows, runs real commands, and returns what the person saw. */
import { changeTreatment } from '#src/db/commands/change-treatment.ts';
import type { CommandContext } from '#src/db/commands/context.ts';
import { closeDrawer, moveMoney, openDrawer } from '#src/db/commands/drawers.ts';
import { openOrder, orderTables, record, save } from '#src/db/commands/order-draft.ts';
import { updatePatient } from '#src/db/commands/patients.ts';
import type { PatientChange } from '#src/db/commands/patients.ts';
import { takePayment } from '#src/db/commands/payments.ts';
import type { PaymentOutcome } from '#src/db/commands/payments.ts';
import { refundOfLines } from '#domain/order/decisions.ts';
import { refundTreatment } from '#src/db/commands/refunds.ts';
import type { RefundOutcome } from '#src/db/commands/refunds.ts';
import { adjustStock } from '#src/db/commands/stock.ts';
import { addServices, cancelTreatment, createTreatment } from '#src/db/commands/treatments.ts';
import type { NewTreatment, PlannedService } from '#src/db/commands/treatments.ts';
import { retryRefused, voidRemote, voidRefused } from '#src/db/commands/tray.ts';
import { exchangeForFull, invoiceTreatment } from '#src/db/commands/invoices.ts';
import type { InvoiceOutcome } from '#src/db/commands/invoices.ts';
import type { OrderRow } from '#src/db/database.ts';
import { searchCatalogue } from '#src/db/queries/catalogue.ts';
import { drawerOverview } from '#src/db/queries/drawers.ts';
import { confirmedOrders, orderById, recentOrders } from '#src/db/queries/orders.ts';
import { attentionEntries, serverAttention } from '#src/db/queries/outbox.ts';
import { commit } from '#src/db/write.ts';
import { accept, refuse } from '#domain/result.ts';
import type { Result } from '#domain/result.ts';
import { stockAggregate } from '#domain/stock/operations.ts';
import type { PayloadOf } from '#domain/protocol/operations.ts';
import { isVoidable } from '#domain/protocol/operations.ts';
import type { Role } from '#domain/staff/roles.ts';
import type { Random } from '#tests/support/random.ts';

/** The part of a confirmation that a person would remember. */
export interface Confirmation {
  orderId?: string;
  payment?: PaymentOutcome;
  refund?: RefundOutcome;
  invoice?: InvoiceOutcome;
  /** The number of operations, for actions whose number varies. */
  operationCount?: number;
}

export interface ClientContext extends CommandContext {
  role: Role;
}

/** The actions of an ordinary step, each with its weight. */
export const actions = {
  sell: 30,
  create: 16,
  pay: 30,
  add_services: 10,
  change: 10,
  cancel: 8,
  adjust_stock: 14,
  retry_refused: 14,
  refund: 10,
  void_refused: 8,
  void_remote: 4,
  open_drawer: 10,
  move_money: 14,
  close_drawer: 8,
} as const;
/** Further actions at a clinic with a tax profile. */
export const fiscalActions = { pay_full: 20, invoice: 24, exchange: 24 } as const;
/** The action that accompanies others in a history with patients. */
export const patientActions = ['update_patient'] as const;
/** Actions that only an incident starts. */
export const rareActions = ['write_poison', 'count_stock'] as const;
export type Action =
  | keyof typeof actions
  | keyof typeof fiscalActions
  | (typeof patientActions)[number]
  | (typeof rareActions)[number];

/**
 * The number of operations that an action writes; null when the confirmation names the number. A sale is two commands, as at
 * the counter, so its treatment may be stored without the payment.
 */
export const operationCountOf = (action: Action): number | null =>
  action === 'sell' ? 2 : action === 'void_refused' || action === 'count_stock' ? null : 1;

/** Resolves to null when the screen offered nothing to do. */
type ActionResult = Promise<Result<Confirmation> | null>;

export function perform(action: Action, context: ClientContext, random: Random): ActionResult {
  return performers[action](context, random);
}

/** No stock item has this id or a higher one. */
export const unknownStock = 2_000_000_000;

/** Exceeds the operations of one batch, and with notes also its bytes. */
const countedItems = 220;

/** A note of what is added; draws nothing. Some say nothing. */
const noteOn = (services: readonly PlannedService[]): string =>
  services.length > 1 ? `Adds ${services.map(({ quantity }) => quantity).join(' and ')}` : '';

const performers: Record<Action, (context: ClientContext, random: Random) => ActionResult> = {
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
    // The confirmation stands even when the treatment is missing; the checkers must notice that.
    if (!order) return accept({ orderId });
    return confirmedPayment(
      await takePayment(context, { orderId, ...(tendered ?? { method, tenderedMinor: order.balanceMinor }) }),
    );
  },
  async create(context, random) {
    return confirmed(
      await createTreatment(context, {
        orderType: 'walk_in',
        services: await plan(context, random),
        discount: discount(random),
        customerName: 'María',
      }),
    );
  },
  async pay(context, random) {
    const order = pickOne(await confirmedOrders(context.db, { limit: 4 }), random);
    if (!order) return null;
    const due = Math.max(0, order.balanceMinor);
    const [method, tenderedMinor] = random.pick([
      ['card', due],
      ['cash', Math.ceil(due / 5000) * 5000],
      ['cash', Math.max(1, Math.floor(due / 2))],
      ['insurance', Math.max(1, Math.floor(due / 3))],
    ] as const);
    return confirmedPayment(await takePayment(context, { orderId: order.id, method, tenderedMinor }));
  },
  /** Takes the whole balance, for a full invoice. */
  async pay_full(context, random) {
    const order = pickOne(await confirmedOrders(context.db, { limit: 4 }), random);
    if (!order) return null;
    const tenderedMinor = Math.max(0, order.balanceMinor);
    return confirmedPayment(
      await takePayment(context, { orderId: order.id, method: 'card', tenderedMinor, recipient }),
    );
  },
  /** Invoices services that are not paid yet. */
  async invoice(context, random) {
    const order = pickOne(await recentOrders(context.db, { limit: 4 }), random);
    const isFull = random.happens(0.5);
    return (
      order && confirmedInvoice(await invoiceTreatment(context, { orderId: order.id, ...(isFull && { recipient }) }))
    );
  },
  /** Exchanges a simplified invoice for a full one. */
  async exchange(context, random) {
    const order = pickOne(
      (await recentOrders(context.db, { limit: 4 })).filter(({ invoices }) => invoices.length > 0),
      random,
    );
    if (!order) return null;
    const number = random.pick(order.invoices).invoice_number;
    return confirmedInvoice(await exchangeForFull(context, { orderId: order.id, number, recipient }));
  },
  async add_services(context, random) {
    const order = pickOne(await recentOrders(context.db, { limit: 5 }), random);
    if (!order) return null;
    const services = await plan(context, random);
    return confirmed(await addServices(context, { orderId: order.id, services, notes: noteOn(services) }));
  },
  /** Takes a service away, or gives one another quantity. */
  async change(context, random) {
    const order = pickOne(await confirmedOrders(context.db, { limit: 4 }), random);
    if (!order || order.lines.length === 0) return null;
    const { lineId } = random.pick(order.lines);
    const change = random.happens(0.5)
      ? { removed: [lineId] }
      : { quantities: new Map([[lineId, random.between(1, 4)]]) };
    return confirmed(await changeTreatment(context, { orderId: order.id, ...change }));
  },
  async cancel(context, random) {
    const order = pickOne(await confirmedOrders(context.db, { limit: 5 }), random);
    return order && confirmed(await cancelTreatment(context, { orderId: order.id }));
  },
  async adjust_stock(context, random) {
    const item = pickOne(
      (await searchCatalogue(context.db, { text: '', categoryId: null, limit: 20 })).filter(
        ({ type }) => type === 'stock',
      ),
      random,
    );
    if (!item) return null;
    const action = random.pick(['add', 'subtract', 'set'] as const);
    return confirmed(await adjustStock(context, { stockId: item.id, action, amount: random.between(1, 40) / 2 }));
  },
  async retry_refused(context, random) {
    const entry = pickOne(await attentionEntries(context.db, { limit: 5 }), random);
    return entry && confirmed(await retryRefused(context, entry.operation.op_id));
  },
  async void_refused(context, random) {
    const refused = context.role === 'manager' ? await attentionEntries(context.db, { limit: 5 }) : [];
    const entry = pickOne(
      refused.filter(({ operation }) => isVoidable(operation.kind)),
      random,
    );
    if (!entry) return null;
    const result = await voidRefused(context, { opId: entry.operation.op_id, reason: 'It never happened.' });
    return result.ok ? accept({ operationCount: result.value.opIds.length }) : result;
  },
  /** Voids an operation that the server refused from another tablet, which may be lost. */
  async void_remote(context, random) {
    const refused =
      context.role === 'manager'
        ? (await serverAttention(context.db)).filter(
            ({ kind, op_kind }) => kind === 'refused' && isVoidable(op_kind ?? ''),
          )
        : [];
    const own = new Set(await context.db.operations.toCollection().primaryKeys());
    const item = pickOne(
      refused.filter(({ op_id }) => !own.has(op_id!)),
      random,
    );
    return (
      item &&
      confirmed(
        await voidRemote(context, {
          opId: item.op_id!,
          aggregate: String(item.details['aggregate']),
          reason: 'The tablet is lost.',
        }),
      )
    );
  },
  /** Changes some details of a patient, whom another tablet may create or change meanwhile. */
  async update_patient(context, random) {
    const id = random.pick(patientIds);
    const change = patientChange(random);
    const isKnown = (await context.db.patients.get(id)) !== undefined;
    return confirmed(
      await updatePatient(context, {
        id,
        change: isKnown ? change : { name: random.pick(patientNames), ...change },
        known: null,
      }),
    );
  },
  /** Counts the whole stock, one item after another. */
  async count_stock(context, random) {
    const items = (await searchCatalogue(context.db, { text: '', categoryId: null, limit: 20 })).filter(
      ({ type }) => type === 'stock',
    );
    if (items.length === 0) return null;
    const notes = random.happens(0.5) ? 'Counted by hand. '.repeat(110) : '';
    let operationCount = 0;
    for (let step = 0; step < countedItems; step++) {
      // oxlint-disable-next-line no-await-in-loop -- A person counts one item after another.
      const result = await adjustStock(context, {
        stockId: random.pick(items).id,
        action: random.pick(['add', 'subtract', 'set'] as const),
        amount: random.between(1, 40) / 2,
        notes,
      });
      if (result.ok) operationCount += 1;
    }
    return accept({ operationCount });
  },
  /** Refunds with any role. The app offers refunds to managers only, and the server must refuse them from others. */
  async refund(context, random) {
    const order = pickOne(
      (await recentOrders(context.db, { limit: 3 })).filter(({ paidMinor }) => paidMinor > 0),
      random,
    );
    if (!order) return null;
    const result = await refundTreatment(context, {
      orderId: order.id,
      method: random.pick(['cash', 'card'] as const),
      reason: 'unhappy',
      ...refunded(order, random),
    });
    return result.ok ? accept({ orderId: order.id, refund: result.value }) : result;
  },
  async open_drawer(context, random) {
    return confirmed(await openDrawer(context, { floatMinor: random.between(0, 2) * 5000 }));
  },
  async move_money(context, random) {
    const { current } = await drawerOverview(context.db, context.ports.now());
    const direction = random.pick(['in', 'out'] as const);
    return (
      current &&
      confirmed(
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
    return current && confirmed(await closeDrawer(context, { drawerId: current.id, countedMinor }));
  },
  /** Writes an operation that the app never writes. The server must refuse this operation and accept the others of the batch. */
  async write_poison(context, random) {
    const order = random.happens(0.7) ? pickOne(await recentOrders(context.db, { limit: 5 }), random) : null;
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

/** Draws what is refunded: the treatment as a whole, services with what they earn or a part of it, or a mistake. */
function refunded(
  order: OrderRow,
  random: Random,
): Pick<Parameters<typeof refundTreatment>[1], 'amountMinor' | 'lineIds' | 'isStillOwed'> {
  const part = (minor: number) => (random.happens(0.6) ? minor : Math.max(1, Math.ceil(minor / 2)));
  const lineIds = order.lines.filter(() => random.happens(0.5)).map(({ lineId }) => lineId);
  const proposedMinor = refundOfLines(order, lineIds);
  if (proposedMinor > 0 && random.happens(0.5)) return { amountMinor: part(proposedMinor), lineIds };
  return { amountMinor: part(order.paidMinor), isStillOwed: random.happens(0.25) };
}

/** The patients of a clinic: few, so that tablets meet in them. */
export const patientIds = ['1', '2', '3'].map((digit) => `019e1ba1-0d00-7000-8000-00000000000${digit}`);
const patientNames = ['Zoe Alba', 'Zoe Sanz', 'Iker Ruiz'] as const;

/** Draws at least one detail. Each text says when it was written, so that no two updates state the same. */
function patientChange(random: Random): PatientChange {
  const text = () => `${random.between(1, 999_999)}`;
  const drawn: PatientChange = {
    ...(random.happens(0.3) && { name: `${random.pick(patientNames)} ${text()}` }),
    ...(random.happens(0.3) && { phone: random.happens(0.2) ? '' : text() }),
    ...(random.happens(0.4) && { email: random.happens(0.2) ? '' : `zoe${text()}@example.org` }),
    ...(random.happens(0.3) && { recipient: random.happens(0.3) ? null : { ...recipient, name: `Payer ${text()}` } }),
  };
  return Object.keys(drawn).length > 0 ? drawn : { notes: `Calls at ${text()}` };
}

const recipient = {
  name: 'María Ñúñez & Hijos',
  tax_id: '12345678Z',
  address: 'Calle Mayor 1',
  postal_code: '28013',
  city: 'Madrid',
};

async function plan({ db }: CommandContext, random: Random): Promise<PlannedService[]> {
  const items = await searchCatalogue(db, { text: '', categoryId: null, limit: 20 });
  if (items.length === 0) return [];
  return Array.from({ length: random.between(1, 2) }, () => ({
    itemKey: random.pick(items).key,
    quantity: random.between(1, 3),
  }));
}

/** Draws a discount below or above the clinic's limit. A tablet with outdated settings lets anybody give either. */
function discount(random: Random): NewTreatment['discount'] {
  if (!random.happens(0.25)) return undefined;
  const amount = random.pick([
    { kind: 'percent', bps: 2550 },
    { kind: 'amount', minor: 199 },
  ] as const);
  return { ...amount, reason: 'staff', mayExceed: true };
}

/** Writes an operation that no command of the counter writes, by the same write path. */
function onOrder<K extends 'order.add_services' | 'order.pay'>(
  context: CommandContext,
  order: OrderRow,
  kind: K,
  payload: (newId: () => string) => PayloadOf[K],
): ActionResult {
  return commit<Confirmation>(context, orderTables(context.db), async (write) => {
    const draft = await openOrder(write, order.id);
    if (!draft) return refuse('ORDER_NOT_FOUND');
    record(
      write,
      draft,
      kind,
      payload(() => write.newId()),
    );
    save(write, draft);
    return accept({ orderId: order.id });
  });
}

const pickOne = <T>(choices: readonly T[], random: Random): T | null =>
  choices.length === 0 ? null : random.pick(choices);

function confirmed(result: Result<object>): Result<Confirmation> {
  if (!result.ok) return result;
  return accept('orderId' in result.value ? { orderId: result.value.orderId as string } : {});
}

function confirmedPayment(result: Result<PaymentOutcome>): Result<Confirmation> {
  return result.ok ? accept({ orderId: result.value.orderId, payment: result.value }) : result;
}

const confirmedInvoice = (result: Result<InvoiceOutcome>): Result<Confirmation> =>
  result.ok ? accept({ orderId: result.value.orderId, invoice: result.value }) : result;
