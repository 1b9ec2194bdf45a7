/** The ledger by itself: the cases of decision 042 and of its rules of rounding, written down by hand. */
import { describe, expect, test } from 'vitest';
import { zReport, drawersOf } from './drawers.ts';
import { figuresOf } from './figures.ts';
import { proportion, shares } from './integers.ts';
import { treatmentsOf } from './treatment.ts';
import type { Treatment } from './treatment.ts';
import { piece, Visit } from './visit.ts';
import type { Entry } from './wire.ts';

const half = { rate: 21 };
const [a, b] = [piece('A', 100), piece('B', 100)];
const two = () => new Visit().create([a, b]);
const money = ({ total, reduction, owed, paid, balance, status }: Treatment) => [
  ...[total, reduction, owed, paid, balance].map((minor) => minor / 100),
  status,
];
const line = ({ lines }: Treatment, id: string) => lines.find(({ lineId }) => lineId === id)!;
const documents = (visit: Visit) =>
  visit.known.documents.map(({ total, taxes }) => [
    total / 100,
    ...taxes.flatMap(({ base, amount }) => [base / 100, amount / 100]),
  ]);

describe('the ten cases of decision 042', () => {
  test.each([
    [1, () => two().pay(200).refundLines(['B']), [200, 100, 100, 100, 0, 'completed']],
    [2, () => two().pay(200).refund(50), [200, 50, 150, 150, 0, 'completed']],
    [3, () => two().pay(200).refund(50, { isStillOwed: true }), [200, 0, 200, 150, 50, 'confirmed']],
    [4, () => two().pay(200).refund(200), [200, 200, 0, 0, 0, 'cancelled']],
    [5, () => two().pay(200).refund(200, { isStillOwed: true }), [200, 0, 200, 0, 200, 'confirmed']],
    [6, () => two().pay(100).refund(100), [200, 100, 100, 0, 100, 'cancelled']],
    [7, () => paidTwice().refund(200), [200, 0, 200, 200, 0, 'completed']],
    [8, () => two().pay(200).refund(50).add(piece('C', 80)), [280, 50, 230, 150, 80, 'confirmed']],
    [9, () => refundedTwice(), [200, 100, 100, 0, 100, 'confirmed']],
    [10, () => planLessTen().refundLines(['B']), [190, 100, 90, 90, 0, 'completed']],
  ] as const)('%i', (_case, visit, expected) => {
    expect(money(visit().known)).toEqual(expected);
  });

  test('two refunds of one service are flagged', () => {
    expect(refundedTwice().known.flags).toEqual(['refunded_twice']);
    expect(two().pay(200).refundLines(['B']).known.flags).toEqual([]);
  });

  test('what two tablets took is overpaid until it is given back', () => {
    expect(paidTwice().known.flags).toEqual(['overpaid']);
    expect(paidTwice().refund(200).known).toMatchObject({ flags: [], invoiced: 200_00 });
  });
});

/** Two tablets take the money without knowing of each other. */
function paidTwice(): Visit {
  const visit = two();
  const { known } = visit;
  return visit.pay(200, known).pay(200, known);
}

/** Two tablets give the money of one service back without knowing of each other. */
function refundedTwice(): Visit {
  const visit = two().pay(200);
  const { known } = visit;
  return visit.refundLines(['B'], undefined, known).refundLines(['B'], undefined, known);
}

/** A planned service of 100 less 10, and one of 100 that was added. */
const planLessTen = (isTaxed = false) =>
  new Visit(isTaxed)
    .create([piece('A', 100, isTaxed ? half : undefined)], { discount: 10 })
    .add(piece('B', 100, isTaxed ? half : undefined))
    .pay(190);

describe('a discount', () => {
  test('belongs to the services of the plan, so a refund of an added one is its price', () => {
    const visit = planLessTen(true).refundLines(['B']);
    expect(visit.known.movements.at(-1)!.amount).toBe(-100_00);
    expect(documents(visit)).toEqual([
      [190, 157.02, 32.98],
      [-100, -82.64, -17.36],
    ]);
  });

  test('goes with the planned service, so its refund is 90', () => {
    const visit = planLessTen(true).refundLines(['A']);
    expect(visit.known.movements.at(-1)!.amount).toBe(-90_00);
    expect(line(visit.known, 'A')).toMatchObject({ charged: 90_00, given: 90_00, earned: 0 });
    expect(line(visit.known, 'B')).toMatchObject({ charged: 100_00, given: 0, earned: 100_00 });
  });

  test('is what is left of it when a service of the plan is taken away', () => {
    const visit = new Visit().create([piece('A', 100), piece('B', 50)], { discount: 10 });
    visit.tell('order.change', { removed_line_ids: ['B'] });
    expect(visit.known).toMatchObject({ discount: 6_67, total: 93_33 });
  });
});

