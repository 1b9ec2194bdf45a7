import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decideClose, decideMove, decideOpen } from '#domain/drawer/decisions.ts';
import { denominations } from '#domain/denominations.ts';
import {
  drawerRowResource,
  drawerRowFromResource,
  reportResource,
  reportFromResource,
} from '#domain/drawer/resource.ts';
import type { DrawerRow } from '#domain/drawer/resource.ts';
import { drawerFinder, currentDrawer } from '#domain/drawer/drawer.ts';
import type { Drawer } from '#domain/drawer/drawer.ts';
import { reportRows } from '#domain/drawer/printed-report.ts';
import type { ReportLabels } from '#domain/drawer/printed-report.ts';
import { reduceDrawer } from '#domain/drawer/operations.ts';
import type { DrawerOperation } from '#domain/drawer/operations.ts';
import { cashShares, drawerReport, paymentsInto, sumOf } from '#domain/drawer/report.ts';
import type { DrawerDevice, DrawerPayment } from '#domain/drawer/report.ts';
import { paymentMethods } from '#domain/order/vocabulary.ts';
import { defaultSettings } from '#domain/settings/settings.ts';

const noon = Date.UTC(2026, 4, 12, 10);
const nothing = { cash: 0, card: 0, insurance: 0, others: 0 };

const drawer = (over: Partial<Drawer> = {}): Drawer => ({
  id: 'd1',
  deviceId: 1,
  currency: 'EUR',
  floatMinor: 10_000,
  openedAtMs: noon,
  openedBy: 7,
  movements: [],
  close: null,
  ...over,
});
const closedAt = (atMs: number) => ({ atMs, actorId: 7, counted: nothing, notes: '' });
const payment = (over: Partial<DrawerPayment> = {}): DrawerPayment => ({
  orderId: 'o1',
  currency: 'EUR',
  method: 'cash',
  amountMinor: 1000,
  atMs: noon + 1,
  deviceId: 1,
  invoiceNumber: null,
  discountMinor: 0,
  ...over,
});
const device = (over: Partial<DrawerDevice> = {}): DrawerDevice => ({
  id: 1,
  code: 'A1',
  name: 'Desk',
  lastSeenAtMs: noon,
  clearedAtMs: noon,
  waiting: 0,
  ...over,
});

const instant = fc.integer({ min: 0, max: 1000 });
const cents = fc.integer({ min: 0, max: 100_000_000 });
const anyCount = fc.record({ cash: cents, card: cents, insurance: cents, others: cents });
const anyDrawer: fc.Arbitrary<Omit<Drawer, 'id'>> = fc
  .record({
    deviceId: fc.integer({ min: 1, max: 3 }),
    currency: fc.constant('EUR'),
    floatMinor: cents,
    openedAtMs: instant,
    openForMs: fc.option(instant),
    movements: fc.array(
      fc.record({
        opId: fc.uuid(),
        amountMinor: fc.integer({ min: -100_000, max: 100_000 }),
        reason: fc.constant('float'),
        actorId: fc.constant(7),
        atMs: instant,
      }),
    ),
    counted: anyCount,
  })
  .map(({ openForMs, counted, ...rest }) => ({
    ...rest,
    openedBy: 7,
    close: openForMs === null ? null : { ...closedAt(rest.openedAtMs + openForMs), counted },
  }));
const anyDrawers = fc
  .array(anyDrawer, { maxLength: 6 })
  .map((drawers) => drawers.map((each, index): Drawer => ({ ...each, id: `d${index}` })));
const anyPayments = fc.array(
  fc.record({
    orderId: fc.constantFrom('o1', 'o2', 'o3'),
    currency: fc.constant('EUR'),
    method: fc.constantFrom(...paymentMethods),
    amountMinor: fc.integer({ min: -100_000_000, max: 100_000_000 }),
    atMs: fc.integer({ min: 0, max: 2100 }),
    deviceId: fc.integer({ min: 1, max: 4 }),
    invoiceNumber: fc.constant(null),
    discountMinor: cents,
  }),
  { maxLength: 30 },
);

