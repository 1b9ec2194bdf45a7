import { afterEach, beforeEach, expect, test } from 'vitest';
import { takePayment } from '#src/db/commands/payments.ts';
import { refundTreatment } from '#src/db/commands/refunds.ts';
import { addServices, createTreatment } from '#src/db/commands/treatments.ts';
import { orderById } from '#src/db/queries/orders.ts';
import { orderSums } from '#src/features/counter/order-sums.ts';
import { openTablet, service, valueOf } from '#tests/src/db/tablet.ts';
import type { OfflineTablet } from '#tests/src/db/tablet.ts';

let tablet: OfflineTablet;
beforeEach(async () => {
  tablet = await openTablet();
  await tablet.db.catalogue.put(service(10));
});
afterEach(() => tablet.close());

test('total, less what was given back, less what was paid, is what is due', async () => {
  const services = [{ itemKey: 's10', quantity: 2 }];
  const { orderId } = valueOf(await createTreatment(tablet, { orderType: 'walk_in', services }));
  const read = async () => (await orderById(tablet.db, orderId))!;
  expect(orderSums(await read())).toEqual([{ name: 'total', minor: 200_00 }]);

  valueOf(await takePayment(tablet, { orderId, method: 'card', tenderedMinor: 200_00 }));
  const refund = (amountMinor: number, isStillOwed: boolean) =>
    refundTreatment(tablet, { orderId, amountMinor, method: 'card', reason: 'agreed', isStillOwed });
  valueOf(await refund(50_00, false));
  valueOf(await refund(30_00, true));
  valueOf(await addServices(tablet, { orderId, services: [{ itemKey: 's1', quantity: 1 }] }));
  const order = await read();
  const sums = orderSums(order);
  expect(sums).toEqual([
    { name: 'total', minor: 210_00 },
    { name: 'given', minor: -50_00 },
    { name: 'paid', minor: 120_00 },
  ]);
  expect(order.balanceMinor).toBe(210_00 - 50_00 - 120_00);
});
