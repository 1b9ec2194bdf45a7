import { useLiveQuery } from 'dexie-react-hooks';
import { db } from '../../local-data/database.ts';
import { useMinute } from '../../formats/clock.ts';
import { syncRow } from '../../db/singletons.ts';

/** The server's time as far as this device knows it (milliseconds), kept current while the board hangs there. */
export function useBoardClock(): number {
  const offsetMs = useLiveQuery(async () => (await syncRow(db)).clock_offset_ms, []) ?? 0;
  return useMinute() + offsetMs;
}
