import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decideChange, decideChanged } from '#domain/order/decisions.ts';
import { flagsOf } from '#domain/order/flags.ts';
import { allLines, billedLineIds, notesOf, subtotal } from '#domain/order/order.ts';
import { statusOf, totals } from '#domain/order/totals.ts';
import type { InvoicePayload, Order } from '#domain/order/order.ts';
import { linePayload, reduceOrder } from '#domain/order/operations.ts';
import type { ChangePayload, LinePayload, OrderOperation, OrderPayloads } from '#domain/order/operations.ts';
import { history, orderId } from './arbitraries.ts';

const seeded = { seed: 20_261_122, numRuns: 300 };

const line = (id: string, unit_price: number, quantity = 1): LinePayload => ({
  line_id: id,
  stock_id: 1,
  name: `Service ${id}`,
  quantity,
  unit_price,
});

const operation = <K extends keyof OrderPayloads>(op_id: string, kind: K, payload: OrderPayloads[K]): OrderOperation =>
  ({
    op_id,
    device_id: 3,
    device_seq: 1,
    aggregate: `order:${orderId}`,
    depends_on: [],
    v: 1,
    actor_id: 7,
    occurred_at: '2026-05-12T10:00:00.000Z',
    clock_offset_ms: null,
    kind,
    payload,
  }) as OrderOperation;

const creation = (items: LinePayload[], discount = 0) =>
  operation('op-0', 'order.create', {
    order_id: orderId,
    number: 'T-A7-000001',
    order_type: 'walk_in',
    items,
    currency: 'EUR',
    service_charge: 0,
    discount,
    total: 0,
  });

const change = (op_id: string, payload: Omit<ChangePayload, 'order_id'>) =>
  operation(op_id, 'order.change', { order_id: orderId, ...payload });

const adding = (op_id: string, ...items: LinePayload[]) =>
  operation(op_id, 'order.add_services', { order_id: orderId, items });

const removal = (op_id: string, ...ids: string[]) => change(op_id, { removed_line_ids: ids });

const replacement = (op_id: string, replaces: string, item: LinePayload) =>
  change(op_id, { replaced_items: [{ ...item, replaces }] });

const payment = (op_id: string, amount: number, billed: string[] | null) =>
  operation(op_id, 'order.pay', {
    order_id: orderId,
    payment_id: `payment of ${op_id}`,
    payment_method: 'cash',
    amount,
    tendered: amount,
    change: 0,
    ...(billed && {
      invoice: { invoice_id: op_id, invoice_number: op_id, line_ids: billed, printed: [] } as unknown as InvoicePayload,
    }),
  });

/** Operations of different times: each takes effect a second after the one before. */
const run = (operations: readonly OrderOperation[], times = operations.map((_, index) => index * 1000)): Order =>
  operations.reduce<Order | null>((order, each, index) => reduceOrder(order, each, times[index]!), null)!;

const ids = (lines: Order['lines']) => lines.map(({ lineId }) => lineId);

/** Applies the operations after the first one in every order; each keeps its own time. */
function inEveryOrder(operations: readonly OrderOperation[]): Order[] {
  const permutations = (rest: readonly number[]): number[][] =>
    rest.length === 0
      ? [[]]
      : rest.flatMap((first) => permutations(rest.filter((each) => each !== first)).map((tail) => [first, ...tail]));
  return permutations(operations.slice(1).map((_, index) => index + 1)).map((order) => {
    const indexes = [0, ...order];
    return run(
      indexes.map((index) => operations[index]!),
      indexes.map((index) => index * 1000),
    );
  });
}

