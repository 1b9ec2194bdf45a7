import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { billedBy } from '#domain/order/billing.ts';
import { decidePayment } from '#domain/order/decisions.ts';
import { orderFromResource } from '#domain/order/resource.ts';
import { orderResource } from '#domain/order/to-resource.ts';
import { linePrices } from '#domain/order/line-prices.ts';
import { lineTotal, uninvoicedLines } from '#domain/order/order.ts';
import { statusOf, totals } from '#domain/order/totals.ts';
import { flagsOf } from '#domain/order/flags.ts';
import type { Order } from '#domain/order/order.ts';
import { reduceOrder } from '#domain/order/operations.ts';
import type { OrderOperation } from '#domain/order/operations.ts';
import { defaultSettings } from '#domain/settings/settings.ts';
import { minorToWire } from '#domain/money.ts';
import { history, orderId } from './arbitraries.ts';

// A fixed seed: a failure in CI is the same failure here.
const seeded = { seed: 20_260_512, numRuns: 300 };
const at = (operation: OrderOperation) => Date.parse(operation.occurred_at);
const run = (operations: readonly OrderOperation[], from: Order | null = null) =>
  operations.reduce<Order | null>((order, operation) => reduceOrder(order, operation, at(operation)), from)!;

/** A treatment without what depends on the order of arrival: the order of its facts and the places of its lines. */
function unordered(order: Order) {
  const sorted = <T>(facts: readonly T[], key: (fact: T) => string) =>
    [...facts].sort((a, b) => (key(a) < key(b) ? -1 : 1));
  const lines = (all: Order['lines']) =>
    sorted(
      all.map(({ position: _position, ...line }) => line),
      ({ lineId }) => lineId,
    );
  return {
    ...order,
    lines: lines(order.lines),
    removedLines: lines(order.removedLines),
    uninvoiced: lines(uninvoicedLines(order)),
    payments: sorted(order.payments, ({ opId }) => opId),
    cancels: sorted(order.cancels, ({ opId }) => opId),
    changes: sorted(order.changes, ({ opId }) => opId),
    invoices: sorted(order.invoices, ({ op_id }) => op_id),
  };
}

const earnings = (order: Order) =>
  Object.fromEntries(linePrices(order).map(({ line, ...amounts }) => [line.lineId, amounts]));

describe('totals', () => {
  test('are exact to the cent, also after serialization', () => {
    fc.assert(
      fc.property(history, (operations) => {
        const order = run(operations);
        const { subtotalMinor, totalMinor, reductionMinor, owedMinor, paidMinor, balanceMinor } = totals(order);
        const sum = order.lines.reduce((total, line) => total + BigInt(lineTotal(line)), 0n);
        expect(BigInt(subtotalMinor)).toBe(sum);
        expect([totalMinor, reductionMinor, paidMinor, balanceMinor].every(Number.isSafeInteger)).toBe(true);
        expect(totalMinor).toBe(subtotalMinor - order.discountMinor + order.chargeMinor);
        expect(owedMinor).toBe(totalMinor - reductionMinor);
        expect(paidMinor + balanceMinor).toBe(owedMinor);
        expect(totals(orderFromResource(orderResource(order)))).toEqual(totals(order));
      }),
      seeded,
    );
  });

  test('round each line half up to the cent', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000_000 }),
        fc.integer({ min: 0, max: 10_000_000 }),
        (quantityMilli, unitPriceMinor) => {
          const exact = (BigInt(quantityMilli) * BigInt(unitPriceMinor) * 2n + 1000n) / 2000n;
          expect(BigInt(lineTotal({ quantityMilli, unitPriceMinor }))).toBe(exact);
        },
      ),
      seeded,
    );
  });
});

describe('what lines earn', () => {
  test('adds up to what is owed; nothing is given back for a line beyond what it is charged', () => {
    fc.assert(
      fc.property(history, (operations) => {
        const order = run(operations);
        const { totalMinor, reductionMinor, owedMinor } = totals(order);
        const prices = linePrices(order);
        const sum = (amounts: readonly number[]) => amounts.reduce((all, minor) => all + minor, 0);
        fc.pre(prices.length > 0);
        expect(sum(prices.map(({ chargedMinor }) => chargedMinor))).toBe(totalMinor);
        expect(sum(prices.map(({ earnedMinor }) => earnedMinor))).toBe(owedMinor);
        expect(reductionMinor).toBeGreaterThanOrEqual(0);
        for (const { chargedMinor, namedMinor, givenMinor, allowanceMinor, earnedMinor } of prices) {
          expect(givenMinor).toBe(Math.min(namedMinor, Math.max(0, chargedMinor)));
          expect(allowanceMinor).toBeGreaterThanOrEqual(0);
          expect(earnedMinor).toBeGreaterThanOrEqual(Math.min(0, chargedMinor));
        }
      }),
      seeded,
    );
  });
});

