import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { drawerResource } from '#domain/drawer/resource.ts';
import type { DrawerRowResource } from '#domain/drawer/resource.ts';
import { envelopeSchema, payloadSchemas } from '#domain/protocol/operation-schemas.ts';
import { closeDrawer, moveMoney, openDrawer } from '#src/db/commands/drawers.ts';
import { incrementPrintCount, saveDrawerReport } from '#src/db/commands/documents.ts';
import { correctRefused, retryRefused, voidRefused } from '#src/db/commands/tray.ts';
import { transition } from '#src/db/operation-state.ts';
import { sendingState } from '#tests/support/sending-state.ts';
import { drawerOverview, localDrawerReport, localDrawers, openLocalDrawers } from '#src/db/queries/drawers.ts';
import { outboxEntries } from '#src/db/queries/outbox.ts';
import { updateSync } from '#src/db/singletons.ts';
import { wipePersonal } from '#src/auth/sign-out.ts';
import { noon, openTablet, refusalOf, sell, valueOf } from './tablet.ts';
import type { OfflineTablet } from './tablet.ts';

let tablet: OfflineTablet;
beforeEach(async () => {
  tablet = await openTablet();
});
afterEach(() => tablet.close());

const minuteMs = 60_000;
const nothing = { cash: 0, card: 0, insurance: 0, others: 0 };
const open = async (floatMinor = 10_000) => valueOf(await openDrawer(tablet, { floatMinor })).drawerId;
const operations = async () => (await outboxEntries(tablet.db, { limit: 100 })).map(({ operation }) => operation);
const now = () => drawerOverview(tablet.db, tablet.clock.now);
const reportOf = async (drawerId: string) => (await localDrawerReport(tablet.db, drawerId, tablet.clock.now))!.report;
const later = (ms = minuteMs) => (tablet.clock.now += ms);

/** A drawer as the server tells of it; the device of these tests is number 3. */
async function told(over: Partial<DrawerRowResource> = {}): Promise<DrawerRowResource> {
  const drawer = drawerResource({
    id: '019e1ba1-0d00-7000-8000-00000000000d',
    deviceId: 9,
    currency: 'EUR',
    floatMinor: 5000,
    openedAtMs: noon - minuteMs,
    openedBy: 2,
    movements: [],
    close: null,
  });
  const row = { ...drawer, device_code: 'B1', people: { 2: 'Bea' }, devices: [], ...over };
  await tablet.db.drawers.put(row);
  return row;
}