describe('SYNC-11 a line of a treatment', () => {
  test.each<[string, Partial<LinePayload>]>([
    ['of a stock item', {}],
    ['of a product', { stock_id: undefined, product_id: 7 }],
    ['with a note', { notes: 'Upper left' }],
    ['with a tax', { tax: { rate: 21 } }],
  ])('SYNC-11 %s has what its payload says, and says it again', (_what, over) => {
    const item = Object.fromEntries(
      Object.entries({ ...line('a', 50, 1.5), ...over }).filter(([, value]) => value !== undefined),
    ) as LinePayload;
    expect(run([creation([item])]).lines.map(linePayload)).toEqual([item]);
  });

  const places = (order: Order) =>
    allLines(order).map(({ lineId, position, replaces }) => [lineId, position, replaces]);
  const [a, b] = [line('a', 50), line('b', 30)];

  test.each<[string, OrderOperation[], unknown[]]>([
    [
      'added ones stand after the others',
      [adding('op-1', line('c', 1), line('d', 1))],
      [
        ['c', 2, null],
        ['d', 3, null],
      ],
    ],
    ['one that is there is not added again', [adding('op-1', b, line('c', 1))], [['c', 2, null]]],
    [
      'an operation adds its lines once',
      [adding('op-1', line('c', 1)), adding('op-1', line('d', 1))],
      [['c', 2, null]],
    ],
    ['a replacement has the place of its line', [replacement('op-1', 'a', line('a2', 50, 2))], [['a2', 0, 'a']]],
    [
      'replacements of lines that are not there yet stand after the others',
      [
        change('op-1', {
          replaced_items: [
            { ...line('x2', 1), replaces: 'x' },
            { ...line('y2', 1), replaces: 'y' },
          ],
        }),
      ],
      [
        ['x2', 2, 'x'],
        ['y2', 3, 'y'],
      ],
    ],
    ['a line that is there replaces no other', [replacement('op-1', 'a', b)], []],
  ])('SYNC-11 %s', (_rule, operations, more) => {
    const order = run([creation([a, b]), ...operations]);
    expect(places(order)).toEqual(expect.arrayContaining([['a', 0, null], ['b', 1, null], ...more]));
    expect(places(order)).toHaveLength(2 + more.length);
  });
});

