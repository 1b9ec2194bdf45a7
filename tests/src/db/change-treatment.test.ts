import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { changeTreatment } from '#src/db/commands/change-treatment.ts';
import { takePayment } from '#src/db/commands/payments.ts';
import { addServices, createTreatment } from '#src/db/commands/treatments.ts';
import { outboxEntries } from '#src/db/queries/outbox.ts';
import { orderById } from '#src/db/queries/orders.ts';
import { payloadSchemas } from '#domain/protocol/operation-schemas.ts';
import { openTablet, refusalOf, valueOf } from './tablet.ts';
import type { OfflineTablet } from './tablet.ts';

let tablet: OfflineTablet;
beforeEach(async () => {
  tablet = await openTablet();
});
afterEach(() => tablet.close());

const treatment = async () =>
  valueOf(
    await createTreatment(tablet, {
      orderType: 'walk_in',
      services: [
        { itemKey: 's1', quantity: 1 },
        { itemKey: 's2', quantity: 1 },
      ],
      discount: { kind: 'percent', bps: 1000, reason: '', mayExceed: false },
    }),
  ).orderId;
const order = async (orderId: string) => (await orderById(tablet.db, orderId))!;
const lineOf = async (orderId: string, name: string) =>
  (await order(orderId)).lines.find((line) => line.name === name)!.lineId;

describe('changeTreatment', () => {
  test('takes a service away and gives another a new quantity at the agreed price, in one operation that the server understands', async () => {
    const orderId = await treatment();
    await tablet.db.catalogue.update('s2', { price_minor: 999_00 });
    valueOf(
      await changeTreatment(tablet, {
        orderId,
        removed: [await lineOf(orderId, 'Service 1')],
        quantities: new Map([[await lineOf(orderId, 'Service 2'), 3]]),
      }),
    );
    const changed = await order(orderId);
    expect(
      changed.lines.map(({ name, quantityMilli, unitPriceMinor }) => [name, quantityMilli, unitPriceMinor]),
    ).toEqual([['Service 2', 3000, 2000]]);
    // The plan was worth 30.00 with 3.00 off; more than the plan is left, so the discount stays.
    expect(changed).toMatchObject({ totalMinor: 5700, discountMinor: 300, status: 'confirmed' });
    const entries = await outboxEntries(tablet.db, { limit: 10 });
    const { operation } = entries.find(({ operation: { kind } }) => kind === 'order.change')!;
    expect(payloadSchemas['order.change'].safeParse(operation.payload).error).toBeUndefined();
  });

  test('lets the discount shrink with the services, to the cent', async () => {
    const orderId = await treatment();
    valueOf(await changeTreatment(tablet, { orderId, removed: [await lineOf(orderId, 'Service 2')] }));
    expect(await order(orderId)).toMatchObject({ discountMinor: 100, totalMinor: 900 });
  });

  test('names another room and patient, or nobody, and stores a new patient for searches', async () => {
    const orderId = await treatment();
    const patient = { id: '019e1ba1-0d00-7000-8000-00000000abcd', name: 'Ana Ruiz', phone: '600', isKnown: false };
    valueOf(await changeTreatment(tablet, { orderId, room: { id: 4, number: '12' }, patient }));
    expect(await order(orderId)).toMatchObject({
      roomId: 4,
      roomNumber: '12',
      customerName: 'Ana Ruiz',
      patientId: patient.id,
    });
    expect(await tablet.db.patients.get(patient.id)).toMatchObject({ name: 'Ana Ruiz' });
    tablet.clock.now += 1000;
    valueOf(await changeTreatment(tablet, { orderId, room: null, patient: null }));
    expect(await order(orderId)).toMatchObject({ roomId: null, roomNumber: '', customerName: '', patientId: null });
  });

  test('writes nothing when it is refused: an invoiced service, the last one, more paid than is left', async () => {
    const orderId = await treatment();
    const [one, two] = [await lineOf(orderId, 'Service 1'), await lineOf(orderId, 'Service 2')];
    expect(refusalOf(await changeTreatment(tablet, { orderId, removed: [one, two] }))).toBe('LAST_LINE');
    valueOf(await takePayment(tablet, { orderId, method: 'cash', tenderedMinor: 2000 }));
    expect(refusalOf(await changeTreatment(tablet, { orderId, removed: [two] }))).toBe('CHANGE_BELOW_PAID');
    const { balanceMinor } = await order(orderId);
    valueOf(await takePayment(tablet, { orderId, method: 'card', tenderedMinor: balanceMinor }));
    valueOf(await addServices(tablet, { orderId, services: [{ itemKey: 's1', quantity: 1 }] }));
    const written = (await outboxEntries(tablet.db, { limit: 100 })).length;
    expect(refusalOf(await changeTreatment(tablet, { orderId, removed: [one] }))).toBe('LINE_INVOICED');
    expect(await outboxEntries(tablet.db, { limit: 100 })).toHaveLength(written);
    expect((await order(orderId)).lines).toHaveLength(3);
  });
});
