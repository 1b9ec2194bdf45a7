import { z } from 'zod';
import { paginationOf } from '#domain/pagination.ts';
import { daysAfter, startOfDay } from '#domain/business-day.ts';
import { stockAggregate } from '#domain/stock/operations.ts';
import { idParamSchema, idSchema, quantitySchema, textSchema } from '#domain/wire/schemas.ts';
import { stockTransactionStatuses, stockTransactionTypes } from '#domain/stock/vocabulary.ts';
import { withinClinic } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Api, RoutePorts, Routes } from '#server/ports.ts';
import { requires } from '#server/http/access.ts';
import { orAll, pageNumber, pageSize, partOf } from '#server/http/paging.ts';
import { sendRefusal } from '#server/http/refusals.ts';
import { clinicSettings } from '../clinics/service.ts';
import { feedWrites, operationWrites } from '#server/operations/rest-writes.ts';
import { enterMovement } from './movements.ts';
import { decideAdjustment } from './service.ts';
import { stockActivity } from './activity-store.ts';
import { listLots, lotRecipients, recallLots } from './lot-lists-store.ts';
import { listTransactions } from './transactions-store.ts';

const paging = {
  page: pageNumber,
  per_page: pageSize(),
  search: textSchema(200).optional(),
};
/** Accepts `all`, which filters nothing. */
const transactionQuery = z.strictObject({
  ...paging,
  stock_id: idParamSchema.optional(),
  type: orAll(stockTransactionTypes),
  status: orAll(stockTransactionStatuses),
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
});
const lotQuery = z.strictObject({
  ...paging,
  stock_id: idParamSchema.optional(),
  expiring: z.coerce.number().int().min(0).max(36_500).optional(),
});

/** The adjustment for each transaction type; purchases and usage are entered as what they are. */
const actions = { stock_in: 'add', stock_out: 'subtract', manual_adjustment: 'set', adjustment: 'set' } as const;
const adjustmentSchema = z.strictObject({
  stock_id: idSchema,
  transaction_type: z.enum(['stock_in', 'stock_out', 'manual_adjustment', 'adjustment', 'purchase', 'usage']),
  quantity: quantitySchema,
  notes: textSchema(2000).optional(),
});

const reading = requires('stock.read');

async function timeZoneOf({ database }: RoutePorts, clinicId: number): Promise<string> {
  return (await clinicSettings(withinClinic(database, clinicId), clinicId)).time_zone;
}

function readTransactions(api: Api, ports: RoutePorts): void {
  for (const url of ['/stock/inventory/transactions', '/stock/transactions']) {
    api.get(
      url,
      { config: reading, schema: { querystring: transactionQuery } },
      async ({ session: { clinicId }, query }) => {
        const { stock_id, type, status, search, from, to } = query;
        const timeZone = await timeZoneOf(ports, clinicId);
        const filter = {
          stockId: stock_id,
          type,
          status,
          search,
          fromMs: from === undefined ? undefined : startOfDay(from, timeZone),
          untilMs: to === undefined ? undefined : startOfDay(daysAfter(to, 1), timeZone),
        };
        const found = await inTransaction(
          withinClinic(ports.database, clinicId),
          (sql) => listTransactions(sql, clinicId, filter, partOf(query)),
          'snapshot',
        );
        return {
          success: true,
          transactions: found.rows,
          pagination: {
            ...paginationOf({ ...query, total: found.total }),
            ...(found.isCapped && { total_is_capped: true }),
          },
        };
      },
    );
  }

  api.get('/stock/inventory/transactions/stats', { config: reading }, async ({ session: { clinicId } }) => {
    const timeZone = await timeZoneOf(ports, clinicId);
    return {
      success: true,
      data: await inTransaction(
        withinClinic(ports.database, clinicId),
        (sql) => stockActivity(sql, clinicId, ports.clock(), timeZone),
        'snapshot',
      ),
    };
  });
}

function writeTransactions(api: Api, ports: RoutePorts): void {
  const apply = operationWrites(ports);
  const write = feedWrites(ports, 'stock');

  api.post(
    '/stock/transactions',
    { config: requires('stock.adjust'), schema: { body: adjustmentSchema } },
    (request, reply) => {
      const { stock_id, transaction_type, quantity, notes } = request.body;
      if (transaction_type === 'purchase' || transaction_type === 'usage')
        return write(
          request,
          reply,
          { kind: `stock.${transaction_type}`, aggregate: stockAggregate(stock_id) },
          (context) => enterMovement(context, { stockId: stock_id, type: transaction_type, quantity, notes }),
        );
      const payload = {
        stock_id,
        action: actions[transaction_type],
        amount: quantity,
        ...(notes !== undefined && { notes }),
      };
      return apply(request, reply, {
        kind: 'stock.adjust',
        aggregate: stockAggregate(stock_id),
        body: request.body,
        complete: ({ sql, clinicId }) => decideAdjustment(sql, clinicId, payload),
      });
    },
  );
}

function lotRoutes(api: Api, ports: RoutePorts): void {
  api.get(
    '/stock/lots',
    { config: reading, schema: { querystring: lotQuery } },
    async ({ session: { clinicId }, query }) => {
      const filter = { stockId: query.stock_id, search: query.search, expiringDays: query.expiring };
      const page = { ...partOf(query), nowMs: ports.clock(), timeZone: await timeZoneOf(ports, clinicId) };
      const found = await inTransaction(
        withinClinic(ports.database, clinicId),
        (sql) => listLots(sql, clinicId, filter, page),
        'snapshot',
      );
      return { success: true, data: found.rows, pagination: paginationOf({ ...query, total: found.total }) };
    },
  );

  api.get(
    '/stock/lots/recipients',
    { config: reading, schema: { querystring: z.strictObject({ lot: textSchema(200).min(1) }) } },
    async ({ session, query }) => ({
      success: true,
      data: await recallLots(withinClinic(ports.database, session.clinicId), session.clinicId, query.lot.trim()),
    }),
  );

  api.get(
    '/stock/lots/:id/recipients',
    { config: reading, schema: { params: z.strictObject({ id: idParamSchema }) } },
    async ({ session, params }, reply) => {
      const recipients = await lotRecipients(
        withinClinic(ports.database, session.clinicId),
        session.clinicId,
        params.id,
      );
      return recipients ? { success: true, data: recipients } : sendRefusal(reply, { code: 'LOT_NOT_FOUND' });
    },
  );
}

/** The stock ledger and the lots of supplies. */
export const ledgerRoutes: Routes = (ports) => async (api) => {
  readTransactions(api, ports);
  writeTransactions(api, ports);
  lotRoutes(api, ports);
};
