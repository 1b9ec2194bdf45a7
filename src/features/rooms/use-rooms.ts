import { useLiveQuery } from 'dexie-react-hooks';
import { db } from '../../device/database.ts';
import { localRooms } from '../../db/queries/rooms.ts';
import type { LocalRoom } from '../../db/queries/rooms.ts';
import { syncRow } from '../../db/singletons.ts';

export interface RoomsNow {
  /** Undefined until this device has heard of any, or that there are none. */
  rooms: LocalRoom[] | undefined;
  /** When the server last answered, if it is away (milliseconds). */
  oldSince: number | null;
}

/** The rooms as this device knows them, which is at once and without a network. */
export function useRooms(): RoomsNow {
  const now = useLiveQuery(async () => {
    const [rooms, { cursor, link, last_contact_at }] = await Promise.all([localRooms(db), syncRow(db)]);
    const isFirstSync = rooms.length === 0 && cursor === null && link !== 'offline';
    return { rooms: isFirstSync ? undefined : rooms, oldSince: link === 'offline' ? last_contact_at : null };
  }, []);
  return now ?? { rooms: undefined, oldSince: null };
}
