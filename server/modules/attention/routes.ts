import { z } from 'zod';
import { settleBodySchema } from '#domain/protocol/schemas.ts';
import { longIdParamSchema } from '#domain/wire/schemas.ts';
import type { Routes } from '#server/ports.ts';
import { requires } from '#server/http/access.ts';
import { feedWrites } from '#server/operations/rest-writes.ts';
import { approveWork, settleAttention } from './service.ts';

const params = z.strictObject({ id: longIdParamSchema });

/** Settles attention items. The change feed brings the list to every manager's device. */
export const attentionRoutes: Routes = (ports) => async (api) => {
  const write = feedWrites(ports, 'attention');
  const schema = { params, body: settleBodySchema };

  api.post('/attention/:id/approve', { config: requires('attention.settle'), schema }, (request, reply) => {
    const {
      params: { id },
      body: { reason },
    } = request;
    return write(request, reply, { kind: 'attention.approve', aggregate: `attention:${id}` }, (context) =>
      approveWork(ports.operations, context, { id, reason }),
    );
  });

  api.post('/attention/:id/settle', { config: requires('attention.settle'), schema }, (request, reply) => {
    const {
      params: { id },
      body: { reason },
    } = request;
    return write(request, reply, { kind: 'attention.settle', aggregate: `attention:${id}` }, ({ sql, session, atMs }) =>
      settleAttention(sql, session, { id, reason, atMs }),
    );
  });
};
