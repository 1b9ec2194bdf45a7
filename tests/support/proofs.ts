/** Signs operations as a tablet does. */
import type { AnyOperation } from '#domain/protocol/operations.ts';
import type { DeviceReply } from '#domain/protocol/sync.ts';
import { proofOf } from '#src/db/proof.ts';
import type { ActorKey } from '#src/db/proof.ts';
import { readActorKey } from '#src/session/keys.ts';

export const actorKeyIn = ({ device_id, session_id, actor_key }: DeviceReply): ActorKey =>
  readActorKey({ deviceId: device_id, sessionId: session_id!, key: actor_key! });

export const signedBy = <O extends object = AnyOperation>(key: ActorKey, operation: O): O => ({
  ...operation,
  proof: proofOf(key, operation),
});
