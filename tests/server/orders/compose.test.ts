/**
 * A tablet and another system over REST agree the same treatments with the same clinic. What they issue may differ in ids
 * and numbers only: both compose it by `domain/order/compose.ts`.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { discountOf } from '#domain/order/discount.ts';
import { orderAggregate } from '#domain/order/operations.ts';
import type { Order } from '#domain/order/order.ts';
import { totals } from '#domain/order/totals.ts';
import { paymentMethods } from '#domain/order/vocabulary.ts';
import type { Result } from '#domain/result.ts';
import { documentIssuedBy } from '#server/modules/orders/service.ts';
import { documentLabelsIn } from '#server/translations.ts';
import { changeTreatment } from '#src/db/commands/change-treatment.ts';
import { exchangeForFull, invoiceTreatment } from '#src/db/commands/invoices.ts';
import { takePayment } from '#src/db/commands/payments.ts';
import { refundTreatment } from '#src/db/commands/refunds.ts';
import { addServices, cancelTreatment, createTreatment } from '#src/db/commands/treatments.ts';
import { saveDevice } from '#src/db/singletons.ts';
import { TestDevice } from '#tests/support/device.ts';
import { inLongRun } from '#tests/support/long-run.ts';
import { actorKeyIn } from '#tests/support/proofs.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { newId } from '#tests/support/unique.ts';
import { openTablet, service } from '#tests/src/db/tablet.ts';
import type { OfflineTablet } from '#tests/src/db/tablet.ts';

/** Names, prices in cents and taxes: odd cents leave something to round. */
const sold = [
  ['Filling', 60_01, undefined],
  ['Crown', 333_33, undefined],
  ['Toothbrush', 6_05, 'standard'],
  ['Sample', 1, undefined],
] as const;

const issuer = {
  legal_name: 'Clínica Dental Luz, S.L.',
  tax_id: 'B65410011',
  address: 'Calle Mayor 1',
  postal_code: '28013',
  city: 'Madrid',
};
const eva = { name: 'Eva Ruiz', tax_id: '12345678Z', address: 'Calle Sol 2', postal_code: '28013', city: 'Madrid' };

const services = fc.array(
  fc.record({
    item: fc.nat(sold.length - 1),
    quantity: fc.constantFrom(1, 1, 2, 1.5),
    notes: fc.constantFrom('', 'Upper left'),
  }),
  { minLength: 1, maxLength: 4 },
);
const recipient = fc.constantFrom(undefined, eva);
const lines = fc.uniqueArray(fc.nat(5), { maxLength: 2 });
const step = fc.oneof(
  fc.record({ do: fc.constant('add' as const), services, notes: fc.constantFrom('', 'Tomorrow') }),
  fc.record({
    do: fc.constant('change' as const),
    removed: lines,
    replaced: lines,
    room: fc.constantFrom(undefined, null, 0),
    name: fc.constantFrom(undefined, '', 'Luis Vega'),
  }),
  ...[1, 2, 3].map(() =>
    fc.record({
      do: fc.constant('pay' as const),
      method: fc.constantFrom(...paymentMethods),
      share: fc.constantFrom(1, 1, 0.4, 1.2),
      reference: fc.constantFrom('', '4711'),
      recipient,
    }),
  ),
  fc.record({ do: fc.constant('invoice' as const), recipient }),
  fc.record({ do: fc.constant('exchange' as const), invoice: fc.nat(3) }),
  ...[1, 2].map(() =>
    fc.record({
      do: fc.constant('refund' as const),
      share: fc.constantFrom(1, 0.3, 0.71),
      lines,
      method: fc.constantFrom(...paymentMethods),
      isStillOwed: fc.constantFrom(undefined, undefined, true),
    }),
  ),
  fc.record({ do: fc.constant('cancel' as const), notes: fc.constantFrom('', 'Moved away') }),
);
const plan = fc.record({
  services,
  notes: fc.constantFrom('', 'Needs time'),
  customer: fc.constantFrom('', 'Luis Vega'),
  hasPatient: fc.boolean(),
  hasRoom: fc.boolean(),
  bps: fc.constantFrom(0, 0, 500, 3333, 10_000),
  steps: fc.array(step, { minLength: 2, maxLength: 8 }),
});
type Plan = typeof plan extends fc.Arbitrary<infer T> ? T : never;
type Step = Plan['steps'][number];