describe('the drawer of a tablet', () => {
  test('comes before the other open drawers, which are in the order of opening, last first', async () => {
    const [earlier, last] = [
      await told({ opened_at: new Date(noon - 2 * minuteMs).toISOString() }),
      await told({ id: '019e1ba1-0d00-7000-8000-00000000000e', opened_at: new Date(noon + minuteMs).toISOString() }),
    ];
    const own = await open();
    expect((await openLocalDrawers(tablet.db)).map(({ id }) => id)).toEqual([own, last.id, earlier.id]);
  });

  test('SYNC-1 is opened, moved and closed offline, and each operation depends on the one before', async () => {
    const drawerId = await open();
    later();
    await moveMoney(tablet, { drawerId, direction: 'out', amountMinor: 1234, reason: ' Stamps ' });
    later();
    valueOf(await closeDrawer(tablet, { drawerId, countedMinor: { ...nothing, cash: 8766 }, notes: 'all there' }));
    const queued = await operations();
    expect(queued.map(({ kind, payload }) => ({ kind, payload }))).toEqual([
      { kind: 'drawer.open', payload: { drawer_id: drawerId, currency: 'EUR', float: 100 } },
      { kind: 'drawer.move', payload: { drawer_id: drawerId, direction: 'out', amount: 12.34, reason: 'Stamps' } },
      {
        kind: 'drawer.close',
        payload: { drawer_id: drawerId, counted: { ...nothing, cash: 87.66 }, notes: 'all there' },
      },
    ]);
    expect(queued.map(({ depends_on }) => depends_on)).toEqual([[], [queued[0]!.op_id], [queued[1]!.op_id]]);
    for (const operation of queued) {
      expect(envelopeSchema.safeParse(operation).success).toBe(true);
      expect(payloadSchemas[operation.kind].safeParse(operation.payload).success).toBe(true);
    }
    expect(await now()).toMatchObject({
      current: null,
      closed: [{ id: drawerId, unsent: true, closedOnServer: false }],
    });
    expect((await reportOf(drawerId)).difference).toEqual(nothing);
  });

  test('counts the sales of this tablet since the opening, and those that others have sent', async () => {
    await sell(tablet, { services: [{ itemKey: 's1', quantity: 1 }] });
    later();
    const drawerId = await open();
    later();
    await sell(tablet, { services: [{ itemKey: 's2', quantity: 1 }] });
    await sell(tablet, { services: [{ itemKey: 's1', quantity: 3 }], method: 'card', reference: '1' });
    expect(await reportOf(drawerId)).toMatchObject({
      expected: { ...nothing, cash: 10_000 + 2000, card: 3000 },
      sales: { count: 2, amountMinor: 5000 },
      invoices: [{ first: 'INV-A7-000002', last: 'INV-A7-000003', count: 2 }],
    });
  });

  test('refuses invalid commands, and writes nothing', async () => {
    expect(refusalOf(await openDrawer(tablet, { floatMinor: -1 }))).toBe('AMOUNT_INVALID');
    expect(refusalOf(await closeDrawer(tablet, { drawerId: 'unknown', countedMinor: nothing }))).toBe(
      'DRAWER_NOT_FOUND',
    );
    const drawerId = await open();
    expect(refusalOf(await openDrawer(tablet, { floatMinor: 0 }))).toBe('DRAWER_OPEN');
    expect(refusalOf(await moveMoney(tablet, { drawerId, direction: 'in', amountMinor: 0, reason: 'float' }))).toBe(
      'AMOUNT_INVALID',
    );
    expect(refusalOf(await moveMoney(tablet, { drawerId, direction: 'in', amountMinor: 5, reason: ' a ' }))).toBe(
      'VALIDATION',
    );
    valueOf(await closeDrawer(tablet, { drawerId, countedMinor: nothing }));
    expect(refusalOf(await closeDrawer(tablet, { drawerId, countedMinor: nothing }))).toBe('DRAWER_CLOSED');
    expect(refusalOf(await moveMoney(tablet, { drawerId, direction: 'in', amountMinor: 5, reason: 'float' }))).toBe(
      'DRAWER_CLOSED',
    );
    expect((await operations()).map(({ kind }) => kind)).toEqual(['drawer.open', 'drawer.close']);
  });

  test('is its own, or else the one that another tablet opened', async () => {
    const row = await told();
    expect(await now()).toMatchObject({
      current: { id: row.id, deviceCode: 'B1', people: { 2: 'Bea' }, unsent: false },
      isOwn: false,
    });
    const drawerId = await open();
    expect(await now()).toMatchObject({ current: { id: drawerId, deviceCode: 'A7', unsent: true }, isOwn: true });
  });

  test('is deleted a month after its close, when another one is opened', async () => {
    const longAgo = { closed_at: new Date(noon - 31 * 86_400_000).toISOString(), closed_by: 2, counted: nothing };
    const recent = await told({
      ...longAgo,
      id: '019e1ba1-0d00-7000-8000-00000000000e',
      closed_at: new Date(noon - 29 * 86_400_000).toISOString(),
    });
    await told(longAgo);
    const drawerId = await open();
    expect((await localDrawers(tablet.db)).map(({ id }) => id).sort()).toEqual([recent.id, drawerId].sort());
  });

  test('SYNC-9 counts a movement once while its receipt is outstanding', async () => {
    const row = await told();
    await moveMoney(tablet, { drawerId: row.id, direction: 'in', amountMinor: 700, reason: 'change' });
    const [entry] = await outboxEntries(tablet.db, { limit: 1 });
    // The row comes home with the movement before the receipt does.
    await told({
      movements: [
        {
          op_id: entry!.operation.op_id,
          amount: 7,
          reason: 'change',
          actor_id: 7,
          created_at: new Date(noon).toISOString(),
        },
      ],
    });
    expect((await reportOf(row.id)).expected.cash).toBe(5700);
    await tablet.db.operation_states.put(transition(sendingState(entry!.state), 'settle', noon));
    expect((await reportOf(row.id)).expected.cash).toBe(5700);
    expect((await now()).current?.unsent).toBe(false);
  });
});

