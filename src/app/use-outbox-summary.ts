import { useLiveQuery } from 'dexie-react-hooks';
import { useEffect } from 'react';
import { outboxSummary } from '../db/queries/outbox.ts';
import type { OutboxSummary } from '../db/queries/outbox.ts';
import { db } from './database.ts';

/** Where unsent work stands; undefined until the database has answered. */
export const useOutboxSummary = (): OutboxSummary | undefined => useLiveQuery(() => outboxSummary(db), []);

/** Shows the number of unsent operations on the installed app's icon, where the system can. */
export function useAppBadge(summary: OutboxSummary | undefined): void {
  const count = summary ? summary.waiting + summary.attention : 0;
  useEffect(() => {
    if (!('setAppBadge' in navigator)) return;
    // A system that has no badges refuses; there is nothing to say then.
    void (count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge()).catch(() => undefined);
  }, [count]);
}