describe('SYNC-11 the lines of a changed treatment', () => {
  test('SYNC-11 a removed line counts no more, and a replaced one counts with its new quantity in its place', () => {
    const order = run([
      creation([line('a', 50), line('b', 30), line('c', 20)]),
      removal('op-1', 'a'),
      replacement('op-2', 'b', line('b2', 30, 2)),
    ]);
    expect(ids(order.lines)).toEqual(['b2', 'c']);
    expect(ids(order.removedLines)).toEqual(['a', 'b']);
    expect(totals(order).totalMinor).toBe(8000);
    expect(flagsOf(order)).toEqual([]);
  });

  test('SYNC-11 a change on one tablet and a payment with an invoice on another lead to one state in every order', () => {
    const states = inEveryOrder([
      creation([line('a', 50), line('b', 30)]),
      removal('op-1', 'b'),
      payment('op-2', 80, ['a', 'b']),
    ]);
    for (const order of states) {
      expect(ids(order.lines)).toEqual(['a', 'b']);
      expect(totals(order)).toMatchObject({ totalMinor: 8000, balanceMinor: 0 });
      expect(statusOf(order)).toBe('completed');
      expect(flagsOf(order)).toEqual(['change_overruled']);
    }
  });

  test('SYNC-11 an invoiced line keeps its quantity when another tablet changed it, and nothing is due twice', () => {
    const states = inEveryOrder([
      creation([line('a', 50)]),
      replacement('op-1', 'a', line('a2', 50, 3)),
      replacement('op-2', 'a2', line('a3', 50, 2)),
      payment('op-3', 50, ['a']),
    ]);
    for (const order of states) {
      expect(ids(order.lines)).toEqual(['a']);
      expect(statusOf(order)).toBe('completed');
      expect(flagsOf(order)).toEqual(['change_overruled']);
    }
  });

  test('SYNC-11 of two changes of one line the later applies, and one whose line was invoiced before it', () => {
    const both = [
      creation([line('a', 10)]),
      replacement('op-1', 'a', line('first', 10, 2)),
      replacement('op-2', 'a', line('second', 10, 5)),
    ];
    for (const order of inEveryOrder(both)) expect(ids(order.lines)).toEqual(['second']);
    for (const order of inEveryOrder([...both, payment('op-3', 20, ['first'])])) {
      expect(ids(order.lines)).toEqual(['first']);
      expect(statusOf(order)).toBe('completed');
    }
    for (const order of inEveryOrder([...both, removal('op-3', 'a')])) expect(order.lines).toEqual([]);
  });

  test('SYNC-11 of two changes of room or patient the later applies in every order', () => {
    const states = inEveryOrder([
      creation([line('a', 10)]),
      change('op-1', { room_id: 2, room_number: '2', customer_name: 'Ana' }),
      change('op-2', { room_id: null }),
      change('op-3', { customer_name: 'Luis', patient: { patient_id: orderId, name: 'Luis', phone: '' } }),
    ]);
    for (const order of states)
      expect(order).toMatchObject({ roomId: null, roomNumber: '', customerName: 'Luis', patientId: orderId });
  });

  describe('SYNC-11 a device’s own order comes before its clock', () => {
    const hour = 3_600_000;
    /** Two devices: of the first one the clock is set back an hour between its changes. */
    const at = (device_id: number, device_seq: number, each: OrderOperation) => ({ ...each, device_id, device_seq });
    type Timed = [operation: OrderOperation, atMs: number];
    const applied = (facts: readonly Timed[]) =>
      run(
        facts.map(([each]) => each),
        facts.map(([, atMs]) => atMs),
      );
    /** Returns the treatment after every order of arrival in which each device's changes keep their own order. */
    const interleaved = (first: Timed, ...queues: Timed[][]): Order[] => {
      const orders = (left: Timed[][]): Timed[][] =>
        left.every(({ length }) => length === 0)
          ? [[]]
          : left.flatMap((queue, index) =>
              queue.length === 0
                ? []
                : orders(left.map((each, other) => (other === index ? each.slice(1) : each))).map((rest) => [
                    queue[0]!,
                    ...rest,
                  ]),
            );
      return orders(queues).map((rest) => applied([first, ...rest]));
    };
    const room = (op_id: string, id: number | null) => change(op_id, { room_id: id, room_number: String(id ?? '') });
    const created: Timed = [creation([line('a', 10)]), 0];

    test('SYNC-11 notes that were added are all kept, in the order of their facts, whatever the order of arrival', () => {
      const noting = (op_id: string, notes: string, device_id: number, device_seq: number, atMs: number): Timed => [
        {
          ...operation(op_id, 'order.add_services', { order_id: orderId, items: [line(op_id, 5)], notes }),
          device_id,
          device_seq,
        },
        atMs,
      ];
      const begun: Timed = [creation([line('a', 10)]), 0];
      begun[0] = { ...begun[0], payload: { ...begun[0].payload, notes: 'Fears needles' } } as OrderOperation;
      const results = interleaved(
        begun,
        // The clock of the first tablet was set back in between.
        [noting('op-1', 'Upper left hurts', 3, 5, 9000), noting('op-2', 'Wants a quote', 3, 6, 2000)],
        [noting('op-3', 'Allergic to latex', 4, 1, 5000), noting('op-4', 'Upper left hurts', 4, 2, 6000)],
      );
      const all = 'Fears needles\nAllergic to latex\nUpper left hurts\nWants a quote';
      expect(results.map(notesOf)).toEqual(results.map(() => all));
      expect(results.map(({ addedNotes }) => addedNotes)).toEqual(results.map(() => results[0]!.addedNotes));
      // An operation that arrives again adds nothing, and one without notes takes none away.
      const again = applied([
        begun,
        noting('op-1', 'Once', 3, 5, 1000),
        noting('op-1', 'Once', 3, 5, 1000),
        [adding('op-2', line('c', 1)), 2000],
      ]);
      expect(notesOf(again)).toBe('Fears needles\nOnce');
    });

    test('SYNC-11 the room that it chose last stands, though its clock was set back', () => {
      const own: Timed[] = [
        [at(3, 2, room('op-9', 7)), 12 * hour],
        [at(3, 3, room('op-1', 2)), 11 * hour],
      ];
      expect(applied([created, ...own])).toMatchObject({ roomId: 2, roomNumber: '2' });
      const other: Timed[] = [[at(4, 9, room('op-5', 5)), 11.5 * hour]];
      for (const order of interleaved(created, own, other)) expect(order).toMatchObject({ roomId: 2 });
      const latest: Timed[] = [[at(4, 9, room('op-5', 5)), 12.5 * hour]];
      for (const order of interleaved(created, own, latest)) expect(order).toMatchObject({ roomId: 5 });
    });

    test('SYNC-11 so do the patient and the quantity that it entered last', () => {
      const own: Timed[] = [
        [at(3, 2, change('op-9', { customer_name: 'Ana' })), 12 * hour],
        [at(3, 3, replacement('op-8', 'a', line('b', 10, 5))), 12 * hour],
        [at(3, 4, change('op-1', { customer_name: 'Luis', removed_line_ids: ['a'] })), 11 * hour],
      ];
      const other: Timed[] = [[at(4, 9, replacement('op-5', 'a', line('c', 10, 3))), 11.5 * hour]];
      for (const order of interleaved(created, own, other)) {
        expect(order.customerName).toBe('Luis');
        expect(ids(order.lines)).toEqual([]);
      }
    });

    test('SYNC-11 of one instant the device with the higher id applies, then the later of its sequence, whatever the ids of operations', () => {
      const own: Timed[] = [
        [at(3, 2, room('op-9', 7)), hour],
        [at(3, 3, room('op-8', 2)), hour],
      ];
      expect(applied([created, ...own])).toMatchObject({ roomId: 2 });
      const other: Timed[] = [[at(4, 1, room('op-1', 5)), hour]];
      for (const order of interleaved(created, own, other)) expect(order).toMatchObject({ roomId: 5 });
    });

    test('SYNC-11 a change that arrives after a later one of its device stands before it', () => {
      const late: Timed[] = [
        [at(3, 3, room('op-1', 2)), 11 * hour],
        [at(3, 2, room('op-9', 7)), 12 * hour],
      ];
      expect(applied([created, ...late])).toMatchObject({
        roomId: 2,
        changes: [{ atMs: 11 * hour }, { atMs: 11 * hour }],
      });
    });

    test('SYNC-11 a change that is sent again after a refusal stands where it stood at first', () => {
      const again = { ...at(3, 10, room('op-9', 7)), supersedes: 'refused' };
      const later = at(3, 6, room('op-1', 2));
      const facts: Timed[] = [
        [again, hour],
        [later, 2 * hour],
      ];
      for (const arrived of [facts, facts.toReversed()])
        expect(applied([created, ...arrived])).toMatchObject({ roomId: 2 });
    });

    test('SYNC-11 calls over REST have no sequence: their times decide, then their arrival', () => {
      const calls: Timed[] = [
        [at(3, 0, room('op-9', 7)), 2 * hour],
        [at(3, 0, room('op-8', 4)), hour],
        [at(3, 0, room('op-1', 5)), 2 * hour],
      ];
      expect(applied([created, ...calls])).toMatchObject({ roomId: 5 });
    });
  });

  test('any facts leave a treatment whose lines stand once, billed ones always, and whose discount covers no more than agreed', () => {
    fc.assert(
      fc.property(history, (operations) => {
        const order = run(operations);
        const all = [...order.lines, ...order.removedLines];
        expect(new Set(ids(all)).size).toBe(all.length);
        const billed = billedLineIds(order.invoices);
        expect(order.removedLines.some(({ lineId }) => billed.has(lineId))).toBe(false);
        const added = new Set(
          operations.flatMap(({ payload }) => [
            ...('items' in payload ? payload.items : []),
            ...('replaced_items' in payload ? (payload.replaced_items ?? []) : []),
          ]),
        );
        expect(all).toHaveLength(added.size);
        expect(order.discountMinor).toBeLessThanOrEqual(order.agreedDiscountMinor);
        expect(order.discountMinor).toBeGreaterThanOrEqual(0);
      }),
      seeded,
    );
  });

  test('lines that replace each other, in a circle or themselves, do not stop the reducer', () => {
    const order = run([
      creation([line('a', 10)]),
      change('op-1', {
        replaced_items: [
          { ...line('x', 5), replaces: 'y' },
          { ...line('y', 5), replaces: 'x' },
          { ...line('z', 5), replaces: 'z' },
        ],
      }),
    ]);
    expect(ids(order.lines)).toEqual(['a']);
  });
});

