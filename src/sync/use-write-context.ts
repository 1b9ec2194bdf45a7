import { useMemo } from 'react';
import { browserPorts } from '../db/ports.ts';
import type { ActorKey } from '../db/proof.ts';
import type { WriteContext } from '../db/write.ts';
import { useSession } from '../session/session.ts';
import { db } from '../local-data/database.ts';
import { requestSync } from './sync-host.ts';

let keys: typeof import('../session/keys.ts') | undefined;

/** Loads what the first page does not need; `src/app/guard-keys.ts` has loaded it by the time that somebody taps. */
async function loadActorKey(actorId: number): Promise<ActorKey | null> {
  keys = await import('../session/keys.ts');
  return keys.actorKeyOf(actorId);
}

const onWritten = (): void => requestSync('write');

/** Returns the context that commands need, for the signed-in person. */
export function useWriteContext(): WriteContext {
  const actorId = useSession((state) => state.user?.id);
  return useMemo(() => {
    if (actorId === undefined) throw new Error('Commands need somebody to be signed in.');
    return {
      db,
      ports: browserPorts,
      actorId,
      actorKey: () => keys?.actorKeyAtHand(actorId) ?? loadActorKey(actorId),
      onWritten,
    };
  }, [actorId]);
}