describe('SYNC-11 payments', () => {
  test('SYNC-11 partial payments add up: the last one clears the balance, bills every line, and completes the treatment', () => {
    fc.assert(
      fc.property(history, fc.array(fc.integer({ min: 1, max: 99 }), { maxLength: 6 }), ([creation], shares) => {
        let order = run([creation!]);
        const { totalMinor } = totals(order);
        fc.pre(totalMinor > 0);
        const pay = (tenderedMinor: number, seq: number) => {
          const agreed = decidePayment(order, { method: 'cash', tenderedMinor });
          if (!agreed.ok) throw new Error(agreed.refusal.code);
          const { amountMinor, changeMinor, clears } = agreed.value;
          expect(amountMinor + changeMinor).toBe(tenderedMinor);
          const payload = { order_id: orderId, payment_id: `p${seq}`, payment_method: 'cash' as const };
          const amounts = {
            amount: minorToWire(amountMinor),
            tendered: minorToWire(tenderedMinor),
            change: minorToWire(changeMinor),
          };
          order = run(
            [{ ...creation!, op_id: `pay-${seq}`, kind: 'order.pay', payload: { ...payload, ...amounts } }],
            order,
          );
          expect(clears).toBe(totals(order).balanceMinor === 0);
          expect(billedBy(defaultSettings, order, agreed.value)?.lines ?? []).toHaveLength(
            clears ? order.lines.length : 0,
          );
        };
        shares.forEach((share, seq) => {
          const part = Math.floor((totals(order).balanceMinor * share) / 100);
          if (part > 0) pay(part, seq);
        });
        expect(statusOf(order)).toBe('confirmed');
        pay(totals(order).balanceMinor + 500, 100);
        expect(totals(order)).toMatchObject({ paidMinor: totalMinor, balanceMinor: 0 });
        expect(statusOf(order)).toBe('completed');
        // These payments carry no invoice.
        expect(flagsOf(order)).toEqual(['under_invoiced']);
      }),
      seeded,
    );
  });
});

describe('SYNC-11 status', () => {
  test('SYNC-11 is cancelled only while nothing is paid on balance, completed when nothing is due, and confirmed otherwise', () => {
    fc.assert(
      fc.property(history, (operations) => {
        const order = run(operations);
        const wasPaid = operations.some(({ kind }) => kind === 'order.pay');
        const isCancelled = operations.some(({ kind }) => kind === 'order.cancel');
        const refunds = operations.filter(({ kind }) => kind === 'order.refund');
        const { owedMinor, paidMinor, balanceMinor } = totals(order);
        const isDue =
          owedMinor > 0 &&
          (refunds.some(({ payload }) => 'still_owed' in payload) || flagsOf(order).includes('refunded_twice'));
        const wasUndone = isCancelled || (refunds.length > 0 && !isDue);
        const settled = (wasPaid || paidMinor !== 0) && balanceMinor <= 0;
        const expected = wasUndone && paidMinor === 0 ? 'cancelled' : settled ? 'completed' : 'confirmed';
        expect(statusOf(order)).toBe(expected);
      }),
      seeded,
    );
  });

  test('SYNC-11 a payment overrules a concurrent cancel, and the treatment is flagged', () => {
    fc.assert(
      fc.property(history, (operations) => {
        const order = run(operations);
        const overruled = operations.some(({ kind }) => kind === 'order.cancel') && totals(order).paidMinor > 0;
        expect(flagsOf(order).includes('cancel_overruled')).toBe(overruled);
        expect(flagsOf(order).includes('overpaid')).toBe(totals(order).paidMinor > 0 && totals(order).balanceMinor < 0);
      }),
      seeded,
    );
  });
});

describe('the reducer', () => {
  test('SYNC-4 an operation applied twice changes nothing', () => {
    fc.assert(
      fc.property(history, (operations) => {
        const once = run(operations);
        expect(run(operations, once)).toEqual(once);
        expect(run(operations.flatMap((operation) => [operation, operation]))).toEqual(once);
      }),
      seeded,
    );
  });

  test('SYNC-11 status, totals and flags do not depend on the order in which facts arrive', () => {
    const shuffled = history.chain((operations) =>
      fc.tuple(fc.constant(operations), fc.shuffledSubarray(operations.slice(1), { minLength: operations.length - 1 })),
    );
    fc.assert(
      fc.property(shuffled, ([operations, rest]) => {
        const [one, other] = [run(operations), run([operations[0]!, ...rest])];
        expect(statusOf(other)).toBe(statusOf(one));
        expect(totals(other)).toEqual(totals(one));
        expect(flagsOf(other)).toEqual(flagsOf(one));
        expect(earnings(other)).toEqual(earnings(one));
        expect(unordered(other)).toEqual(unordered(one));
      }),
      seeded,
    );
  });

  test('operations on a treatment that was never created change nothing', () => {
    fc.assert(
      fc.property(history, (operations) => {
        expect(operations.slice(1).every((operation) => reduceOrder(null, operation, 0) === null)).toBe(true);
      }),
      seeded,
    );
  });
});

test('SYNC-9 a treatment is unchanged after serialization', () => {
  fc.assert(
    fc.property(history, (operations) => {
      const order = run(operations);
      const sent: unknown = JSON.parse(JSON.stringify(orderResource(order)));
      expect(orderFromResource(sent as ReturnType<typeof orderResource>)).toEqual(order);
    }),
    seeded,
  );
});
