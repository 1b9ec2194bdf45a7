import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { takePayment } from '#src/db/commands/payments.ts';
import { refundTreatment } from '#src/db/commands/refunds.ts';
import { createTreatment } from '#src/db/commands/treatments.ts';
import { orderById } from '#src/db/queries/orders.ts';
import { consequenceOf } from '#src/refund/use-consequence.ts';
import type { Consequence } from '#src/refund/use-consequence.ts';
import { openTablet, service, valueOf } from '../db/tablet.ts';
import type { OfflineTablet } from '../db/tablet.ts';

let tablet: OfflineTablet;
beforeEach(async () => {
  tablet = await openTablet();
  await tablet.db.catalogue.bulkPut([service(10), service(11, { price_minor: 10_000 })]);
});
afterEach(() => tablet.close());

/** The services are A and B of 100,00 each. `refunds` are earlier ones. */
interface Case {
  name: string;
  paidMinor: number;
  refunds?: Wish[];
  wish: Wish;
  is: Consequence;
}

/** `line` is 0 for A and 1 for B. */
interface Wish {
  amountMinor: number;
  line?: number;
  isStillOwed?: boolean;
}

const is = (kind: Consequence['kind'], owedMinor: number, paidMinor: number): Consequence => ({
  kind,
  owedMinor,
  paidMinor,
  balanceMinor: owedMinor - paidMinor,
});

const cases: Case[] = [
  { name: 'a service', paidMinor: 200_00, wish: { amountMinor: 100_00, line: 1 }, is: is('settled', 100_00, 100_00) },
  { name: 'an amount', paidMinor: 200_00, wish: { amountMinor: 50_00 }, is: is('settled', 150_00, 150_00) },
  {
    name: 'an amount, still to be paid',
    paidMinor: 200_00,
    wish: { amountMinor: 50_00, isStillOwed: true },
    is: is('due', 200_00, 150_00),
  },
  { name: 'all', paidMinor: 200_00, wish: { amountMinor: 200_00 }, is: is('cancelled', 0, 0) },
  {
    name: 'all, still to be paid',
    paidMinor: 200_00,
    wish: { amountMinor: 200_00, isStillOwed: true },
    is: is('unpaid', 200_00, 0),
  },
  { name: 'a part payment', paidMinor: 100_00, wish: { amountMinor: 100_00 }, is: is('cancelled', 100_00, 0) },
  {
    name: 'the rest, after a service',
    paidMinor: 200_00,
    refunds: [{ amountMinor: 100_00, line: 1 }],
    wish: { amountMinor: 100_00, line: 0 },
    is: is('cancelled', 0, 0),
  },
  {
    name: 'a part of a service, after an amount',
    paidMinor: 200_00,
    refunds: [{ amountMinor: 50_00 }],
    wish: { amountMinor: 30_00, line: 0 },
    is: is('settled', 120_00, 120_00),
  },
];

describe('what the refund form says of a treatment is what the refund makes of it', () => {
  test.each(cases)('$name', async ({ paidMinor, refunds = [], wish, is: expected }) => {
    const services = [10, 11].map((id) => ({ itemKey: `s${id}`, quantity: 1 }));
    const { orderId } = valueOf(await createTreatment(tablet, { orderType: 'walk_in', services }));
    valueOf(await takePayment(tablet, { orderId, method: 'card', tenderedMinor: paidMinor }));
    const read = async () => (await orderById(tablet.db, orderId))!;
    const wishOf = async ({ line, ...rest }: Wish) => ({
      isStillOwed: false,
      ...rest,
      ...(line !== undefined && { lineIds: [(await read()).lines[line]!.lineId] }),
    });
    const refund = async (chosen: Wish) =>
      valueOf(await refundTreatment(tablet, { orderId, method: 'card', reason: 'agreed', ...(await wishOf(chosen)) }));
    for (const earlier of refunds) await refund(earlier);

    const told = consequenceOf(await read(), await wishOf(wish));
    expect(told).toEqual(expected);

    await refund(wish);
    const { status, owedMinor, paidMinor: heldMinor, balanceMinor } = await read();
    const { kind: _kind, ...sums } = told;
    expect({ owedMinor, paidMinor: heldMinor, balanceMinor }).toEqual(sums);
    const statuses = {
      cancelled: 'cancelled',
      settled: 'completed',
      over: 'completed',
      due: 'confirmed',
      unpaid: 'confirmed',
    };
    expect(status).toBe(statuses[told.kind]);
  });
});
