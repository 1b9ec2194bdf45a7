/** SYNC-7: what was replaced or given up is closed for good, by that operation alone; and the audit log names who gave it up. */
import type { FinalState } from './final-state.ts';

export function checkReplacements({ applied, receipts, server }: FinalState): string[] {
  const logged = new Map(server.voids.map((row) => [row.details['void'], row]));
  const violations = applied.flatMap((operation) => {
    const { op_id, supersedes, actor_id, device_id } = operation;
    const old =
      supersedes === undefined ? undefined : operation.kind === 'operation.void' ? operation.payload.op_id : supersedes;
    if (old === undefined) return [];
    const closed = receipts.get(old);
    const isClosed = closed?.status === 'refused' && closed.superseded_by === op_id;
    const unclosed = isClosed
      ? []
      : [
          `${operation.kind} ${op_id} stands for ${old}, which is ${closed?.status ?? 'unknown'} and closed by ${closed?.superseded_by}`,
        ];
    if (operation.kind !== 'operation.void') return unclosed;
    const row = logged.get(op_id);
    logged.delete(op_id);
    const isLogged = row?.subject === old && row.user_id === actor_id && row.device_id === device_id;
    return isLogged ? unclosed : [...unclosed, `void ${op_id} is logged as ${JSON.stringify(row)}`];
  });
  return [...violations, ...[...logged.keys()].map((opId) => `the log tells of void ${opId}, which nobody made`)];
}
