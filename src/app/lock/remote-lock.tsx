import { useEffect } from 'react';
import { syncRow } from '../../db/singletons.ts';
import { db } from '../../local-data/database.ts';
import { useLiveQuery } from '../../local-data/live.ts';
import { useClinicSettings } from '../../local-data/use-clinic-settings.ts';
import { keepIdleTime, obeyRemoteLock } from '../../session/session.ts';

/** Locks the app when a manager has asked for it, and keeps the clinic's time of the automatic lock for the next start. */
export function RemoteLock() {
  const askedAt = useLiveQuery(async () => (await syncRow(db)).lock_asked_at ?? null, []);
  const { lock_minutes: minutes } = useClinicSettings();
  useEffect(() => {
    if (askedAt) obeyRemoteLock(askedAt);
  }, [askedAt]);
  useEffect(() => keepIdleTime(minutes), [minutes]);
  return null;
}
