/** What a tablet entered last stands on the tablet and on the server, though its clock was set back in between. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { orderFromResource } from '#domain/order/resource.ts';
import type { Order } from '#domain/order/order.ts';
import type { OrderResource } from '#domain/order/resource.ts';
import { changeTreatment } from '#src/db/commands/change-treatment.ts';
import type { TreatmentChange } from '#src/db/commands/change-treatment.ts';
import { createTreatment } from '#src/db/commands/treatments.ts';
import { queuedState, transition } from '#src/db/operation-state.ts';
import { orderById } from '#src/db/queries/orders.ts';
import { rebaseOrders } from '#src/db/rebase.ts';
import { saveDevice, updateSync } from '#src/db/singletons.ts';
import { TestDevice } from '#tests/support/device.ts';
import { actorKeyIn } from '#tests/support/proofs.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { openTablet, valueOf } from '#tests/src/db/tablet.ts';
import type { OfflineTablet } from '#tests/src/db/tablet.ts';

const hourMs = 3_600_000;

let server: TestServer;
let device: TestDevice;
let other: TestDevice;
let tablet: OfflineTablet;
let orderId: string;
let startMs: number;

beforeAll(async () => {
  server = await startTestServer({ demo: true });
  device = await TestDevice.enrol(server, 'manager');
  other = await TestDevice.enrol(server, 'manager');
});
afterAll(() => server.close());

beforeEach(async () => {
  const opened = await openTablet();
  tablet = { ...opened, actorId: device.userId, actorKey: () => Promise.resolve(actorKeyIn(device.info)) };
  await saveDevice(tablet.db, device.info);
  await updateSync(tablet.db, { clock_offset_ms: 0 });
  startMs = Date.now() - 6 * hourMs;
  tablet.clock.now = startMs;
  const services = ['s1', 's2'].map((itemKey) => ({ itemKey, quantity: 1 }));
  ({ orderId } = valueOf(await createTreatment(tablet, { orderType: 'walk_in', services })));
});
afterEach(() => tablet.close());

const change = async (hours: number, changed: Omit<TreatmentChange, 'orderId'>) => {
  tablet.clock.now = startMs + hours * hourMs;
  valueOf(await changeTreatment(tablet, { orderId, ...changed }));
};
const elsewhere = (hours: number, payload: object) =>
  other.send(
    other.operation(
      'order.change',
      { order_id: orderId, ...payload },
      { occurred_at: new Date(startMs + hours * hourMs).toISOString() },
    ),
  );
const shown = async () => (await orderById(tablet.db, orderId))!;
const stored = async (): Promise<OrderResource> =>
  (await server.app.inject({ url: `/api/orders/${orderId}`, headers: device.headers })).json().data;
/** Sends what waits, and stores the reply of the feed: the server's row. */
const synced = async () => {
  const operations = (await tablet.db.operations.toArray()).toSorted((a, b) => a.device_seq - b.device_seq);
  for (const { status, reply } of await device.send(...operations))
    expect(status, JSON.stringify(reply)).toBe('applied');
  const row = orderFromResource(await stored());
  const { db } = tablet;
  await db.transaction('rw', [db.orders, db.order_bases, db.operations, db.operation_states], async () => {
    await db.operation_states.bulkPut(
      operations.map((operation) =>
        transition(queuedState(operation, operation.device_seq, startMs), 'settle', startMs),
      ),
    );
    await db.operations.clear();
    await rebaseOrders(db, new Map([[orderId, row]]));
  });
};
const content = ({ roomId, roomNumber, customerName, lines, removedLines, changes }: Order) => ({
  roomId,
  roomNumber,
  customerName,
  changes,
  lines: lines.map(({ name, quantityMilli }) => [name, quantityMilli]),
  removed: removedLines.map(({ name }) => name),
});
const expectSame = async () => expect(content(await shown())).toEqual(content(orderFromResource(await stored())));

describe('SYNC-11 the clock of a tablet is set back an hour', () => {
  test('SYNC-11 between two rooms, and the room that was chosen last stands at both ends', async () => {
    await change(3, { room: { id: 7, number: '7' } });
    await change(2, { room: { id: 2, number: '2' } });
    expect(await shown()).toMatchObject({ roomId: 2, roomNumber: '2' });
    await synced();
    expect(await stored()).toMatchObject({ room_id: 2, room_number: '2' });
    await expectSame();
  });

  test('SYNC-11 and another tablet chose a room in between: the later one of the first tablet stands', async () => {
    await change(3, { room: { id: 7, number: '7' } });
    await synced();
    await elsewhere(2.5, { room_id: 5, room_number: '5' });
    expect(await stored()).toMatchObject({ room_id: 7 });
    await change(2, { room: { id: 2, number: '2' }, customerName: 'Ana' });
    expect(await shown()).toMatchObject({ roomId: 2 });
    await synced();
    expect(await stored()).toMatchObject({ room_id: 2, room_number: '2', customer_name: 'Ana' });
    await expectSame();
    await elsewhere(3.5, { room_id: 5, room_number: '5' });
    expect(await stored()).toMatchObject({ room_id: 5 });
  });
});
