import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { closeDrawer, moveMoney, openDrawer } from '#src/db/commands/drawers.ts';
import { localDrawerReport, localDrawers, drawerOverview } from '#src/db/queries/drawers.ts';
import { noon, valueOf } from '#tests/src/db/tablet.ts';
import { error, lost } from './clinic-server.ts';
import { openRig } from './rig.ts';
import type { Rig } from './rig.ts';

let rig: Rig;
beforeEach(async () => {
  rig = await openRig();
});
afterEach(() => rig.tablet.close());

const nothing = { cash: 0, card: 0, insurance: 0, others: 0 };
const elsewhere = {
  id: '019e1ba1-0d00-7000-8000-00000000000d',
  deviceId: 9,
  currency: 'EUR',
  floatMinor: 5000,
  openedAtMs: noon,
  openedBy: 2,
  movements: [],
  close: null,
};
const open = async () => valueOf(await openDrawer(rig.tablet, { floatMinor: 1000 })).drawerId;
const reported = () =>
  rig.server.calls
    .filter(({ path }) => path.startsWith('/sync/batch') || path.startsWith('/sync/changes'))
    .map(({ path }) => new URL(path, 'http://x').searchParams.get('waiting'));

describe('cash drawers', () => {
  test('SYNC-9 are delivered by the feed, and show waiting operations until their receipts arrive', async () => {
    rig.server.changeDrawer(elsewhere);
    await rig.engine.run('timer');
    const { current } = await drawerOverview(rig.tablet.db, noon);
    valueOf(
      await moveMoney(rig.tablet, { drawerId: current!.id, direction: 'out', amountMinor: 700, reason: 'stamps' }),
    );
    expect((await localDrawers(rig.tablet.db))[0]).toMatchObject({ unsent: true, movements: [{ amountMinor: -700 }] });
    await rig.engine.run('write');
    expect(rig.server.drawers.get(current!.id)!.movements).toMatchObject([{ amountMinor: -700 }]);
    expect((await localDrawers(rig.tablet.db))[0]).toMatchObject({ unsent: false, movements: [{ amountMinor: -700 }] });
  });

  test('SYNC-16 are sent again when a restored server lacks them, and drawers of other tablets are deleted', async () => {
    const drawerId = await open();
    rig.server.changeDrawer(elsewhere);
    await rig.engine.run('write');
    rig.server.restoreEmpty();
    rig.server.drawers.clear();
    await rig.engine.run('timer');
    expect([...rig.server.drawers.keys()]).toEqual([drawerId]);
    expect((await localDrawers(rig.tablet.db)).map(({ id, unsent }) => ({ id, unsent }))).toEqual([
      { id: drawerId, unsent: false },
    ]);
  });

  test('SYNC-13 are sent in order after a day of offline work', async () => {
    rig.server.rule = () => null;
    const drawerId = await open();
    await rig.sell(2);
    valueOf(await moveMoney(rig.tablet, { drawerId, direction: 'in', amountMinor: 50, reason: 'found' }));
    rig.tablet.clock.now += 1000;
    valueOf(await closeDrawer(rig.tablet, { drawerId, countedMinor: { ...nothing, cash: 3050 } }));
    await rig.engine.run('write');
    expect(rig.server.drawers.size).toBe(0);
    rig.server.rule = (_call, handle) => handle();
    await rig.engine.run('online');
    expect(rig.server.drawers.get(drawerId)).toMatchObject({
      currency: 'EUR',
      floatMinor: 1000,
      movements: [{ amountMinor: 50 }],
      close: { counted: { cash: 3050 } },
    });
    const { report } = (await localDrawerReport(rig.tablet.db, drawerId, rig.tablet.clock.now))!;
    expect(report).toMatchObject({ isFinal: true, difference: nothing, expected: { cash: 3050 } });
  });
});

describe('each request', () => {
  test('reports how many operations wait', async () => {
    await rig.engine.run('timer');
    rig.server.rule = ({ path }, handle) =>
      path.startsWith('/sync/batch') ? error(503, 'UNAVAILABLE')({} as never, handle) : handle();
    await rig.sell();
    await rig.engine.run('write');
    rig.server.rule = (_call, handle) => handle();
    await rig.engine.run('online');
    // With a batch it reports what waits beside it.
    expect(reported()).toEqual(['0', '0', '3', '0']);
  });

  test('also counts the operations in flight', async () => {
    await rig.create();
    rig.server.troubles.push(lost);
    await rig.engine.run('write');
    expect(reported().at(-1)).toBe('1');
  });
});
