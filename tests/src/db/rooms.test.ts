import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { payloadSchemas } from '#domain/protocol/operation-schemas.ts';
import { takePayment } from '#src/db/commands/payments.ts';
import { cancelTreatment, createTreatment } from '#src/db/commands/treatments.ts';
import { orderById } from '#src/db/queries/orders.ts';
import { outboxEntries } from '#src/db/queries/outbox.ts';
import { localRooms } from '#src/db/queries/rooms.ts';
import { wipePersonal } from '#src/auth/sign-out.ts';
import { openTablet, valueOf } from './tablet.ts';
import type { OfflineTablet } from './tablet.ts';

let tablet: OfflineTablet;
beforeEach(async () => {
  tablet = await openTablet();
  const room = { capacity: 1, location: '', is_occupied: false };
  await tablet.db.rooms.bulkPut([
    { ...room, id: 4, number: '1' },
    { ...room, id: 5, number: 'X-ray', is_occupied: true },
  ]);
});
afterEach(() => tablet.close());

const services = [{ itemKey: 's1', quantity: 1 }];
const treat = async (room?: { id: number; number: string }) =>
  valueOf(await createTreatment(tablet, { orderType: 'walk_in', services, room })).orderId;
const statuses = async () =>
  Object.fromEntries(
    (await localRooms(tablet.db)).map(({ number, status, treatments }) => [number, [status, treatments.length]]),
  );

describe('the rooms of a tablet', () => {
  test('are occupied by an unsent treatment until it is paid or cancelled', async () => {
    expect(await statuses()).toEqual({ '1': ['available', 0], 'X-ray': ['occupied', 0] });
    await treat();
    const first = await treat({ id: 4, number: '1' });
    tablet.clock.now += 1000;
    const second = await treat({ id: 4, number: '1' });
    expect((await localRooms(tablet.db)).find(({ id }) => id === 4)!.treatments.map(({ id }) => id)).toEqual([
      second,
      first,
    ]);
    valueOf(await takePayment(tablet, { orderId: first, method: 'card', tenderedMinor: 1000 }));
    expect(await statuses()).toEqual({ '1': ['occupied', 1], 'X-ray': ['occupied', 0] });
    valueOf(await cancelTreatment(tablet, { orderId: second }));
    expect(await statuses()).toEqual({ '1': ['available', 0], 'X-ray': ['occupied', 0] });
  });

  test('SYNC-2 are stored with a treatment under their number at the time, and printed on its documents', async () => {
    const orderId = await treat({ id: 5, number: 'X-ray' });
    await treat();
    const [named, nameless] = (await outboxEntries(tablet.db, { limit: 9 })).map(({ operation }) => operation.payload);
    expect(named).toMatchObject({ room_id: 5, room_number: 'X-ray' });
    expect(nameless).not.toHaveProperty('room_id');
    expect(payloadSchemas['order.create'].safeParse(named).success).toBe(true);
    expect(await orderById(tablet.db, orderId)).toMatchObject({ roomId: 5, roomNumber: 'X-ray' });
    const { document } = valueOf(await takePayment(tablet, { orderId, method: 'card', tenderedMinor: 1000 }));
    expect(document.printed).toContainEqual(expect.objectContaining({ style: 'pair', left: 'Room', right: 'X-ray' }));
  });

  test('are kept when somebody signs out', async () => {
    await wipePersonal(tablet.db, 'ana@clinic.test');
    expect(Object.keys(await statuses())).toEqual(['1', 'X-ray']);
  });
});