describe('the drawer of a payment', () => {
  test('is exactly one of the drawers that were open then', () => {
    fc.assert(
      fc.property(anyDrawers, anyPayments, (drawers, payments) => {
        for (const each of payments) {
          const open = drawers.filter(
            ({ openedAtMs, close }) => openedAtMs <= each.atMs && (!close || each.atMs < close.atMs),
          );
          const into = drawers.filter((one) => paymentsInto(one, drawers, [each]).length === 1);
          expect(into).toHaveLength(open.length === 0 ? 0 : 1);
          if (into[0]) expect(open).toContain(into[0]);
        }
      }),
    );
  });

  test('does not depend on the order of the drawers', () => {
    fc.assert(
      fc.property(anyDrawers, anyPayments, (drawers, payments) => {
        for (const each of payments)
          expect(drawerFinder([...drawers].reverse())(each)).toBe(drawerFinder(drawers)(each));
      }),
    );
  });

  test('is that of its device when several were open, or else the one opened first', () => {
    const [first, second] = [
      drawer({ id: 'z', deviceId: 1, openedAtMs: 1 }),
      drawer({ id: 'a', deviceId: 2, openedAtMs: 2 }),
    ];
    expect(drawerFinder([first, second])({ atMs: 5, deviceId: 2 })).toBe(second);
    expect(drawerFinder([second, first])({ atMs: 5, deviceId: 9 })).toBe(first);
    expect(currentDrawer([{ ...first, close: closedAt(4) }, second], 1)).toBe(second);
  });

  test('includes the moment of the opening but not that of the close', () => {
    const one = drawer({ close: closedAt(noon + 10) });
    expect(
      [noon - 1, noon, noon + 9, noon + 10].map((atMs) => drawerFinder([one])({ atMs, deviceId: 1 }) !== null),
    ).toEqual([false, true, true, false]);
  });
});

