import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { line } from '#tests/support/device.ts';
import { newId } from '#tests/support/unique.ts';
import type { Created } from '#tests/support/device.ts';
import { BackOffice } from '../stock/clinic.ts';

let office: BackOffice;
let gauze: number;
let needles: number;
/** Uses 1.5 of gauze. */
let splint: number;

beforeAll(async () => {
  office = await BackOffice.open();
});
afterAll(() => office.server.close());
beforeEach(async () => {
  gauze = (await office.item({ name: 'Gauze', quantity: 100 })).id;
  needles = (await office.item({ name: 'Needles', quantity: 100 })).id;
  splint = (await office.product({ name: 'Splint', ingredients: [{ ingredient_id: gauze, quantity_required: 1.5 }] }))
    .id;
});

const splintLine = () => line({ stock_id: undefined, product_id: splint, name: 'Splint', unit_price: 60 });
const send = (...operations: Parameters<BackOffice['counter']['send']>) => office.manager.send(...operations);

function refund({ op_id, payload: { order_id } }: Created, amount: number) {
  const { manager } = office;
  return manager.operation(
    'order.refund',
    {
      order_id,
      refund_id: newId(),
      payment_method: 'cash',
      amount,
      reason: 'goodwill',
      reduction: amount,
      credit_note_number: manager.number('credit_note'),
    },
    { depends_on: [op_id] },
  );
}

const more = ({ op_id, payload: { order_id } }: Created, items = [line({ stock_id: needles, unit_price: 5 })]) =>
  office.manager.operation('order.add_services', { order_id, items }, { depends_on: [op_id] });

async function shelf(id = gauze): Promise<{ quantity: number; reserved: number }> {
  const { quantity, reserved_quantity } = await office.itemNow(id);
  return { quantity, reserved: reserved_quantity };
}

const usage = () =>
  office.rows<{ op_id: string }>("select op_id from stock_transactions where stock_id = $1 and type = 'usage'", [
    gauze,
  ]);

describe('SYNC-10 a line uses its supplies once, and does not reserve them again', () => {
  test('when it is partly refunded and paid again', async () => {
    const create = office.manager.create([splintLine()]);
    const payment = office.manager.pay(create, 60);
    await send(create);
    expect(await shelf()).toEqual({ quantity: 100, reserved: 1.5 });
    await send(payment);
    await send(refund(create, 20));
    expect(await shelf()).toEqual({ quantity: 98.5, reserved: 0 });
    await send(office.manager.pay(create, 20));
    expect(await shelf()).toEqual({ quantity: 98.5, reserved: 0 });
    expect(await usage()).toEqual([{ op_id: payment.op_id }]);
  });

  test('when services are added: only the added ones are reserved', async () => {
    const create = office.manager.create([splintLine()]);
    await send(create, office.manager.pay(create, 60));
    await send(more(create));
    expect([await shelf(), await shelf(needles)]).toEqual([
      { quantity: 98.5, reserved: 0 },
      { quantity: 100, reserved: 1 },
    ]);
    await send(office.manager.pay(create, 5));
    expect([await shelf(), await shelf(needles)]).toEqual([
      { quantity: 98.5, reserved: 0 },
      { quantity: 99, reserved: 0 },
    ]);
  });

  test('when the ingredients of a product change', async () => {
    const create = office.manager.create([splintLine()]);
    await send(create, office.manager.pay(create, 60), refund(create, 20));
    await office.call('PUT', `/products/${splint}`, {
      ingredients: [{ ingredient_id: needles, quantity_required: 4 }],
    });
    expect([await shelf(), await shelf(needles)]).toEqual([
      { quantity: 98.5, reserved: 0 },
      { quantity: 100, reserved: 0 },
    ]);
  });
});

describe('SYNC-10 supplies are used by the operation that completes a treatment', () => {
  test.each([
    ['in one upload', (operations: Parameters<typeof send>) => send(...operations)],
    [
      'in separate uploads',
      async (operations: Parameters<typeof send>) => {
        for (const operation of operations) await send(operation);
      },
    ],
  ])('when later operations follow: creation, payment, addition and full refund arrive %s', async (_, upload) => {
    const create = office.manager.create([splintLine()]);
    const payment = office.manager.pay(create, 60);
    await upload([create, payment, more(create), refund(create, 60)]);
    expect([await shelf(), await shelf(needles)]).toEqual([
      { quantity: 98.5, reserved: 0 },
      { quantity: 100, reserved: 0 },
    ]);
    expect(await usage()).toEqual([{ op_id: payment.op_id }]);
  });

  test('when a free service is added', async () => {
    const create = office.manager.create([line({ stock_id: needles, unit_price: 60 })]);
    await send(create, office.manager.pay(create, 60));
    const addition = more(create, [line({ stock_id: gauze, unit_price: 0 })]);
    await send(addition);
    expect(await shelf()).toEqual({ quantity: 99, reserved: 0 });
    expect(await usage()).toEqual([{ op_id: addition.op_id }]);
  });
});
