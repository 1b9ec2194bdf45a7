import { useEffect, useEffectEvent } from 'react';
import { db } from '../local-data/database.ts';
import { useSession } from '../session/session.ts';
import { hasFreeDraft } from './draft-place.ts';

/**
 * Opens a form again that a reload or the end of a session has closed: one of which the person's draft is still here, and in no
 * other tab.
 */
export function useReopened(name: string, open: () => void): void {
  const owner = useSession(({ user }) => user?.id);
  const reopen = useEffectEvent(open);
  useEffect(() => {
    let gone = false;
    void hasFreeDraft(db, name, owner).then((isFree) => {
      if (isFree && !gone) reopen();
    });
    return () => {
      gone = true;
    };
  }, [name, owner]);
}