describe('the Z report', () => {
  test('adds up to the cent: all drawers and the payments outside contain all payments', () => {
    fc.assert(
      fc.property(anyDrawers, anyPayments, (drawers, payments) => {
        const reports = drawers.map((one) => ({
          one,
          report: drawerReport(one, paymentsInto(one, drawers, payments), []),
        }));
        const outside = payments.filter((each) => drawerFinder(drawers)(each) === null);
        const sum = (list: readonly { amountMinor: number }[]) =>
          list.reduce((total, { amountMinor }) => total + amountMinor, 0);
        for (const method of paymentMethods) {
          const inDrawers = reports.reduce((total, { one, report }) => {
            const byHand = one.movements.filter(({ atMs }) => !one.close || atMs <= one.close.atMs);
            return total + report.expected[method] - (method === 'cash' ? one.floatMinor + sum(byHand) : 0);
          }, 0);
          const of = (list: readonly DrawerPayment[]) => sum(list.filter((each) => each.method === method));
          expect(inDrawers).toBe(of(payments) - of(outside));
        }
        for (const { one, report } of reports) {
          expect(report.sales.amountMinor + report.refunds.amountMinor).toBe(sum(paymentsInto(one, drawers, payments)));
          if (report.difference) expect(sumOf(report.difference)).toBe(sumOf(report.counted!) - sumOf(report.expected));
          else expect(one.close).toBeNull();
        }
      }),
    );
  });

  test('and the cash outside all drawers add up to the cash of a day', () => {
    fc.assert(
      fc.property(anyDrawers, anyPayments, (drawers, payments) => {
        const cash = payments.filter(({ method }) => method === 'cash');
        const { byDrawer, outside } = cashShares(drawers, cash);
        const all = [...byDrawer.values(), outside];
        expect(all.reduce((sum, { amountMinor }) => sum + amountMinor, 0)).toBe(
          cash.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
        );
        expect(all.reduce((sum, { count }) => sum + count, 0)).toBe(cash.length);
        for (const one of drawers) {
          const { expected } = drawerReport(
            { ...one, floatMinor: 0, movements: [] },
            paymentsInto(one, drawers, cash),
            [],
          );
          expect(byDrawer.get(one.id)?.amountMinor ?? 0).toBe(expected.cash);
        }
      }),
    );
  });

  test('does not depend on the order of payments and movements', () => {
    fc.assert(
      fc.property(anyDrawer, anyPayments, (one, payments) => {
        const known = { ...one, id: 'd' };
        const reversed = { ...known, movements: [...one.movements].reverse() };
        const { movements: _movements, ...report } = drawerReport(known, payments, []);
        expect(drawerReport(reversed, [...payments].reverse(), [])).toMatchObject(report);
      }),
    );
  });

  test('shows a movement after the close, but does not count it as expected', () => {
    const move = (atMs: number, amountMinor: number) => ({
      opId: `op-${atMs}`,
      amountMinor,
      reason: 'stamps',
      actorId: 7,
      atMs,
    });
    const { expected, movements } = drawerReport(
      drawer({ movements: [move(noon + 20, -500), move(noon + 5, 300)], close: closedAt(noon + 10) }),
      [],
      [],
    );
    expect(expected.cash).toBe(10_300);
    expect(movements.map(({ amountMinor, isLate }) => [amountMinor, isLate])).toEqual([
      [300, false],
      [-500, true],
    ]);
  });

  test('counts treatments, refunds and discounts, and the invoices of each device', () => {
    const numbered = (invoiceNumber: string, over: Partial<DrawerPayment> = {}) => payment({ invoiceNumber, ...over });
    const report = drawerReport(
      drawer(),
      [
        numbered('INV-A7-000010', { discountMinor: 250 }),
        numbered('INV-A7-000009', { orderId: 'o2' }),
        numbered('INV-B1-000003', { orderId: 'o3' }),
        payment({ orderId: 'o3', method: 'card' }),
        payment({ orderId: 'o2', amountMinor: -400 }),
      ],
      [],
    );
    expect(report.sales).toEqual({ count: 3, amountMinor: 4000 });
    expect(report.refunds).toEqual({ count: 1, amountMinor: -400 });
    expect(report.discounts).toEqual({ count: 1, amountMinor: 250 });
    expect(report.invoices).toEqual([
      { first: 'INV-A7-000009', last: 'INV-A7-000010', count: 2 },
      { first: 'INV-B1-000003', last: 'INV-B1-000003', count: 1 },
    ]);
  });

  test('adds nothing up that is in another currency than the drawer, and states it apart', () => {
    fc.assert(
      fc.property(anyDrawer, anyPayments, anyPayments, anyPayments, (one, own, rupees, pounds) => {
        const known = { ...one, id: 'd' };
        const foreign = [
          ...rupees.map((each) => ({ ...each, currency: 'LKR' })),
          ...pounds.map((each) => ({ ...each, currency: 'GBP' })),
        ];
        const { others = [], ...report } = drawerReport(known, [...foreign, ...own], []);
        expect(report).toEqual(drawerReport(known, own, []));
        const alone = [pounds, rupees].filter(({ length }) => length > 0);
        expect(others.map(({ currency }) => currency)).toEqual(
          [...new Set(foreign.map(({ currency }) => currency))].sort(),
        );
        for (const [index, payments] of alone.entries()) {
          const { sales, refunds, expected } = drawerReport({ ...known, floatMinor: 0, movements: [] }, payments, []);
          expect(others[index]).toMatchObject({ sales, refunds, taken: expected });
        }
        const whole = { ...report, others };
        expect(reportFromResource(JSON.parse(JSON.stringify(reportResource(whole))))).toEqual(whole);
      }),
    );
  });

  test('awaits each device that has not reported an empty outbox after the close, and is final when all have', () => {
    const one = drawer({ close: closedAt(noon + 10) });
    const [cleared, behind, silent] = [
      device({ id: 1, clearedAtMs: noon + 10, waiting: 3 }),
      device({ id: 2, code: 'B2', name: 'Surgery', clearedAtMs: noon + 9, lastSeenAtMs: noon + 30, waiting: 2 }),
      device({ id: null, code: '', name: '', clearedAtMs: null, lastSeenAtMs: null }),
    ];
    const report = drawerReport(one, [], [cleared, behind, silent]);
    expect(report.isFinal).toBe(false);
    expect(report.awaits).toEqual([
      { deviceId: 2, code: 'B2', name: 'Surgery', sinceMs: noon + 30, waiting: 2 },
      { deviceId: null, code: '', name: '', sinceMs: null, waiting: 0 },
    ]);
    expect(drawerReport(one, [], [cleared])).toMatchObject({ isFinal: true, awaits: [] });
    expect(drawerReport(drawer(), [], [cleared])).toMatchObject({
      isFinal: false,
      awaits: [],
      counted: null,
      difference: null,
    });
  });

  test('is unchanged after serialization', () => {
    fc.assert(
      fc.property(anyDrawer, anyPayments, (one, payments) => {
        const at = (atMs: number) => noon + atMs;
        const row: DrawerRow = {
          ...one,
          id: 'd',
          openedAtMs: at(one.openedAtMs),
          movements: one.movements.map((move) => ({ ...move, atMs: at(move.atMs) })),
          close: one.close && { ...one.close, atMs: at(one.close.atMs), notes: 'all there' },
          deviceCode: 'A1',
          people: { 7: 'Ana' },
          devices: [device(), device({ id: 2, lastSeenAtMs: null, clearedAtMs: null })],
        };
        expect(drawerRowFromResource(JSON.parse(JSON.stringify(drawerRowResource(row))))).toEqual(row);
        const report = drawerReport(row, payments, row.devices);
        expect(reportFromResource(JSON.parse(JSON.stringify(reportResource(report))))).toEqual(report);
      }),
    );
  });
});