describe('of two changes of a line the later one applies', () => {
  const replacing = (quantity: number) => ({
    replaced_items: [{ ...piece(`B${quantity}`, 100, undefined, quantity), replaces: 'B' }],
  });
  const changed = (...changes: { quantity: number; atMs: number; deviceId: number; deviceSeq: number }[]) => {
    const visit = two();
    for (const { quantity, atMs, ...device } of changes) {
      visit.tell('order.change', replacing(quantity), atMs);
      Object.assign(visit.entries.at(-1)!, device);
    }
    return visit.known.subtotal / 100;
  };

  test('by time between devices, and by the device at one instant', () => {
    const [early, late] = [
      { quantity: 3, atMs: 100, deviceId: 2, deviceSeq: 1 },
      { quantity: 2, atMs: 200, deviceId: 1, deviceSeq: 1 },
    ];
    expect([changed(early, late), changed(late, early)]).toEqual([300, 300]);
    expect([changed(early, { ...late, atMs: 100 }), changed({ ...late, atMs: 100 }, early)]).toEqual([400, 400]);
  });

  test('by the sequence of one device, although its clock was set back', () => {
    const before = { quantity: 3, atMs: 500, deviceId: 1, deviceSeq: 1 };
    const after = { quantity: 2, atMs: 100, deviceId: 1, deviceSeq: 2 };
    expect(changed(before, after)).toBe(300);
    expect(changed(before, after, { quantity: 4, atMs: 300, deviceId: 2, deviceSeq: 1 })).toBe(300);
  });
});

describe('an allowance', () => {
  test('is shared out over what the lines are charged, less what was given back for them', () => {
    const visit = new Visit().create([piece('A', 100), piece('B', 50), piece('C', 50)]).pay(200);
    visit.refundLines(['B'], 20).refund(9);
    expect(visit.known.lines.map(({ charged, given, earned }) => [charged, given, earned])).toEqual([
      [100_00, 0, 95_00],
      [50_00, 20_00, 28_50],
      [50_00, 0, 47_50],
    ]);
    expect(visit.known).toMatchObject({ reduction: 29_00, owed: 171_00, balance: 0 });
  });

  test('gives back a surplus first, and only the rest lowers what is owed', () => {
    const visit = paidTwice().refund(250);
    expect(money(visit.known)).toEqual([200, 50, 150, 150, 0, 'completed']);
  });
});

describe('rounding', () => {
  test('is half away from zero, and exact beyond doubles', () => {
    expect([proportion(1, 1, 2), proportion(-1, 1, 2), proportion(1, 1, 3)]).toEqual([1, -1, 0]);
    expect(proportion(9_999_999_999, 9_999_999_999, 10_000_000_000)).toBe(9_999_999_998);
  });

  test('of shares loses no cent', () => {
    expect(shares(100, [1, 1, 1])).toEqual([33, 34, 33]);
    expect(shares(-10, [3, 3, 3])).toEqual([-3, -4, -3]);
    expect(shares(7, [0, 0])).toEqual([0, 7]);
  });

  test('of tax is by difference, so that parts add up to the whole', () => {
    const visit = new Visit(true)
      .create([piece('A', 10, half)])
      .pay(3.33)
      .pay(3.33)
      .pay(3.34);
    expect(documents(visit)).toEqual([
      [3.33, 2.75, 0.58],
      [3.33, 2.75, 0.58],
      [3.34, 2.76, 0.58],
    ]);
    visit.refund(10);
    expect(documents(visit).at(-1)).toEqual([-10, -8.26, -1.74]);
  });

  test('of a quantity with three decimals is that of its price', () => {
    expect(new Visit().create([piece('A', 12.35, undefined, 0.333)]).known.total).toBe(4_11);
  });
});

