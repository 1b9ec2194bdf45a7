import { useMemo } from 'react';
import { browserPorts } from '../db/ports.ts';
import type { WriteContext } from '../db/write.ts';
import { actorKeyOf } from '../session/actor-key.ts';
import { useSession } from '../session/session.ts';
import { db } from '../local-data/database.ts';
import { requestSync } from './sync-host.ts';

const onWritten = (): void => requestSync('write');

/** Returns the context that commands need, for the signed-in person. */
export function useWriteContext(): WriteContext {
  const actorId = useSession((state) => state.user?.id);
  return useMemo(() => {
    if (actorId === undefined) throw new Error('Commands need somebody to be signed in.');
    return { db, ports: browserPorts, actorId, actorKey: () => actorKeyOf(actorId), onWritten };
  }, [actorId]);
}
