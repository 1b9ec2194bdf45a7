/** Money that is refused is never only counted, as long as its amount can be of an honest day (decision 047). */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { mostOpen, mostRefusedMoney } from '#domain/attention.ts';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import type { AttentionResource } from '#domain/protocol/sync.ts';
import { TestDevice } from '#tests/support/device.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { newId } from '#tests/support/unique.ts';

const day = 86_400_000;
let nowMs = Date.parse('2027-07-01T10:05:00+02:00');
let server: TestServer;
/** May do none of this: everything is refused. */
let kitchen: TestDevice;
let created: ReturnType<TestDevice['create']>;

beforeAll(async () => {
  server = await startTestServer({ now: () => nowMs });
  const clerk = await TestDevice.enrol(server);
  created = clerk.create();
  await clerk.send(created);
});
afterAll(() => server.close());
beforeEach(async () => {
  kitchen = await TestDevice.enrol(server, 'kitchen');
});

const at = () => ({ occurred_at: new Date(nowMs).toISOString() });
const payment = (amount = 20) => kitchen.pay(created, amount, {}, at());
const refund = (amount: number) =>
  kitchen.operation(
    'order.refund',
    {
      order_id: created.payload.order_id,
      refund_id: newId(),
      payment_method: 'cash',
      amount,
      reason: 'surplus',
      reduction: 0,
      credit_note_number: kitchen.number('credit_note'),
    },
    at(),
  );
const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

async function refuse(operations: readonly AnyOperation[], carrier = kitchen): Promise<void> {
  for (let first = 0; first < operations.length; first += 200) {
    const results = await carrier.send(...kitchen.signed(operations.slice(first, first + 200)));
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['refused']));
  }
}

async function items(): Promise<Pick<AttentionResource, 'kind' | 'op_id' | 'op_kind' | 'details'>[]> {
  const { rows } = await server.database.$client.query(
    `select kind, op_id, op_kind, details from attention_items
     where clinic_id = $1 and settled_at is null and details ->> 'device' = $2 order by id`,
    [server.clinicId, kitchen.info.code],
  );
  return rows;
}
const countOf = async (kind: string) => (await items()).filter(({ op_kind }) => op_kind === kind).length;
const counted = async () => (await items()).flatMap(({ kind, details }) => (kind === 'refused_more' ? [details] : []));

test('a refused payment and refund have items of their own, however many other refusals are open', async () => {
  await refuse(times(mostOpen.refused + 5, () => kitchen.create(undefined, at())));
  const money = [payment(20), refund(15)];
  await refuse(money);
  const own = (await items()).filter(({ op_id }) => money.some((operation) => operation.op_id === op_id));
  expect(own.map(({ kind, details }) => [kind, details['amount']])).toEqual([
    ['refused', 20],
    ['refused', 15],
  ]);
  expect(await counted()).toMatchObject([{ count: 5 }]);
  // Money takes nothing of the room of other refusals, either.
  expect(await countOf('order.create')).toBe(mostOpen.refused);
});

test('a flood of forged payments ends in one item that names their number and amounts, and begins again a day later', async () => {
  await refuse(times(mostRefusedMoney, () => payment()));
  await refuse([payment(20.1), payment(0.2), refund(15), payment(1e9), kitchen.create(undefined, at())]);
  await refuse([payment(7), refund(5.5)]);
  expect(await countOf('order.pay')).toBe(mostRefusedMoney);
  expect(await countOf('order.create')).toBe(1);
  expect(await counted()).toMatchObject([
    { actor: 'kitchen', count: 6, payments: 4, paid: 27.3, refunds: 2, refunded: 20.5 },
  ]);
  nowMs += day;
  // The session has ended by then.
  await refuse([payment()], await TestDevice.enrol(server));
  expect(await countOf('order.pay')).toBe(mostRefusedMoney + 1);
});
