import { batchSchema, changesQuerySchema } from '#domain/protocol/operation-schemas.ts';
import { maxBatchBytes } from '#domain/protocol/sync.ts';
import type { ChangesPage } from '#domain/protocol/sync.ts';
import type { ChangesQuery } from '#domain/protocol/operation-schemas.ts';
import type { FastifyBaseLogger } from 'fastify';
import { withinClinic } from '../db/database.ts';
import type { Session } from '../context.ts';
import { publishChange } from '../events/pokes.ts';
import { requires } from '../http/access.ts';
import { unkeyed } from '../http/idempotency.ts';
import { sendWait } from '../http/refusals.ts';
import type { Routes } from '../ports.ts';
import { applyBatch } from './batch.ts';
import { parseOperation } from './incoming.ts';
import { proofVerifier } from './proof.ts';
import { batchReply } from './reply.ts';
import type { Outcome } from './reply.ts';
import { loadClinic } from './store.ts';

/** No query refuses a batch: without a readable one the reply has no feed. */
const querySchema = changesQuerySchema.catch({});

/**
 * Takes the batches that devices send (SYNC-3). With the device's cursor in the query the reply also brings the feed, so
 * a device that only sends needs no pull.
 */
export const operationRoutes: Routes =
  ({ database, clock, operations: registry, pull, budgets }) =>
  async (api) => {
    // Each operation is its own idempotency key.
    const config = { ...requires('sync.use'), ...unkeyed };
    const options = {
      config,
      bodyLimit: maxBatchBytes + 1024,
      schema: { body: batchSchema, querystring: querySchema },
    };

    api.post('/sync/batch', options, async ({ session, body, query, log }, reply) => {
      const { clinicId, userId } = session;
      const pool = withinClinic(database, clinicId);
      // The device comes back with all of it, so nothing is lost.
      const wait = budgets.beforeRefusals(session);
      if (wait > 0) return sendWait(reply, wait);
      const receivedAtMs = clock();
      const { epoch, settings, firstDayMs, actorKeySecret } = await loadClinic(pool, clinicId);
      const context = { clinicId, uploadedBy: userId, receivedAtMs, settings, firstDayMs };
      const onFailure = (error: unknown, opId: string | null) => log.error({ err: error, opId }, 'operation failed');
      const verifier = proofVerifier(actorKeySecret);
      const incoming = body.operations.map((raw) => parseOperation(registry, verifier, raw, receivedAtMs));
      const outcomes = await applyBatch({ pool, registry, context, onFailure }, incoming);
      const feed = query.cursor === undefined ? null : await feedAfter(outcomes, session, query, log);
      const isNewRefusal = ({ status, replayed }: Outcome) => status === 'refused' && !replayed;
      budgets.refused(
        session,
        outcomes.flatMap((outcome, index) => (isNewRefusal(outcome) ? body.operations[index] : [])),
      );
      for (const [index, { status, replayed }] of outcomes.entries()) {
        api.metrics.countOperation(incoming[index]!.operation.kind, replayed ? 'replayed' : status);
      }
      // A device that this reply brings up to date needs no poke. If the reply is lost, it sends the batch again.
      if (outcomes.some(({ status, replayed }) => status === 'applied' && !replayed))
        publishChange(pool, clinicId, feed ? session.deviceId : null);
      return reply.type('application/json; charset=utf-8').send(batchReply(epoch, clock(), outcomes, feed));
    });

    /** Returns null when the changes do not fit one page, or cannot be read: the device then pulls. */
    async function feedAfter(
      outcomes: readonly Outcome[],
      session: Session,
      query: ChangesQuery,
      log: FastifyBaseLogger,
    ): Promise<ChangesPage | null> {
      const waiting = outcomes.filter(({ status }) => status === 'waiting').length + (query.waiting ?? 0);
      const isChanged = outcomes.some(({ status, replayed }) => status !== 'waiting' && !replayed);
      try {
        const page = await pull(session, { ...query, ...(query.waiting !== undefined && { waiting }) }, { isChanged });
        return page && !page.more ? page : null;
      } catch (error) {
        log.error({ err: error }, 'the feed of a batch failed');
        return null;
      }
    }
  };
