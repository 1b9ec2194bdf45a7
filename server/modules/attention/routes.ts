import { z } from 'zod';
import { settleBodySchema } from '../../../domain/protocol/schemas.ts';
import { idempotencyHeader } from '../../../domain/protocol/sync.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Routes } from '../../deps.ts';
import { requires } from '../../http/access.ts';
import { keyHeaders, sendStored } from '../../http/idempotency.ts';
import { applyOnce, publishChange } from '../sync/service.ts';
import { settleAttention } from './service.ts';

const params = z.object({ id: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER) });

/** Settling what needs attention. Its list travels in the change feed, to every manager's device. */
export const attentionRoutes: Routes = ({ database, clock }) => async (api) => {
  const pool = database.$client;

  api.post(
    '/attention/:id/settle',
    { config: requires('attention.settle'), schema: { params, body: settleBodySchema, headers: keyHeaders } },
    async (request, reply) => {
      const { session, params: { id }, body } = request;
      const atMs = clock();
      const write = {
        session, receivedAtMs: atMs, opId: request.headers[idempotencyHeader],
        kind: 'attention.settle', aggregate: `attention:${id}`, body,
      };
      const outcome = await inTransaction(pool, (sql) =>
        applyOnce(sql, write, 200, () => settleAttention(sql, session, { id, reason: body.reason, atMs })),
      );
      if (!outcome.replayed && outcome.httpStatus === 200) publishChange(pool, session.clinicId);
      return sendStored(reply, outcome);
    },
  );
};