let server: TestServer;
let headers: { authorization: string };
let device: TestDevice;
let tablet: OfflineTablet;
let room: { id: number; number: string };
const products: number[] = [];
/** The time of both sides. */
let nowMs = Date.parse('2027-03-10T09:30:00Z');

async function call(method: 'POST' | 'PUT' | 'GET' | 'PATCH', url: string, payload?: object) {
  const reply = await server.app.inject({
    method,
    url: `/api${url}`,
    headers: { ...headers, 'idempotency-key': newId() },
    ...(payload && { payload }),
  });
  return reply.json<{ code?: string; data: never }>();
}

beforeAll(async () => {
  server = await startTestServer({ now: () => nowMs });
  headers = { authorization: `Bearer ${await server.login('admin')}` };
  for (const [name, minor, tax] of sold) {
    const { data } = await call('POST', '/products', { name, price: minor / 100, ...(tax && { tax }) });
    products.push((data as { id: number }).id);
  }
  room = (await call('POST', '/tables', { number: '12', capacity: 1 })).data;
});
afterAll(() => server.close());

/** @param seed of the tablet's ids, which no other tablet of the clinic may have */
async function openPaired(seed: number): Promise<void> {
  device = await TestDevice.enrol(server, 'manager');
  const print = { language: 'en', labels: documentLabelsIn('en'), cashierName: '' } as const;
  tablet = {
    ...(await openTablet(seed)),
    print,
    actorId: device.userId,
    actorKey: () => Promise.resolve(actorKeyIn(device.info)),
  };
  tablet.clock.now = nowMs;
  await saveDevice(tablet.db, device.info);
  await tablet.db.settings.put({ id: 'this', settings: (await call('GET', '/settings')).data });
  await tablet.db.catalogue.bulkPut(
    sold.map(([name, price_minor, tax], at) => ({
      ...service(products[at]!, { key: `p${products[at]}`, type: 'product', name, price_minor }),
      ...(tax && { tax }),
    })),
  );
}

/** Returns what the operation of a side says, or why it was refused. */
type Side = { payload: unknown } | { code: string };

/** The last operation of the tablet on a treatment, unless the command was refused. */
async function ofTablet(result: Result<unknown>, orderId?: string): Promise<Side & { payload?: unknown }> {
  if (!result.ok) return { code: result.refusal.code };
  const operations = (await tablet.db.operations.toArray()).toSorted((a, b) => b.device_seq - a.device_seq);
  const aggregate = orderId && orderAggregate(orderId);
  const last = operations.find((one) => one.kind.startsWith('order.') && (!aggregate || one.aggregate === aggregate));
  return { payload: last!.payload };
}

async function overRest(method: 'POST' | 'PUT' | 'PATCH', url: string, body: object, id: string): Promise<Side> {
  const { code } = await call(method, url, body);
  if (code) return { code };
  const { rows } = await server.database.$client.query(
    `select r.payload::jsonb || ${documentIssuedBy('r')} as payload from sync_ops r where aggregate = $1 and status = 'applied'
     order by xid desc limit 1`,
    [orderAggregate(id)],
  );
  return { payload: (rows[0] as { payload: unknown }).payload };
}

/** The two treatments of a plan, as far as they are. */
interface Pair {
  tabletId: string;
  restId: string;
}

/** Ids of the other side, numbers and their addresses are not compared. */
function comparable(side: Side, { tabletId, restId }: Pair): unknown {
  const text = JSON.stringify(side)
    .replaceAll(tabletId, restId)
    .replace(/"invoice_id":"[^"]+"/g, '"invoice_id":""')
    .replace(/\b(T|INV|R|F|RF)-[A-Z]+\d-\d{6,}/g, '$1');
  return JSON.parse(text);
}

