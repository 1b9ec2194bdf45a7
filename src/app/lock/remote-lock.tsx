import { useEffect } from 'react';
import { neverSynced, syncRow } from '#src/db/singletons.ts';
import { db } from '#src/local-data/database.ts';
import { useLiveQuery } from '#src/local-data/live.ts';
import { useKnownSettings } from '#src/local-data/use-clinic-settings.ts';
import { keepIdleTime, obeyRemoteLock } from '#src/session/session.ts';

/** Locks the app when a manager has asked for it, and keeps the clinic's time of the automatic lock for the next start. */
export function RemoteLock() {
  const { lock_asked_at: askedAt, clock_offset_ms: offsetMs } = useLiveQuery(() => syncRow(db), []) ?? neverSynced;
  const minutes = useKnownSettings()?.lock_minutes;
  useEffect(() => {
    if (askedAt !== null) obeyRemoteLock(askedAt, offsetMs);
  }, [askedAt, offsetMs]);
  useEffect(() => {
    if (minutes !== undefined) keepIdleTime(minutes);
  }, [minutes]);
  return null;
}
