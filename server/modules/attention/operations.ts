import type { BatchWriter, Concern as RaisedConcern } from '#server/operations/operation-module.ts';
import { clearRefusals, raiseAttention } from './service.ts';
import type { Concern } from './service.ts';

/** Raises the concerns of a batch, and settles the refusals that it closes. */
export const attentionWriter: BatchWriter = {
  async write(sql, { clinicId, receivedAtMs }, { concerns, closings }) {
    await raiseAttention(sql, clinicId, receivedAtMs, concerns.map(concernOf));
    await clearRefusals(
      sql,
      clinicId,
      receivedAtMs,
      closings.map(({ opId }) => opId),
    );
  },
};

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
