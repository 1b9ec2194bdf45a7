import { QueryClientProvider } from '@tanstack/react-query';
import { useLiveQuery } from 'dexie-react-hooks';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { db } from './database.ts';
import { queryClient } from './server-data.ts';

/** Answers to a burst of sales with one refresh. */
const settleMs = 1500;

/**
 * What back-office pages stand in: server data, read again when the change feed has moved, because then something changed
 * at the server, here or elsewhere. Loaded with the first such page, so that the counter does not carry it.
 */
export function BackOffice({ children }: { children: ReactNode }) {
  const cursor = useLiveQuery(async () => (await db.sync.get('this'))?.cursor, []);
  const seen = useRef(cursor);
  useEffect(() => {
    if (cursor === undefined || cursor === seen.current) return;
    const isFirst = seen.current === undefined;
    seen.current = cursor;
    if (isFirst) return;
    const timer = setTimeout(() => void queryClient.invalidateQueries(), settleMs);
    return () => clearTimeout(timer);
  }, [cursor]);
  return <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>;
}
