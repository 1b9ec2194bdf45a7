import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { localRooms } from '#src/db/queries/rooms.ts';
import { elsewhere } from './clinic-server.ts';
import { openRig } from './rig.ts';
import type { Rig } from './rig.ts';

let rig: Rig;
beforeEach(async () => {
  rig = await openRig();
});
afterEach(() => rig.tablet.close());

const room = { number: '1', capacity: 1, location: '', is_occupied: false };
const seen = async () => (await localRooms(rig.tablet.db)).map(({ id, number, status }) => [id, number, status]);

describe('rooms', () => {
  test('SYNC-9 are delivered by the feed with deletions, and occupied by treatments of other tablets', async () => {
    rig.server.changeRoom(1, room);
    rig.server.changeRoom(2, { ...room, number: '2' });
    await rig.engine.run('timer');
    rig.server.change({ ...elsewhere('o1'), roomId: 1, roomNumber: '1' });
    rig.server.changeRoom(2, null);
    await rig.engine.run('timer');
    expect(await seen()).toEqual([[1, '1', 'occupied']]);
  });

  test('SYNC-16 are deleted when a restored server does not return them', async () => {
    rig.server.changeRoom(1, room);
    await rig.engine.run('timer');
    rig.server.restoreEmpty();
    rig.server.changeRoom(3, { ...room, number: '3' });
    await rig.engine.run('timer');
    expect(await seen()).toEqual([[3, '3', 'available']]);
  });
});
