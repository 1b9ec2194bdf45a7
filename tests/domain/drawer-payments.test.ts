import { describe, expect, test } from 'vitest';
import { drawerPayments } from '#domain/drawer/drawer-payments.ts';
import { drawerReport } from '#domain/drawer/report.ts';
import type { Sum } from '#domain/drawer/report.ts';
import type { Order } from '#domain/order/order.ts';
import { drawer, exempt, firstDay, id, line, recipient, Visit } from '../support/taxed-visit.ts';

const hourMs = 3_600_000;
const plan = (profile: 'ES' | 'none' = 'ES') =>
  new Visit(profile).create([line(1, 60, profile === 'ES' ? exempt : undefined), line(2, 40)], { discount: 10 });

/** Returns the discounts of the Z report of a drawer that was open for a time. */
function discountsIn(order: Order, fromMs = 0, untilMs = Infinity): Sum {
  const own = drawerPayments(order).filter(({ atMs }) => atMs >= fromMs && atMs < untilMs);
  return drawerReport(drawer, own, []).discounts;
}
const once = { count: 1, amountMinor: 10_00 };
const none = { count: 0, amountMinor: 0 };

describe('the discount of a treatment in a Z report', () => {
  test.each(['ES', 'none'] as const)('counts once when two tablets take the money, with profile %s', (profile) => {
    const done = plan(profile);
    const known = done.order!;
    done.pay(90);
    done.atMs += hourMs;
    done.pay(90, undefined, known);
    expect(done.order!.invoices.map(({ discount_amount }) => discount_amount)).toEqual([10, 10]);
    expect(discountsIn(done.order!)).toEqual(once);
    // It belongs to the drawer of the invoice that was issued first, whatever arrives first.
    const { invoices, payments, ...order } = done.order!;
    for (const arrived of [
      done.order!,
      { ...order, invoices: invoices.toReversed(), payments: payments.toReversed() },
    ]) {
      expect(discountsIn(arrived, firstDay, firstDay + hourMs)).toEqual(once);
      expect(discountsIn(arrived, firstDay + hourMs)).toEqual(none);
    }
    done.refund(90);
    expect(discountsIn(done.order!)).toEqual(once);
  });

  test('counts the part of each service once, when each tablet took another service away', () => {
    const [done, other] = [plan(), plan()];
    done.takeAway([id(2)]).pay(54);
    done.takeAway([id(1)]).pay(36, undefined, other.takeAway([id(1)]).order!);
    expect(done.order!.invoices.map(({ discount_amount }) => discount_amount)).toEqual([6, 4]);
    expect(discountsIn(done.order!)).toEqual(once);
  });

  test('comes with the services of each invoice, on paper and in the report', () => {
    const done = plan().takeAway([id(2)]);
    done.pay(54);
    done.atMs += hourMs;
    // Another tablet had doubled the service that was taken away.
    done.double(id(2), id(3));
    expect(done.pay(76)).toMatchObject({ subtotal: 80, discount_amount: 4, total_amount: 76 });
    expect(discountsIn(done.order!, firstDay, firstDay + hourMs).amountMinor).toBe(6_00);
    expect(discountsIn(done.order!, firstDay + hourMs).amountMinor).toBe(4_00);
  });

  test('is taken off by the credit note of a cancel, in the drawer of the cancel', () => {
    const done = plan();
    done.invoice();
    done.exchange();
    done.atMs += hourMs;
    done.cancel();
    expect(discountsIn(done.order!)).toEqual(none);
    expect(discountsIn(done.order!, firstDay, firstDay + hourMs)).toEqual(once);
    expect(discountsIn(done.order!, firstDay + hourMs)).toEqual({ count: 1, amountMinor: -10_00 });
  });

  test('is taken off once when two tablets cancel, and not by a cancel that a payment overrules', () => {
    const done = plan();
    done.invoice();
    const known = done.order!;
    done.cancel();
    done.cancel(known);
    expect(discountsIn(done.order!)).toEqual(none);
    done.order = known;
    done.cancel();
    done.pay(90, undefined, known);
    expect(discountsIn(done.order)).toEqual(once);
  });

  test('stays when the money is given back, and when a cancelled treatment had no discount nothing is taken off', () => {
    const done = plan();
    done.pay(90, recipient);
    done.refund(90);
    expect(discountsIn(done.order!)).toEqual(once);
    const plain = new Visit().create([line(1, 60, exempt)]);
    plain.invoice();
    plain.cancel();
    expect(discountsIn(plain.order!)).toEqual(none);
  });
});