const requested = (chosen: Plan['services'], payload: unknown) =>
  chosen.map(({ item, quantity, notes }, at) => ({
    line_id: (payload as { items?: { line_id: string }[] } | undefined)?.items?.[at]?.line_id,
    product_id: products[item],
    quantity,
    ...(notes && { notes }),
  }));
const planned = (chosen: Plan['services']) =>
  chosen.map(({ item, quantity, notes }) => ({ itemKey: `p${products[item]}`, quantity, notes }));

async function create({ services: chosen, notes, customer, hasPatient, hasRoom, bps }: Plan) {
  const patient = { id: newId(), name: 'Ana Gil', phone: '600100200' };
  const discount = { kind: 'percent', bps, reason: 'Family', mayExceed: true } as const;
  const result = await createTreatment(tablet, {
    orderType: 'walk_in',
    services: planned(chosen),
    notes,
    customerName: customer,
    ...(hasPatient && { patient: { ...patient, isKnown: false } }),
    ...(hasRoom && { room }),
    discount,
  });
  const made = await ofTablet(result);
  const restId = newId();
  const subtotalMinor = chosen.reduce((sum, { item, quantity }) => sum + Math.round(sold[item]![1] * quantity), 0);
  const { id: patient_id, ...person } = patient;
  const asked = await overRest(
    'POST',
    '/orders',
    {
      order_id: restId,
      items: requested(chosen, made.payload),
      ...(notes && { notes }),
      ...(customer && { customer_name: customer }),
      ...(hasPatient && { patient: { patient_id, ...person }, customer_name: person.name }),
      ...(hasRoom && { room_id: room.id }),
      discount: discountOf(discount, subtotalMinor) / 100,
      discount_reason: discount.reason,
    },
    restId,
  );
  const pair = { tabletId: result.ok ? result.value.orderId : restId, restId };
  expect(comparable(asked, pair)).toEqual(comparable(made, pair));
  return pair;
}

const storedInvoices = async (restId: string) =>
  ((await call('GET', `/orders/${restId}`)).data as { Invoices: { invoice_number: string }[] }).Invoices;