describe('the discount of a changed treatment', () => {
  test('loses the part that belongs to what is taken away, and additions do not give it back', () => {
    const [created, removed] = [creation([line('a', 75), line('b', 25)], 10), removal('op-1', 'a')];
    expect(totals(run([created, removed]))).toMatchObject({ subtotalMinor: 2500, totalMinor: 2250 });
    const added = operation('op-2', 'order.add_services', { order_id: orderId, items: [line('c', 75)] });
    expect(run([created, removed, added]).discountMinor).toBe(250);
    expect(run([created, added]).discountMinor).toBe(1000);
  });

  test('never exceeds what is left, nor the share that was agreed', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 10_000_000 }), { minLength: 2, maxLength: 6 }),
        fc.nat({ max: 100 }),
        fc.nat({ max: 5 }),
        (prices, percent, kept) => {
          const items = prices.map((minor, index) => line(`line-${index}`, minor / 100));
          const wholeMinor = prices.reduce((sum, minor) => sum + minor, 0);
          const discountMinor = Math.floor((wholeMinor * percent) / 100);
          const gone = items.map(({ line_id }) => line_id).filter((_, index) => index !== kept % items.length);
          const order = run([creation(items, discountMinor / 100), removal('op-1', ...gone)]);
          const left = subtotal(order.lines);
          expect(order.discountMinor).toBeLessThanOrEqual(left);
          expect(order.discountMinor * wholeMinor).toBeLessThanOrEqual(discountMinor * left + wholeMinor);
        },
      ),
      seeded,
    );
  });
});

