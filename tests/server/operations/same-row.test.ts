import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { orderFromResource } from '#domain/order/resource.ts';
import type { Order } from '#domain/order/order.ts';
import { statusOf } from '#domain/order/totals.ts';
import { isOrderOperation, reduceOrder } from '#domain/order/operations.ts';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import { paymentMethods } from '#domain/order/vocabulary.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { line, TestDevice } from '#tests/support/device.ts';
import { newId } from '#tests/support/unique.ts';

let server: TestServer;
let tablet: TestDevice;

beforeAll(async () => {
  server = await startTestServer({ demo: true });
  tablet = await TestDevice.enrol(server, 'manager');
});
afterAll(() => server.close());

const cents = fc.integer({ min: 0, max: 50_000 }).map((minor) => minor / 100);
const item = fc.record({
  quantity: fc.integer({ min: 1, max: 5_000 }).map((milli) => milli / 1000),
  unit_price: cents,
});
const step = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), items: fc.array(item, { minLength: 1, maxLength: 3 }) }),
  fc.record({
    kind: fc.constant('pay' as const),
    amount: cents,
    change: cents,
    method: fc.constantFrom(...paymentMethods),
    invoice: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('refund' as const), amount: cents.filter((amount) => amount > 0) }),
  fc.record({ kind: fc.constant('cancel' as const) }),
  fc.record({
    kind: fc.constant('change' as const),
    index: fc.nat({ max: 5 }),
    item: fc.option(item),
    room: fc.option(fc.integer({ min: 1, max: 9 })),
  }),
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function operationsOf(first: { quantity: number; unit_price: number }[], steps: Step[]): AnyOperation[] {
  const created = tablet.create(first.map((over) => line(over)));
  const { order_id } = created.payload;
  const lines = [...created.payload.items];
  const rest = steps.map((one): AnyOperation => {
    switch (one.kind) {
      case 'add': {
        const items = one.items.map((over) => line(over));
        lines.push(...items);
        return tablet.operation('order.add_services', { order_id, items, notes: 'more' });
      }
      case 'change': {
        const { line_id } = lines[one.index % lines.length]!;
        if (!one.item) return tablet.operation('order.change', { order_id, removed_line_ids: [line_id] });
        const replacement = { ...line(one.item), replaces: line_id };
        lines.push(replacement);
        const room = one.room === null ? { room_id: null } : { room_id: one.room, room_number: `${one.room}` };
        return tablet.operation('order.change', { order_id, replaced_items: [replacement], ...room });
      }
      case 'pay': {
        const invoice = one.invoice ? { invoice: tablet.invoice(created.payload.items) } : {};
        return tablet.pay(created, one.amount, {
          payment_method: one.method,
          tendered: Math.round((one.amount + one.change) * 100) / 100,
          change: one.change,
          ...invoice,
        });
      }
      case 'refund':
        return tablet.operation('order.refund', {
          order_id,
          refund_id: newId(),
          payment_method: 'cash',
          amount: one.amount,
          reason: 'agreed',
          reduction: one.amount,
          credit_note_number: tablet.number('credit_note'),
        });
      case 'cancel':
        return tablet.operation('order.cancel', { order_id, status: 'cancelled', notes: 'changed mind' });
    }
  });
  return [created, ...rest];
}

/** Removes times, which differ when the tablet has no clock offset. */
function withoutTimes(order: Order): unknown {
  const untimed = <T extends { atMs: number }>({ atMs: _at, ...fact }: T) => fact;
  const { createdAtMs: _createdAt, ...rest } = order;
  return {
    ...rest,
    payments: order.payments.map(untimed),
    cancels: order.cancels.map(untimed),
    changes: order.changes.map(untimed),
    status: statusOf(order),
  };
}

describe('one reducer on both sides', () => {
  test('produces the same row on the tablet and the server, in one batch or several', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(item, { minLength: 1, maxLength: 4 }),
        fc.array(step, { maxLength: 8 }),
        fc.boolean(),
        async (first, steps, together) => {
          const operations = operationsOf(first, steps);
          const results = together ? await tablet.send(...operations) : await sendSingly(operations);
          expect(results.every(({ status }) => status === 'applied')).toBe(true);
          const local = operations
            .filter(isOrderOperation)
            .reduce<Order | null>(
              (order, operation) => reduceOrder(order, operation, Date.parse(operation.occurred_at)),
              null,
            )!;
          const reply = await server.app.inject({ url: `/api/orders/${local.id}`, headers: tablet.headers });
          const remote = orderFromResource(reply.json().data);
          expect(withoutTimes(remote)).toEqual(withoutTimes(local));
        },
      ),
      { numRuns: 60 },
    );
  });
});

async function sendSingly(operations: readonly AnyOperation[]) {
  const results = [];
  for (const operation of operations) results.push(...(await tablet.send(operation)));
  return results;
}