describe('an operation on a drawer', () => {
  const operation = (kind: DrawerOperation['kind'], payload: object) =>
    ({
      op_id: kind,
      device_id: 3,
      actor_id: 7,
      kind,
      payload: { drawer_id: 'd1', ...payload },
    }) as unknown as DrawerOperation;
  const open = operation('drawer.open', { currency: 'EUR', float: 100 });
  const move = operation('drawer.move', { direction: 'out', amount: 12.34, reason: 'Stamps' });
  const close = operation('drawer.close', { counted: { ...nothing, cash: 87.66 }, notes: 'ok' });

  test('changes nothing when it is applied twice or without an opening', () => {
    const once = [open, move, close].reduce<Drawer | null>((one, each) => reduceDrawer(one, each, noon), null);
    const twice = [open, open, move, move, close, close].reduce<Drawer | null>(
      (one, each, index) => reduceDrawer(one, each, index % 2 ? noon + 99 : noon),
      null,
    );
    expect(once).toEqual({
      id: 'd1',
      deviceId: 3,
      currency: 'EUR',
      floatMinor: 10_000,
      openedAtMs: noon,
      openedBy: 7,
      movements: [{ opId: 'drawer.move', amountMinor: -1234, reason: 'Stamps', actorId: 7, atMs: noon }],
      close: { atMs: noon, actorId: 7, counted: { ...nothing, cash: 8766 }, notes: 'ok' },
    });
    expect(twice).toEqual(once);
    expect(reduceDrawer(null, close, noon)).toBeNull();
  });

  test('is refused when it is invalid in the state of the drawer', () => {
    const code = (result: { ok: boolean; refusal?: { code: string } }) => (result.ok ? null : result.refusal?.code);
    const [mine, closed] = [drawer(), drawer({ close: closedAt(noon) })];
    expect(code(decideOpen({ hasOpen: true, floatMinor: 0 }))).toBe('DRAWER_OPEN');
    expect(code(decideOpen({ hasOpen: false, floatMinor: 0 }))).toBeNull();
    expect(code(decideOpen({ hasOpen: false, floatMinor: -1 }))).toBe('AMOUNT_INVALID');
    expect(code(decideMove(mine, { amountMinor: 1, reason: 'why' }))).toBeNull();
    expect(code(decideMove(mine, { amountMinor: 0, reason: 'why' }))).toBe('AMOUNT_INVALID');
    expect(code(decideMove(mine, { amountMinor: 1, reason: ' ab ' }))).toBe('VALIDATION');
    expect(code(decideMove(closed, { amountMinor: 1, reason: 'why' }))).toBe('DRAWER_CLOSED');
    expect(code(decideClose(mine, { counted: nothing }))).toBeNull();
    expect(code(decideClose(mine, { counted: { ...nothing, card: Number.NaN } }))).toBe('AMOUNT_INVALID');
    expect(code(decideClose(closed, { counted: nothing }))).toBe('DRAWER_CLOSED');
  });
});

