import { z } from 'zod';
import { paginationOf } from '#domain/pagination.ts';
import { decisionBodySchema, longIdParamSchema } from '#domain/wire/schemas.ts';
import type { Routes } from '#server/ports.ts';
import { withinClinic } from '#server/db/database.ts';
import type { Sql } from '#server/db/sql.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { requires } from '#server/http/access.ts';
import { pageQuery, partOf } from '#server/http/paging.ts';
import { deskWrites } from '#server/operations/rest-writes.ts';
import { takeStep } from './service.ts';
import { alertStats, listAlerts, loadAlert, lockAlert } from './store.ts';

const listQuery = pageQuery.extend({ status: z.enum(['open', 'resolved', 'all']).default('all') });
const alertParams = z.strictObject({ id: longIdParamSchema });

export const alertRoutes: Routes = (ports) => async (api) => {
  const write = deskWrites(ports, 'alerts');
  const reading = requires('stock.read');

  api.get(
    '/stock/inventory/alerts',
    { config: reading, schema: { querystring: listQuery } },
    async ({ session, query }) => {
      const { rows, total } = await inTransaction(
        withinClinic(ports.database, session.clinicId),
        (sql) => listAlerts(sql, session.clinicId, query.status, partOf(query)),
        'snapshot',
      );
      return {
        success: true,
        data: rows,
        pagination: paginationOf({ ...query, total }),
      };
    },
  );

  api.get('/stock/inventory/alerts/stats', { config: reading }, async ({ session }) => ({
    success: true,
    data: await alertStats(withinClinic(ports.database, session.clinicId), session.clinicId),
  }));

  for (const step of ['acknowledge', 'resolve'] as const) {
    const schema = { params: alertParams, body: decisionBodySchema };
    api.put(`/stock/inventory/alerts/:id/${step}`, { config: requires('stock.write'), schema }, (request, reply) => {
      const { id } = request.params;
      const record = async (sql: Sql, clinicId: number) =>
        (await lockAlert(sql, clinicId, id)) && loadAlert(sql, clinicId, id);
      return write(
        request,
        reply,
        { kind: `alert.${step}`, aggregate: `alert:${id}`, record },
        ({ sql, session, atMs }) => takeStep(sql, session, { alertId: id, step, atMs }),
      );
    });
  }
};