/** Does a step on both sides. */
async function both(next: Step, order: Order, { tabletId: orderId, restId }: Pair): Promise<[Side, Side]> {
  const url = `/orders/${restId}`;
  const ask = (method: 'POST' | 'PUT' | 'PATCH', path: string, body: object) =>
    overRest(method, `${url}${path}`, body, restId);
  const lineAt = (at: number) => order.lines[at % order.lines.length]?.lineId ?? newId();
  const chosen = (places: readonly number[]) => [...new Set(places.map(lineAt))];
  switch (next.do) {
    case 'add': {
      const { notes } = next;
      const made = await ofTablet(await addServices(tablet, { orderId, services: planned(next.services), notes }));
      const body = { items: requested(next.services, made.payload), ...(notes && { notes }) };
      return [made, await ask('PATCH', '', body)];
    }
    case 'change': {
      const removed = chosen(next.removed);
      const replaced = chosen(next.replaced).filter((id) => !removed.includes(id));
      const place = next.room === undefined ? {} : { room: next.room === null ? null : room };
      const made = await ofTablet(
        await changeTreatment(tablet, {
          orderId,
          removed,
          quantities: new Map(replaced.map((id) => [id, 3])),
          ...place,
          customerName: next.name,
        }),
      );
      const items = (made.payload as { replaced_items?: { line_id: string }[] } | undefined)?.replaced_items;
      const body = {
        removed_line_ids: removed,
        replaced_items: replaced.map((replaces, at) => ({ line_id: items?.[at]?.line_id, replaces, quantity: 3 })),
        ...(next.room !== undefined && { room_id: next.room === null ? null : room.id }),
        customer_name: next.name,
      };
      return [made, await ask('POST', '/changes', body)];
    }
    case 'pay': {
      const tenderedMinor = Math.round(totals(order).balanceMinor * next.share);
      const { method, reference, recipient: named } = next;
      const made = await ofTablet(
        await takePayment(tablet, { orderId, method, tenderedMinor, reference, recipient: named }),
      );
      const body = {
        payment_id: (made.payload as { payment_id?: string } | undefined)?.payment_id,
        payment_method: method,
        amount: tenderedMinor / 100,
        reference_number: reference,
        recipient: named,
      };
      return [made, await ask('POST', '/payments', body)];
    }
    case 'invoice': {
      const made = await ofTablet(await invoiceTreatment(tablet, { orderId, recipient: next.recipient }));
      return [made, await ask('POST', '/invoices', { recipient: next.recipient })];
    }
    case 'exchange': {
      const at = next.invoice % Math.max(1, order.invoices.length);
      const number = order.invoices[at]?.invoice_number ?? 'INV-A0-000000';
      const replaces = (await storedInvoices(restId))[at]?.invoice_number ?? number;
      const made = await ofTablet(await exchangeForFull(tablet, { orderId, number, recipient: eva }));
      return [made, await ask('POST', '/invoices', { replaces, recipient: eva })];
    }
    case 'refund': {
      const { method, isStillOwed } = next;
      const amountMinor = Math.max(1, Math.round(totals(order).paidMinor * next.share));
      const lineIds = isStillOwed ? [] : chosen(next.lines);
      const reason = 'Not done';
      const made = await ofTablet(
        await refundTreatment(tablet, { orderId, amountMinor, method, reason, lineIds, isStillOwed }),
      );
      const body = {
        refund_id: (made.payload as { refund_id?: string } | undefined)?.refund_id,
        payment_method: method,
        amount: amountMinor / 100,
        reason,
        lines: lineIds.map((line_id) => ({ line_id })),
        still_owed: isStillOwed,
      };
      return [made, await ask('POST', '/refunds', body)];
    }
    case 'cancel': {
      const made = await ofTablet(await cancelTreatment(tablet, { orderId, notes: next.notes }));
      const body = { status: 'cancelled', ...(next.notes && { notes: next.notes }) };
      return [made, await ask('PUT', '/status', body)];
    }
  }
}

/** The kinds of operations that both sides have done, and the codes of what both have refused. */
const seen = new Map<string, number>();

async function play(drawn: Plan): Promise<void> {
  const pair = await create(drawn);
  for (const next of drawn.steps) {
    nowMs += 1000;
    tablet.clock.now = nowMs;
    const order = (await tablet.db.orders.get(pair.tabletId)) as Order;
    const [made, asked] = await both(next, order, pair);
    expect({ [next.do]: comparable(asked, pair) }).toEqual({ [next.do]: comparable(made, pair) });
    const mark = 'code' in made ? 'refused' : next.do;
    seen.set(mark, (seen.get(mark) ?? 0) + 1);
  }
}

describe.each([
  ['without a tax profile', 1, { tax_profile: 'none' }],
  ['with a tax profile', 2, { tax_profile: 'ES', books_by_sii: true, ...issuer }],
])('SYNC-2 %s', (_profile, seed, settings) => {
  beforeAll(async () => {
    await call('PUT', '/settings', settings);
    await openPaired(seed);
  });
  afterAll(() => tablet.close());

  test('a tablet and the REST path issue the same payloads and documents', async () => {
    seen.clear();
    await fc.assert(fc.asyncProperty(plan, play), { numRuns: inLongRun(200, { otherwise: 50 }) });
    const kinds = ['add', 'change', 'pay', 'refund', 'cancel', 'refused'];
    if (settings.tax_profile === 'ES') kinds.push('invoice', 'exchange');
    expect(kinds.filter((kind) => !seen.has(kind))).toEqual([]);
  });
});