describe('the devices that a report awaits', () => {
  const awaitsOf = async (drawerId: string) =>
    (await reportOf(drawerId)).awaits.map(({ deviceId, sinceMs }) => ({ deviceId, sinceMs }));
  const deviceOf = (id: number, clearedAtMs: number) => ({
    id,
    code: `D${id}`,
    name: '',
    last_seen_at: new Date(clearedAtMs).toISOString(),
    cleared_at: new Date(clearedAtMs).toISOString(),
    waiting: 0,
  });

  test('include the server until it has confirmed the close', async () => {
    await updateSync(tablet.db, { last_contact_at: noon, clock_offset_ms: 500 });
    const drawerId = await open();
    later();
    await closeDrawer(tablet, { drawerId, countedMinor: { ...nothing, cash: 10_000 } });
    expect(await awaitsOf(drawerId)).toEqual([{ deviceId: null, sinceMs: noon + 500 }]);
  });

  test('include every other tablet that may have operations of that time, until it has reported', async () => {
    const close = { closed_at: new Date(noon).toISOString(), closed_by: 2, counted: nothing };
    const row = await told({
      ...close,
      devices: [deviceOf(3, noon - 9), deviceOf(4, noon - 9), deviceOf(5, noon + 1)],
    });
    expect(await awaitsOf(row.id)).toEqual([{ deviceId: 4, sinceMs: noon - 9 }]);
    await told({ ...close, devices: [deviceOf(3, noon - 9), deviceOf(4, noon + 9), deviceOf(5, noon + 1)] });
    expect(await reportOf(row.id)).toMatchObject({ isFinal: true, awaits: [] });
  });

  test('include the server again after a sign-out, which keeps the open drawer and deletes closed ones and treatments', async () => {
    await updateSync(tablet.db, { last_contact_at: noon });
    const open9 = await told();
    await told({
      id: '019e1ba1-0d00-7000-8000-00000000000e',
      closed_at: new Date(noon).toISOString(),
      closed_by: 2,
      counted: nothing,
    });
    await wipePersonal(tablet.db, 'ana@clinic.test');
    expect((await localDrawers(tablet.db)).map(({ id }) => id)).toEqual([open9.id]);
    later();
    await closeDrawer(tablet, { drawerId: open9.id, countedMinor: nothing });
    expect(await awaitsOf(open9.id)).toEqual([{ deviceId: null, sinceMs: noon }]);
  });

  test('leave the report incomplete when the drawer is older than the tablet’s data', async () => {
    const row = await told({ opened_at: new Date(noon - 8 * 86_400_000).toISOString() });
    expect((await localDrawerReport(tablet.db, row.id, tablet.clock.now))!.isComplete).toBe(false);
  });
});

describe('SYNC-7 a drawer’s operations in the tray', () => {
  async function refuse(index: number): Promise<string> {
    const { operation, state } = (await outboxEntries(tablet.db, { limit: 10 }))[index]!;
    await tablet.db.operation_states.put(
      transition(sendingState(state), 'refuse', noon, { last_error: { code: 'FORBIDDEN', message: '' } }),
    );
    return operation.op_id;
  }

  test('can be retried in their position, and corrected', async () => {
    const drawerId = await open();
    await moveMoney(tablet, { drawerId, direction: 'in', amountMinor: 700, reason: 'change' });
    const opId = await refuse(1);
    expect((await now()).current?.movements).toEqual([]);
    valueOf(await retryRefused(tablet, opId));
    expect((await now()).current?.movements).toMatchObject([{ amountMinor: 700 }]);
    const again = await refuse(1);
    const payload = { drawer_id: drawerId, direction: 'in' as const, amount: 8, reason: 'more change' };
    valueOf(await correctRefused<'drawer.move'>(tablet, { opId: again, payload }));
    expect((await now()).current?.movements).toMatchObject([{ amountMinor: 800, reason: 'more change' }]);
  });

  test('are voided together with the operations that depend on them', async () => {
    const drawerId = await open();
    await moveMoney(tablet, { drawerId, direction: 'in', amountMinor: 700, reason: 'change' });
    const opId = await refuse(0);
    const { opIds } = valueOf(await voidRefused(tablet, { opId, reason: 'opened twice' }));
    expect(opIds).toHaveLength(2);
    expect(await localDrawers(tablet.db)).toEqual([]);
  });
});

test('a report that is printed again unchanged is a copy, and a changed report is not', async () => {
  const report = { drawerId: 'd', number: 'Z-A7', issuedAtMs: noon };
  const print = async (left: string) =>
    incrementPrintCount(
      tablet.db,
      (await saveDrawerReport(tablet.db, { ...report, printed: [{ style: 'text', left }] })).id,
    );
  expect([await print('provisional'), await print('provisional'), await print('final'), await print('final')]).toEqual([
    1, 2, 1, 2,
  ]);
});