describe('a change at the counter', () => {
  const open = run([creation([line('a', 50), line('b', 30)])]);
  const refusalOf = (order: Order, removedIds: string[], quantity?: [string, number]) => {
    const replacements = quantity ? [{ lineId: 'new', replaces: quantity[0], quantityMilli: quantity[1] * 1000 }] : [];
    const decision = decideChange(order, { removedIds, replacements });
    return decision.ok ? null : decision.refusal.code;
  };

  test('keeps service and price of a line, and changes its quantity', () => {
    const decision = decideChange(open, {
      removedIds: ['a'],
      replacements: [{ lineId: 'new', replaces: 'b', quantityMilli: 3000 }],
    });
    expect(decision).toMatchObject({
      ok: true,
      value: [
        { lineId: 'new', replaces: 'b', stockId: 1, name: 'Service b', unitPriceMinor: 3000, quantityMilli: 3000 },
      ],
    });
  });

  test('is refused for lines that are gone or invoiced, for the last line, and for wrong quantities', () => {
    expect(refusalOf(open, ['nothing'])).toBe('LINE_GONE');
    expect(refusalOf(open, ['a'], ['a', 2])).toBe('LINE_GONE');
    expect(refusalOf(open, ['a', 'b'])).toBe('LAST_LINE');
    expect(refusalOf(open, [], ['a', 0.5])).toBe('QUANTITY_INVALID');
    expect(refusalOf(open, ['a'], ['b', 2])).toBeNull();
    const reopened = run([
      creation([line('a', 50)]),
      payment('op-1', 50, ['a']),
      operation('op-2', 'order.add_services', { order_id: orderId, items: [line('b', 30)] }),
    ]);
    expect(refusalOf(reopened, ['a'])).toBe('LINE_INVOICED');
    expect(refusalOf(run([creation([line('a', 50)]), payment('op-1', 50, ['a'])]), ['a'])).toBe('ORDER_PAID');
  });

  test('is refused when what is left has been paid', () => {
    const paid = [creation([line('a', 50), line('b', 30)]), payment('op-1', 40, null)];
    expect(decideChanged(run([...paid, removal('op-2', 'a')]))).toMatchObject({
      refusal: { code: 'CHANGE_BELOW_PAID' },
    });
    expect(decideChanged(run([...paid, removal('op-2', 'b')]))).toMatchObject({ ok: true });
  });
});
