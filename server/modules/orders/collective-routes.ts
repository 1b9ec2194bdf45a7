import { z } from 'zod';
import { paginationOf } from '#domain/pagination.ts';
import {
  collectiveBodySchema,
  issueCollectiveBodySchema,
  payCollectiveBodySchema,
} from '#domain/order/body-schemas.ts';
import { monthSchema, uuidSchema } from '#domain/wire/schemas.ts';
import { newIdAt } from '#server/context.ts';
import { withinClinic } from '#server/db/database.ts';
import type { Sql } from '#server/db/sql.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { requires } from '#server/http/access.ts';
import { largeRowsQuery, partOf } from '#server/http/paging.ts';
import { unkeyed } from '#server/http/idempotency.ts';
import { sendRefusal } from '#server/http/refusals.ts';
import { feedWrites } from '#server/operations/rest-writes.ts';
import type { Routes } from '#server/ports.ts';
import { clinicSettings } from '../clinics/service.ts';
import { readBillable } from '../reports/service.ts';
import { collectiveToPay, issueCollective, payCollective, previewCollective } from './collective.ts';
import { knownPayers, listCollective, loadCollective } from './collective-store.ts';

const monthQuery = z.strictObject({ month: monthSchema });
const mostPayers = 500;

/** Collective invoices: who pays, what can be billed, and the invoices themselves. Only the server issues them. */
export const collectiveRoutes: Routes = (ports) => async (api) => {
  const { database, clock, operations: registry } = ports;
  const write = feedWrites(ports, 'collective invoices');
  const config = requires('order.collect');

  api.get('/collective-invoices', { config, schema: { querystring: largeRowsQuery } }, async ({ session, query }) => {
    const { documents, total } = await inTransaction(
      withinClinic(database, session.clinicId),
      (sql) => listCollective(sql, session.clinicId, partOf(query)),
      'snapshot',
    );
    const pagination = paginationOf({ ...query, total, rows: documents.length });
    return { success: true, data: documents, pagination };
  });

  api.get('/collective-invoices/payers', { config }, async ({ session: { clinicId } }) => ({
    success: true,
    data: await knownPayers(withinClinic(database, clinicId), clinicId, mostPayers),
  }));

  api.get(
    '/collective-invoices/billable',
    { config, schema: { querystring: monthQuery } },
    async ({ session: { clinicId }, query: { month } }) => {
      const pool = withinClinic(database, clinicId);
      const settings = await clinicSettings(pool, clinicId);
      return { success: true, data: await readBillable(pool, { clinicId, settings, nowMs: clock() }, month) };
    },
  );

  api.get(
    '/collective-invoices/:id',
    { config, schema: { params: z.strictObject({ id: uuidSchema }) } },
    async ({ session: { clinicId }, params: { id } }, reply) => {
      const document = await loadCollective(withinClinic(database, clinicId), clinicId, id);
      return document ? { success: true, data: document } : sendRefusal(reply, { code: 'NOT_FOUND' });
    },
  );

  api.post(
    '/collective-invoices/preview',
    { config: { ...config, ...unkeyed }, schema: { body: collectiveBodySchema } },
    async ({ session: { clinicId }, body }, reply) => {
      const atMs = clock();
      const previewed = await inTransaction(
        withinClinic(database, clinicId),
        (sql) => previewCollective({ sql, clinicId, atMs, newId: () => newIdAt(atMs) }, body),
        'snapshot',
      );
      return previewed.ok ? { success: true, data: previewed.value } : sendRefusal(reply, previewed.refusal);
    },
  );

  api.post('/collective-invoices', { config, schema: { body: issueCollectiveBodySchema } }, (request, reply) =>
    write(request, reply, { kind: 'order.collect', status: 201 }, (context) =>
      issueCollective(registry, context, request.body),
    ),
  );

  api.post(
    '/collective-invoices/:id/payments',
    { config, schema: { params: z.strictObject({ id: uuidSchema }), body: payCollectiveBodySchema } },
    (request, reply) => {
      const { id } = request.params;
      const { seen: _seen, ...payment } = request.body;
      const record = (sql: Sql, clinicId: number) => collectiveToPay(sql, clinicId, id);
      return write(request, reply, { kind: 'order.collect_payment', record }, (context) =>
        payCollective(registry, context, { ...payment, id }),
      );
    },
  );
};