describe('the printed report', () => {
  const word = (key: string) => `<${key}>`;
  const labels = new Proxy({} as ReportLabels, {
    get: (_none, key: string) =>
      key === 'methods' ? { cash: 'Cash', card: 'Card', insurance: 'Insurance', others: 'Other' } : word(key),
  });
  const context = { settings: { ...defaultSettings, practice_name: 'Clínica Luz' }, language: 'en' as const, labels };
  const row: DrawerRow = {
    ...drawer({
      close: { ...closedAt(noon + 60_000), counted: { ...nothing, cash: 10_900 }, notes: 'one coin missing' },
    }),
    deviceCode: 'A1',
    people: { 7: 'Ana' },
    devices: [device({ id: 2, code: 'B2', name: 'Surgery' })],
  };
  const textOf = (devices: DrawerDevice[]) =>
    reportRows(context, row, drawerReport(row, [payment({ invoiceNumber: 'INV-A1-000001' })], devices))
      .map(({ left, right }) => [left, right].filter(Boolean).join(' '))
      .join('\n');

  test('states the expected, counted and missing amounts, and the users', () => {
    const text = textOf([]);
    for (const each of [
      'Clínica Luz',
      '<openedBy> Ana',
      '<expected> EUR 110,00',
      '<counted> EUR 109,00',
      '<difference> EUR -1,00',
      '<sales> (1) EUR 10,00',
      'INV-A1-000001',
      'one coin missing',
    ])
      expect(text).toContain(each);
    expect(text).not.toContain('<provisional>');
    expect(text).toContain('\nCard EUR 0,00\n');
  });

  test('is in the currency of the drawer, and states what was taken in another', () => {
    const inRupees = { ...context, settings: { ...defaultSettings, currency: 'LKR' as const } };
    const payments = [payment(), payment({ currency: 'LKR', amountMinor: 500_00 }), payment({ amountMinor: -100 })];
    const text = reportRows(inRupees, row, drawerReport(row, payments, []))
      .map(({ left, right }) => [left, right].filter(Boolean).join(' '))
      .join('\n');
    expect(text).toContain('<expected> EUR 109,00');
    expect(text).toContain('<apart> Rs\n<sales> (1) Rs 500,00\nCash Rs 500,00\n');
    expect(text.match(/Rs /g)).toHaveLength(2);
  });

  test('names the last fiscal record of each device, and the newest of the device that prints', () => {
    const head = (chain: string, sequence: number) => ({ chain, sequence, seal: chain[0]!.repeat(64) });
    const devices = [
      device({ id: 2, code: 'B2', head: head('B2', 9) }),
      device({ id: 3, code: 'A1', head: head('A1', 4) }),
    ];
    const rows = reportRows(context, { ...row, devices }, drawerReport(row, [], []), head('A1', 7));
    const texts = rows.map(({ left, right }) => [left, right]);
    expect(texts.slice(texts.findIndex(([left]) => left === '<chains>') + 1)).toEqual([
      ['A1 · 7', 'A'.repeat(16)],
      ['B2 · 9', 'B'.repeat(16)],
      [undefined, undefined],
      ['<notes>: one coin missing', undefined],
    ]);
    expect(textOf([])).not.toContain('<chains>');
    const known = { ...row, devices };
    expect(drawerRowFromResource(drawerRowResource(known))).toEqual(known);
  });

  test('says in one line what may be missing and why, while it is provisional', () => {
    const line = (devices: DrawerDevice[]) => /^<provisional>.*$/m.exec(textOf(devices))?.[0];
    expect(line(row.devices)).toBe('<provisional> Surgery · B2 (<silentSince> 12\u00a0May\u00a02026,\u00a012:00)');
    expect(line([...row.devices, device({ id: null, lastSeenAtMs: null })])).toBe(
      '<provisional> Surgery · B2 (<silentSince> 12\u00a0May\u00a02026,\u00a012:00), <server> (<neverHeard>)',
    );
    const open = reportRows(context, { ...row, close: null }, drawerReport({ ...row, close: null }, [], []));
    expect(open.map(({ left }) => left)).toContain('<provisional> <stillOpen>');
  });

  test('has a table of all methods on a sheet, which ends with their sums', () => {
    const cellsOf = (drawn: DrawerRow) =>
      reportRows(context, drawn, drawerReport(drawn, [payment()], [])).flatMap(({ cells }) => (cells ? [cells] : []));
    const none = ['EUR 0,00', 'EUR 0,00', 'EUR 0,00'];
    expect(cellsOf(row)).toEqual([
      ['<method>', '<expected>', '<counted>', '<difference>'],
      ['Cash', 'EUR 110,00', 'EUR 109,00', 'EUR -1,00'],
      ['Card', ...none],
      ['Insurance', ...none],
      ['Other', ...none],
      ['<total>', 'EUR 110,00', 'EUR 109,00', 'EUR -1,00'],
    ]);
    expect(cellsOf({ ...row, close: null }).at(-1)).toEqual(['<total>', 'EUR 110,00']);
  });
});

test('the denominations of each currency are distinct and sorted from the highest', () => {
  for (const pieces of Object.values(denominations)) {
    expect([...pieces].sort((a, b) => b - a)).toEqual(pieces);
    expect(new Set(pieces).size).toBe(pieces.length);
  }
});
