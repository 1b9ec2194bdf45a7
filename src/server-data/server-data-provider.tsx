import { QueryClientProvider } from '@tanstack/react-query';
import { useLiveQuery } from 'dexie-react-hooks';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { db } from '../local-data/database.ts';
import { queryClient } from './use-server-data.ts';

/** Answers to a burst of sales with one refresh. */
const usualGatherMs = 1500;

/**
 * What back-office pages stand in: server data, read again when the change feed has moved, because then something changed
 * at the server, here or elsewhere. Loaded with the first such page, so that the counter does not carry it.
 *
 * @param props.gatherMs how long changes are gathered, the first one waiting for that long and no longer
 */
export function ServerDataProvider({
  children,
  gatherMs = usualGatherMs,
}: {
  children: ReactNode;
  gatherMs?: number | undefined;
}) {
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
  return <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>;
}
