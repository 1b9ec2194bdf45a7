import { onlineManager, QueryClientProvider } from '@tanstack/react-query';
import { liveQuery } from 'dexie';
import { useLiveQuery } from '../local-data/live.ts';
import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { syncRow } from '../db/singletons.ts';
import { db } from '../local-data/database.ts';
import { useSession } from '../session/session.ts';
import { confirmOutage, loadMissing, queryClient, retryIntervalMs } from './use-server-data.ts';

/** The server counts as back when the browser says so, and when the engine has reached it. */
onlineManager.setEventListener((setOnline) => {
  const end = new AbortController();
  addEventListener('online', () => setOnline(true), { signal: end.signal });
  addEventListener('offline', () => setOnline(false), { signal: end.signal });
  const link = liveQuery(async () => (await syncRow(db)).link).subscribe((now) => setOnline(now !== 'offline'));
  return () => {
    link.unsubscribe();
    end.abort();
  };
});

let owner: number | undefined;

/** Forgets the responses of the person before. A screen is mounted anew for each person. */
function forgetOthers(): void {
  const person = useSession.getState().user?.id;
  if (person !== owner) queryClient.clear();
  owner = person;
}

/** Delay in milliseconds: one reload covers a burst of sales. */
const usualGatherMs = 1500;

/**
 * Provides server data to back-office pages, and reloads it after each change in the change feed. Loads with the first
 * back-office page, so that the counter does not load it.
 *
 * @param props.gatherMs delay from the first change to the reload, which covers all changes meanwhile
 */
export function ServerDataProvider({
  children,
  gatherMs = usualGatherMs,
}: {
  children: ReactNode;
  gatherMs?: number | undefined;
}) {
  useState(forgetOthers);
  const cursor = useLiveQuery(async () => (await db.sync.get('this'))?.cursor, []);
  const seen = useRef(cursor);
  const gathering = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    if (cursor === undefined || cursor === seen.current) return;
    const isFirst = seen.current === undefined;
    seen.current = cursor;
    if (isFirst) return;
    gathering.current ??= setTimeout(() => {
      gathering.current = undefined;
      void queryClient.invalidateQueries();
    }, gatherMs);
  }, [cursor, gatherMs]);
  useEffect(
    () => () => {
      clearTimeout(gathering.current);
      gathering.current = undefined;
    },
    [],
  );
  useEffect(() => {
    const timer = setInterval(() => void loadMissing(), retryIntervalMs);
    return () => clearInterval(timer);
  }, []);
  useEffect(() => onlineManager.subscribe(confirmOutage), []);
  return <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>;
}
