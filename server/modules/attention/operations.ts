import type { Sql } from '../../db/sql.ts';
import type { BatchWriter, Concern as RaisedConcern } from '../../operations/operation-module.ts';
import { clearRefusals, raiseAttention, unknownUnproven } from './service.ts';
import type { Concern } from './service.ts';

/** More notices of unproven operations are not worth a manager's time, and an attacker could send any number. */
const mostUnproven = 50;

/** Raises the concerns of a batch, and settles the refusals that it closes. */
export const attentionWriter: BatchWriter = {
  async write(sql, { clinicId, receivedAtMs }, { concerns, closings }) {
    await raiseAttention(sql, clinicId, receivedAtMs, await withoutFlood(sql, clinicId, concerns.map(concernOf)));
    await clearRefusals(
      sql,
      clinicId,
      receivedAtMs,
      closings.map(({ opId }) => opId),
    );
  },
};

/** Drops notices of unproven operations that are raised already, or that exceed the limit. */
async function withoutFlood(sql: Sql, clinicId: number, concerns: readonly Concern[]): Promise<Concern[]> {
  const unproven = concerns.filter(({ kind }) => kind === 'unproven');
  if (unproven.length === 0) return [...concerns];
  const opIds = unproven.map(({ opId }) => opId!);
  const raised = new Set(await unknownUnproven(sql, clinicId, opIds, mostUnproven));
  return concerns.filter(({ kind, opId }) => kind !== 'unproven' || raised.has(opId!));
}

const concernOf = ({ kind, operation, details }: RaisedConcern): Concern => ({
  kind,
  opId: operation.op_id,
  opKind: operation.kind,
  orderId: orderIdOf(operation.aggregate),
  details,
});

/** Returns the treatment's id in an aggregate; null when the aggregate names another noun, or is malformed. */
function orderIdOf(aggregate: string): string | null {
  return /^order:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(aggregate)?.[1] ?? null;
}
