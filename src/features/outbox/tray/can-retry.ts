import { may, mayReplace } from '#domain/permissions.ts';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import type { UserClaims } from '#domain/staff/roles.ts';
import { isAlreadyReplaced } from '#src/db/commands/tray.ts';
import type { OperationState } from '#src/db/database.ts';

/** Refusals that every retry would meet again: what they depend on is over. */
const lasting: readonly (string | undefined)[] = ['DEPENDENCY_VOIDED', 'DRAWER_CLOSED'];

/** Returns whether a person can send a refused operation again with any hope that the server accepts it. */
export function canRetryAs(
  person: Pick<UserClaims, 'id' | 'role'> | null,
  operation: Pick<AnyOperation, 'kind' | 'actor_id'>,
  state: OperationState,
): boolean {
  const code = state.last_error?.code;
  if (isAlreadyReplaced(state) || lasting.includes(code)) return false;
  // Work without proof is nobody's, and the server has not stored it.
  if (code === 'PROOF_INVALID') return true;
  if (person === null || !mayReplace(person, operation.actor_id)) return false;
  // The replacement is its sender's own, whose role the server checks.
  return code !== 'FORBIDDEN' || may(person.role, operation.kind);
}
