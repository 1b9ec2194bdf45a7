import { batchSchema } from '../../domain/protocol/operation-schemas.ts';
import { maxBatchBytes } from '../../domain/protocol/sync.ts';
import { publishChange } from '../events/pokes.ts';
import { requires } from '../http/access.ts';
import { unkeyed } from '../http/idempotency.ts';
import { sendRefusal } from '../http/refusals.ts';
import type { Routes } from '../ports.ts';
import { applyBatch } from './batch.ts';
import { parseOperation } from './incoming.ts';
import { proofVerifier } from './proof.ts';
import { batchReply } from './reply.ts';
import { loadClinic } from './store.ts';
import { ClinicTurns } from './turns.ts';

/** Batches of one clinic: fewer than half of the database's connections, and what two hundred tablets send at once. */
const limits = { atOnce: 4, waiting: 250 };

/** Takes the batches that devices send (SYNC-3). */
export const operationRoutes: Routes =
  ({ database, clock, operations: registry }) =>
  async (api) => {
    const pool = database.$client;
    const turns = new ClinicTurns(limits);
    // Each operation is its own idempotency key.
    const config = { ...requires('sync.use'), ...unkeyed };
    const options = { config, bodyLimit: maxBatchBytes + 1024, schema: { body: batchSchema } };

    api.post('/sync/batch', options, async ({ session, body, log }, reply) => {
      const { clinicId, userId } = session;
      const receivedAtMs = clock();
      const { epoch, settings, firstDayMs, actorKeySecret } = await loadClinic(pool, clinicId);
      const context = { clinicId, uploadedBy: userId, receivedAtMs, settings, firstDayMs };
      const onFailure = (error: unknown, opId: string | null) => log.error({ err: error, opId }, 'operation failed');
      const verifier = proofVerifier(actorKeySecret);
      const incoming = body.operations.map((raw) => parseOperation(registry, verifier, raw, receivedAtMs));
      const outcomes = await turns.run(clinicId, () => applyBatch({ pool, registry, context, onFailure }, incoming));
      if (!outcomes) return sendRefusal(reply, { code: 'TOO_MANY_REQUESTS' });
      for (const [index, { status, replayed }] of outcomes.entries()) {
        api.metrics.countOperation(incoming[index]!.operation.kind, replayed ? 'replayed' : status);
      }
      if (outcomes.some(({ status, replayed }) => status === 'applied' && !replayed)) publishChange(pool, clinicId);
      return reply.type('application/json; charset=utf-8').send(batchReply(epoch, clock(), outcomes));
    });
  };
