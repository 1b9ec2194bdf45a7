import { z } from 'zod';
import { settleBodySchema } from '#domain/protocol/schemas.ts';
import { longIdParamSchema } from '#domain/wire/schemas.ts';
import type { Sql } from '#server/db/sql.ts';
import type { Routes } from '#server/ports.ts';
import { requires } from '#server/http/access.ts';
import { feedWrites } from '#server/operations/rest-writes.ts';
import { approveWork, settleAttention } from './service.ts';
import { lockAttention } from './store.ts';

const params = z.strictObject({ id: longIdParamSchema });

/** Settles attention items. The change feed brings the list to every manager's device. */
export const attentionRoutes: Routes = (ports) => async (api) => {
  const write = feedWrites(ports, 'attention');
  const schema = { params, body: settleBodySchema };

  /** The lock of an item, and the record that is decided on. */
  const decisionOn = (id: number) => ({
    aggregate: `attention:${id}`,
    record: (sql: Sql, clinicId: number) => lockAttention(sql, clinicId, id),
  });

  api.post('/attention/:id/approve', { config: requires('attention.settle'), schema }, (request, reply) => {
    const {
      params: { id },
      body: { reason },
    } = request;
    return write(request, reply, { kind: 'attention.approve', ...decisionOn(id) }, (context) =>
      approveWork(ports.operations, context, { id, reason }),
    );
  });

  api.post('/attention/:id/settle', { config: requires('attention.settle'), schema }, (request, reply) => {
    const {
      params: { id },
      body: { reason },
    } = request;
    return write(request, reply, { kind: 'attention.settle', ...decisionOn(id) }, ({ sql, session, atMs }) =>
      settleAttention(sql, session, { id, reason, atMs }),
    );
  });
};
