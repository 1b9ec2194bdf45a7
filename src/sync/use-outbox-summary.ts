import { useEffect, useSyncExternalStore } from 'react';
import { may } from '#domain/permissions.ts';
import { outboxSummary } from '../db/queries/outbox.ts';
import type { OutboxSummary } from '../db/queries/outbox.ts';
import { remoteAttention } from '../db/queries/attention.ts';
import { useSession } from '../session/session.ts';
import { db } from '../local-data/database.ts';
import { calmQuery, sharedQuery, useLiveQuery } from '../local-data/live.ts';
import { noteUnsent } from './lost-storage.ts';

/** The summary changes with every sale and every batch. */
const { subscribe, latest } = sharedQuery(calmQuery([db.operation_states, db.sync], () => outboxSummary(db)));

/** Returns the state of the outbox; undefined while loading. */
export const useOutboxSummary = (): OutboxSummary | undefined => useSyncExternalStore(subscribe, latest);

/** Returns the state of the link; undefined while loading. Renders for fewer changes than the whole summary. */
export const useLink = (): OutboxSummary['link'] | undefined => useSyncExternalStore(subscribe, () => latest()?.link);

/** Returns the number of refused operations of other devices; 0 for people who can't resolve them. */
export function useRefusedElsewhere(): number {
  const decides = useSession(({ user }) => user !== null && may(user.role, 'attention.read'));
  const items = useLiveQuery(async () => (decides ? remoteAttention(db) : []), [decides]) ?? [];
  return items.filter(({ kind }) => kind === 'refused').length;
}

/** Shows the number of unsent operations on the icon of the installed app, if the system supports badges. */
export function useAppBadge(summary: OutboxSummary | undefined): void {
  const count = summary ? summary.waiting + summary.attention : 0;
  useEffect(() => {
    if (!('setAppBadge' in navigator)) return;
    // Systems without badges reject the call.
    void (count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge()).catch(() => undefined);
  }, [count]);
}

/** Notes the number of unsent operations outside the database. */
export function useUnsentNote(summary: OutboxSummary | undefined): void {
  const count = summary?.waiting;
  useEffect(() => {
    if (count !== undefined) void noteUnsent(db, count);
  }, [count]);
}
