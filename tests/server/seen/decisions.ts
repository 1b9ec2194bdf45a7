/**
 * The decisions of the desk: how a record comes to be, what a second person does to it, and what the first one then decides.
 * Each is a route that compares what its caller has seen.
 */
import { categorySeen, alertSeen, itemSeen, orderSeen, productSeen } from '#domain/stock/seen.ts';
import { expenseSeen } from '#domain/expense/seen.ts';
import { recordSeen } from '#domain/fiscal/seen.ts';
import { collectiveSeen } from '#domain/order/collective.ts';
import { patientSeen } from '#domain/patient/seen.ts';
import { attentionSeen, deviceSeen, sessionSeen } from '#domain/protocol/seen.ts';
import { roomSeen } from '#domain/room/seen.ts';
import { staffSeen } from '#domain/staff/seen.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { saveReplies } from '#server/modules/fiscal/answers-store.ts';
import { TestDevice, line } from '#tests/support/device.ts';
import { FiscalTill } from '#tests/support/fiscal-till.ts';
import type { TestServer } from '#tests/support/server.ts';
import { insurer } from '#tests/support/taxed-visit.ts';
import { unique } from '#tests/support/unique.ts';

type Row = Record<string, unknown> & { id: number | string };

/** Two people at the desk of one clinic, each with a session. */
export interface Desk {
  server: TestServer;
  /** Of the first person's session. */
  token: string;
  /** Sends a request of the first person, and returns the data of its reply. */
  first: (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) => Promise<any>;
  second: Desk['first'];
  /** A manager's tablet, which shows attention items. */
  manager: TestDevice;
  query: (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;
}

interface DecisionCase {
  /** The route, as `routesOf` names it. */
  route: string;
  /** What the screen shows of the record. */
  fields: readonly string[];
  /** Makes a record, and returns its id. */
  make: (desk: Desk) => Promise<number | string>;
  /** Reads the record as the first person's screen does. */
  read: (desk: Desk, id: number | string) => Promise<object>;
  /** What the second person does meanwhile. */
  change: (desk: Desk, id: number | string) => Promise<unknown>;
  /** What the decision says besides what was seen. */
  body?: object | ((seen: Record<string, any>) => object);
}

const listed =
  (path: string, rows: 'data' | 'stocks' = 'data') =>
  async ({ first }: Desk, id: number | string): Promise<object> => {
    const found = ((await first('GET', path)) as Row[]).find((row) => row.id === id);
    if (!found) throw new Error(`${path} has no ${id} among ${rows}`);
    return found;
  };
const alone =
  (path: string) =>
  ({ first }: Desk, id: number | string): Promise<object> =>
    first('GET', `${path}/${id}`);

const newExpense = ({ first }: Desk) =>
  first('POST', '/expenses', {
    title: 'Gloves',
    description: 'Nitrile, a thousand',
    amount: 50,
    category: 'supplies',
    expense_date: '2026-03-01',
  }).then(({ id }) => id);
const dearer = async ({ second }: Desk, id: number | string) => {
  const { title, description, category, expense_date } = await second('GET', `/expenses/${id}`);
  return second('PUT', `/expenses/${id}`, { title, description, category, expense_date, amount: 5000 });
};
const expense = { fields: expenseSeen, make: newExpense, read: alone('/expenses'), change: dearer };

const supplier = { supplier: 'Henara', supplier_contact: 'orders@henara.test' };
const newItem = ({ first }: Desk): Promise<number> =>
  first('POST', '/stock', {
    name: unique('gloves'),
    unit: 'boxes',
    quantity: 10,
    cost_per_unit: 9.5,
    low_stock_threshold: 1,
    ...supplier,
  }).then(({ id }) => id);
const item = {
  fields: itemSeen,
  make: newItem,
  read: alone('/stock'),
  change: ({ second }: Desk, id: number | string) => second('PUT', `/stock/${id}`, { cost_per_unit: 95 }),
};
const product = {
  fields: productSeen,
  make: ({ first }: Desk) => first('POST', '/products', { name: unique('crown'), price: 310 }).then(({ id }) => id),
  read: alone('/products'),
  change: ({ second }: Desk, id: number | string) => second('PUT', `/products/${id}`, { price: 31 }),
};
type Subject = Omit<DecisionCase, 'route' | 'body'>;

/** Deletes a record that somebody else restores, changes and deletes again: its first deletion is then taken back. */
const deletedTwice = (path: string, one: Subject): Subject => {
  let seen: object = {};
  return {
    ...one,
    make: async (desk) => {
      const id = await one.make(desk);
      seen = await one.read(desk, id);
      await desk.first('DELETE', `${path}/${id}`);
      return id;
    },
    read: async () => seen,
    change: async (desk, id) => {
      await desk.second('POST', `${path}/${id}/restore`);
      await one.change(desk, id);
      seen = await one.read(desk, id);
      await desk.second('DELETE', `${path}/${id}`);
    },
  };
};

const newOrder = async (desk: Desk): Promise<number> => {
  const items = [{ stock_id: await newItem(desk), quantity: 10, unit_cost: 9.5 }];
  return (await desk.first('POST', '/purchase-orders', { vendor: unique('Henara'), items })).id;
};
const fewer = async ({ second }: Desk, id: number | string) => {
  const { vendor, items } = await second('GET', `/purchase-orders/${id}`);
  return second('PUT', `/purchase-orders/${id}`, { vendor, items: [{ stock_id: items[0].stock_id, quantity: 1 }] });
};
const order = { fields: orderSeen, make: newOrder, read: alone('/purchase-orders'), change: fewer };
const delivery = {
  ...order,
  change: async ({ second }: Desk, id: number | string) => {
    const { items } = await second('GET', `/purchase-orders/${id}`);
    return second('POST', `/purchase-orders/${id}/receive`, { items: [{ item_id: items[0].id, quantity: 5 }] });
  },
};

/** A treatment for which two tablets took the money, and its attention item. */
const overpaid = async (desk: Desk): Promise<number> => {
  const clerk = await TestDevice.enrol(desk.server, 'counter', desk.server.clinicId);
  const create = clerk.create([line({ stock_id: await newItem(desk) })]);
  const paid = () => clerk.pay(create, 60, { invoice: clerk.invoice(create.payload.items) });
  await clerk.send(create, paid(), paid());
  const [found] = await desk.query(`select id from attention_items where order_id = $1 and kind = 'overpaid'`, [
    create.payload.order_id,
  ]);
  return Number(found!['id']);
};
const attention = {
  fields: attentionSeen,
  read: async ({ manager }: Desk, id: number | string) => {
    return (await manager.pull()).rows.attention.find((row) => row.id === id)!;
  },
};
const moreSurplus = ({ query }: Desk, id: number | string) =>
  query(`update attention_items set details = details || '{"amount": 5000}' where id = $1`, [id]);

const enrolled = async ({ server }: Desk): Promise<number> =>
  (await TestDevice.enrol(server, 'counter', server.clinicId)).info.device_id;
const device = {
  fields: deviceSeen,
  make: enrolled,
  read: listed('/devices'),
  change: ({ second }: Desk, id: number | string) => second('PUT', `/devices/${id}`, { name: 'Reception' }),
};

const alert = {
  fields: alertSeen,
  make: async ({ first }: Desk) => {
    const name = unique('needles');
    await first('POST', '/stock', {
      name,
      unit: 'boxes',
      quantity: 4,
      low_stock_threshold: 5,
      cost_per_unit: 1,
      ...supplier,
    });
    const alerts: (Row & { Stock: { name: string } })[] = await first('GET', '/stock/inventory/alerts');
    return alerts.find(({ Stock }) => Stock.name === name)!.id;
  },
  read: listed('/stock/inventory/alerts?status=all'),
  change: async (desk: Desk, id: number | string) => {
    const { stock_id } = (await listed('/stock/inventory/alerts?status=all')(desk, id)) as { stock_id: number };
    return desk.second('POST', `/stock/stock/subtract/${stock_id}`, { amount: 1 });
  },
};

/** A tablet's record whose document has not arrived. */
const heldRecord = async (desk: Desk): Promise<number> => {
  const till = new FiscalTill(await TestDevice.enrol(desk.server, 'counter', desk.server.clinicId));
  const { recorded, record } = till.sale();
  await till.device.send(recorded);
  const [found] = await desk.query('select id from fiscal_records where number = $1', [record.fields.number]);
  return Number(found!['id']);
};
const otherHold = ({ query }: Desk, id: number | string) =>
  query(`update fiscal_sendings set held_for = 'difference' where record_id = $1`, [id]);
const held = { fields: recordSeen, make: heldRecord, read: listed('/fiscal/records'), change: otherHold };

const paidTreatment = async ({ first }: Desk): Promise<{ id: string }> => {
  const { id: product_id } = await first('POST', '/products', { name: unique('crown'), price: 310, tax: 'E1' });
  return first('POST', '/orders', { items: [{ product_id, quantity: 1 }] });
};
const collective = async (desk: Desk): Promise<string> => {
  const [one, other] = [await paidTreatment(desk), await paidTreatment(desk)];
  const issued = await desk.first('POST', '/collective-invoices', {
    order_ids: [one.id, other.id],
    recipient: insurer,
    total_amount: 620,
  });
  return issued.invoice_id;
};

export const decisions: readonly DecisionCase[] = [
  { route: 'POST /api/expenses/{id}/approve', ...expense },
  { route: 'POST /api/expenses/{id}/reject', ...expense, body: { rejection_reason: 'Too dear' } },
  { route: 'DELETE /api/expenses/{id}', ...expense },
  { route: 'POST /api/expenses/{id}/restore', ...deletedTwice('/expenses', expense) },
  {
    route: 'DELETE /api/tables/{id}',
    fields: roomSeen,
    make: ({ first }) => first('POST', '/tables', { number: unique('r'), capacity: 2 }).then(({ id }) => id),
    read: alone('/tables'),
    change: ({ second }, id) => second('PUT', `/tables/${id}`, { capacity: 4 }),
  },
  {
    route: 'DELETE /api/users/{id}',
    fields: staffSeen,
    make: ({ first }) =>
      first('POST', '/users', {
        name: 'Eva',
        email: `${unique('eva')}@clinic.test`,
        password: 'a long enough password',
        role: 'counter',
      }).then(({ id }) => id),
    read: listed('/users?size=100'),
    change: ({ second }, id) => second('PUT', `/users/${id}`, { role: 'kitchen' }),
  },
  {
    route: 'DELETE /api/sessions/{id}',
    fields: sessionSeen,
    make: async ({ server, query }) => {
      const { userId } = await TestDevice.enrol(server, 'counter', server.clinicId);
      return Number((await query('select id from sessions where user_id = $1', [userId]))[0]!['id']);
    },
    read: listed('/sessions'),
    change: ({ query }, id) =>
      query(`update devices set name = 'Reception' where id = (select device_id from sessions where id = $1)`, [id]),
  },
  { route: 'DELETE /api/stock/{id}', ...item },
  { route: 'POST /api/stock/{id}/restore', ...deletedTwice('/stock', item) },
  { route: 'DELETE /api/products/{id}', ...product },
  { route: 'POST /api/products/{id}/restore', ...deletedTwice('/products', product) },
  {
    route: 'DELETE /api/categories/{id}',
    fields: categorySeen,
    make: ({ first }) => first('POST', '/categories', { name: unique('fillings') }).then(({ id }) => id),
    read: listed('/categories?per_page=100'),
    change: ({ second }, id) => second('PUT', `/categories/${id}`, { description: 'Of all kinds' }),
  },
  { route: 'POST /api/purchase-orders/{id}/send', ...order },
  { route: 'POST /api/purchase-orders/{id}/cancel', ...delivery },
  {
    route: 'POST /api/purchase-orders/{id}/receive',
    ...delivery,
    body: ({ items }) => ({ items: [{ item_id: items[0].id, quantity: 2 }] }),
  },
  {
    route: 'POST /api/stock/purchase-orders/items/{id}/receive',
    ...delivery,
    // The route names a line of the order.
    make: async (desk) => (await desk.first('GET', `/purchase-orders/${await newOrder(desk)}`)).items[0].id,
    read: async (desk, id) => {
      const orders: { items: Row[] }[] = await desk.first('GET', '/purchase-orders?per_page=100');
      return orders.find(({ items }) => items.some((each) => each.id === id))!;
    },
    change: ({ second }, id) => second('POST', `/stock/purchase-orders/items/${id}/receive`, { quantity: 5 }),
    body: { quantity: 2 },
  },
  {
    route: 'POST /api/attention/{id}/settle',
    ...attention,
    make: overpaid,
    change: moreSurplus,
    body: { reason: 'Agreed with her' },
  },
  {
    route: 'POST /api/attention/{id}/approve',
    ...attention,
    make: async (desk) => {
      const clerk = await TestDevice.enrol(desk.server, 'counter', desk.server.clinicId);
      const create = clerk.create([line({ stock_id: await newItem(desk) })]);
      await desk.first('POST', `/devices/${clerk.info.device_id}/revoke`, { reason: 'Left in a taxi' });
      await desk.manager.send(...clerk.signed([create]));
      const [found] = await desk.query('select id from attention_items where op_id = $1', [create.op_id]);
      return Number(found!['id']);
    },
    change: moreSurplus,
    body: { reason: 'It was her' },
  },
  { route: 'POST /api/devices/{id}/revoke', ...device, body: { reason: 'Left in a taxi' } },
  { route: 'POST /api/devices/{id}/lock', ...device },
  { route: 'PUT /api/stock/inventory/alerts/{id}/acknowledge', ...alert },
  { route: 'PUT /api/stock/inventory/alerts/{id}/resolve', ...alert },
  {
    route: 'POST /api/patients/{id}/erase',
    fields: patientSeen,
    make: ({ first }) => first('POST', '/patients', { name: 'Ana Gil', phone: '600 100 200' }).then(({ id }) => id),
    read: alone('/patients'),
    change: ({ second }, id) => second('PUT', `/patients/${id}`, { name: 'Ana Gil Ruiz', phone: '600 100 200' }),
    body: { reason: 'She asked for it', confirm: true },
  },
  { route: 'POST /api/fiscal/records/{id}/release', ...held },
  { route: 'POST /api/fiscal/records/{id}/annul', ...held },
  {
    route: 'POST /api/fiscal/records/{id}/correct',
    fields: recordSeen,
    make: async (desk) => {
      const { id } = await paidTreatment(desk);
      await desk.first('POST', `/orders/${id}/payments`, { payment_method: 'card', amount: 310 });
      return Number((await desk.query('select max(id) as id from fiscal_records'))[0]!['id']);
    },
    read: listed('/fiscal/records'),
    // The agency's answer arrives.
    change: ({ server }, id) =>
      inTransaction(server.database.$client, (sql) =>
        saveReplies(
          sql,
          {
            clinicId: server.clinicId,
            atMs: Date.now(),
            receipt: { origin: 'call', csv: 'A-TEST', presentedAtMs: Date.now() },
          },
          [{ recordId: Number(id), state: 'rejected', said: 'rejected', code: 1100, message: 'Wrong' }],
        ),
      ),
    body: {},
  },
  {
    route: 'POST /api/collective-invoices/{id}/payments',
    fields: collectiveSeen,
    make: collective,
    read: async ({ first }, id) =>
      ((await first('GET', '/collective-invoices')) as { invoice_id: string }[]).find(
        ({ invoice_id }) => invoice_id === id,
      )!,
    change: async ({ query, second }, id) => {
      const [row] = await query(
        `select document #>> '{treatments,0,order_id}' as id from collective_invoices where id = $1`,
        [id],
      );
      return second('POST', `/orders/${String(row!['id'])}/payments`, { payment_method: 'card', amount: 310 });
    },
    body: { payment_method: 'card' },
  },
];