describe('what is invoiced', () => {
  test('a payment of a part is an advance only under a tax profile', () => {
    expect(documents(two().pay(50))).toEqual([]);
    expect(new Visit(true).create([a, b]).pay(50).known).toMatchObject({ invoiced: 50_00, flags: [] });
  });

  test('an exchange counts once, and the second of two is annulled', () => {
    const visit = new Visit(true).create([a, b]).pay(200).exchange('INV-1');
    expect(visit.known.invoiced).toBe(200_00);
    const [, , exchange] = visit.entries;
    visit.entries.push({ ...exchange!, opId: 'op-999', payload: again(exchange!) } as Entry);
    expect(visit.known).toMatchObject({ invoiced: 200_00, flags: [] });
  });

  test('money that no invoice has billed is told', () => {
    const visit = new Visit(true).create([a, b]).pay(200);
    visit.tell('order.pay', { payment_id: 'x', payment_method: 'cash', amount: 10, tendered: 10, change: 0 });
    expect(visit.known.flags).toEqual(['overpaid', 'under_invoiced']);
  });

  test('the cancel of an invoiced treatment takes it back, unless a payment overrules it', () => {
    const visit = new Visit(true).create([a, b]).invoice();
    const { known } = visit;
    expect(visit.cancel().known).toMatchObject({ invoiced: 0, status: 'cancelled', flags: [] });
    expect(visit.pay(200, known).known).toMatchObject({
      invoiced: 200_00,
      status: 'completed',
      flags: ['cancel_overruled'],
    });
  });

  test('a credit note takes back what its lines earn less, by their tax', () => {
    const visit = new Visit(true).create([piece('A', 60), piece('B', 60.5, half)], { discount: 12.05 }).pay(108.45);
    visit.refundLines(['B']);
    expect(documents(visit).at(-1)).toEqual([-54.45, -45, -9.45]);
    expect(visit.refund(54).known).toMatchObject({ invoiced: 0, owed: 0, status: 'cancelled' });
  });
});

const again = ({ payload }: Entry) => {
  const { invoice } = payload as { invoice: object };
  return { ...payload, invoice: { ...invoice, invoice_id: 'i9', invoice_number: 'INV-9' } };
};

describe('reports', () => {
  const span = { start: '1970-01-01', end: '1970-01-01' };
  const figures = (...visits: Visit[]) =>
    figuresOf(
      visits.map(({ known }, index) => ({ ...known, id: String(index) })),
      span,
    );

  test('completed amount, average and products are what is earned, and revenue is the money', () => {
    expect(figures(two().pay(200).refundLines(['B']), two().pay(200), two().pay(50))).toMatchObject({
      orders: 3,
      completed: 2,
      completedAmount: 300_00,
      average: 150_00,
      gross: 450_00,
      refunds: 100_00,
      revenue: 350_00,
      products: [
        { name: 'A', revenue: 200_00 },
        { name: 'B', revenue: 100_00 },
      ],
    });
  });

  test('the charge within a payment is in proportion to the total, and comes back with a refund', () => {
    const visit = new Visit().create([a, b], { charge: 20 }).pay(110);
    expect(figures(visit).charge).toBe(10_00);
    expect(figures(visit.pay(110).refund(55)).charge).toBe(15_00);
  });
});

describe('a drawer', () => {
  const drawer = (over: object = {}) =>
    ({
      opId: 'd',
      kind: 'drawer.open',
      payload: { drawer_id: 'D', float: 50, currency: 'EUR' },
      deviceId: 1,
      actorId: 1,
      atMs: 0,
      ...over,
    }) as Entry;
  const report = (visit: Visit, ...entries: Entry[]) => {
    const drawers = drawersOf([drawer(), ...entries]);
    return zReport(drawers[0]!, drawers, treatmentsOf(visit.entries));
  };

  test('counts the discount of an exchanged invoice once, and the taxes of all documents', () => {
    const visit = new Visit(true)
      .create([piece('A', 60.5, half)], { discount: 6.05 })
      .pay(54.45)
      .exchange('INV-1')
      .refund(54.45);
    expect(report(visit)).toMatchObject({
      expected: { cash: 50_00, card: 0 },
      sales: { count: 1, amount: 54_45 },
      refunds: { count: 1, amount: -54_45 },
      discounts: { count: 1, amount: 6_05 },
      taxes: [{ tax: '2100', gross: 0, base: 0, amount: 0 }],
    });
  });

  test('counts a discount once when two tablets take the money, and not when the treatment is cancelled', () => {
    const off = () => new Visit(true).create([piece('A', 60), piece('B', 40)], { discount: 10 });
    const twice = off();
    const { known } = twice;
    expect(report(twice.pay(90, known).pay(90, known)).discounts).toEqual({ count: 1, amount: 10_00 });
    expect(report(twice.refund(90)).discounts).toEqual({ count: 1, amount: 10_00 });
    const invoiced = off().invoice();
    const before = invoiced.known;
    expect(report(invoiced.cancel()).discounts).toEqual({ count: 0, amount: 0 });
    expect(report(invoiced.cancel(before)).discounts).toEqual({ count: 0, amount: 0 });
    expect(report(invoiced.pay(90, before)).discounts).toEqual({ count: 1, amount: 10_00 });
  });

  test('has what happened while it was open, and not at its close', () => {
    const close = { cash: 50, card: 0, insurance: 0, others: 0 };
    const closed = drawer({
      opId: 'e',
      kind: 'drawer.close',
      payload: { drawer_id: 'D', counted: close },
      atMs: 60_000,
    });
    expect(report(new Visit().create([a]).pay(100), closed).sales).toEqual({ count: 0, amount: 0 });
  });
});
