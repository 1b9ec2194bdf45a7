import { z } from 'zod';
import { readsAll, shownTo } from '../../../domain/column-permissions.ts';
import { blankStock } from '../../../domain/stock/blank-drafts.ts';
import { stockProblems } from '../../../domain/stock/drafts.ts';
import { idParamSchema } from '../../../domain/wire/schemas.ts';
import { stockReportTypes } from '../../../domain/stock/resources.ts';
import type { StockResource } from '../../../domain/stock/resources.ts';
import type { Session } from '../../context.ts';
import { withinClinic } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Routes } from '../../ports.ts';
import { requires } from '../../http/access.ts';
import { changeForm, newForm } from '../../http/form-rules.ts';
import { sendRefusal } from '../../http/refusals.ts';
import { feedWrites } from '../../operations/rest-writes.ts';
import { takeInPicture } from '../uploads/service.ts';
import { documentsOf, listPage } from './catalogue-store.ts';
import type { ListQuery } from './catalogue-store.ts';
import { changeItem, createItem, deleteItem } from './items-service.ts';
import { stockReport, stockStats } from './reports-service.ts';
import { itemBodySchema, stockListQuery } from './schemas.ts';
import { catalogueLock } from './service.ts';

const params = z.strictObject({ id: idParamSchema });
const reportQuery = z
  .strictObject({
    type: z.enum(stockReportTypes).default('summary'),
    from: z.iso.date().optional(),
    to: z.iso.date().optional(),
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
    path: ['to'],
    message: 'beforeStart',
  });

/** The order of a list would tell the values of columns that its reader does not get. */
const sortedFor = ({ role }: Session, query: ListQuery): ListQuery =>
  readsAll(role, 'stock') || (query.sort !== 'supplier' && query.sort !== 'cost_per_unit')
    ? query
    : { ...query, sort: 'name' };

export const itemRoutes: Routes = (ports) => async (api) => {
  const write = feedWrites(ports, catalogueLock);
  const preHandler = takeInPicture(ports);

  api.get(
    '/stock',
    { config: requires('catalogue.read'), schema: { querystring: stockListQuery } },
    async ({ session, query }) => {
      const { data, pagination } = await inTransaction(
        withinClinic(ports.database, session.clinicId),
        (sql) => listPage<StockResource>(sql, session.clinicId, 'stock', sortedFor(session, query)),
        'snapshot',
      );
      return { success: true, stocks: data.map((item) => shownTo(session.role, 'stock', item)), pagination };
    },
  );

  api.get('/stock/stats', { config: requires('stock.read') }, async ({ session }) => ({
    success: true,
    data: await inTransaction(
      withinClinic(ports.database, session.clinicId),
      (sql) => stockStats(sql, session.clinicId),
      'snapshot',
    ),
  }));

  api.get(
    '/stock/inventory/report',
    { config: requires('stock.read'), schema: { querystring: reportQuery } },
    async ({ session, query }) => ({
      success: true,
      data: await inTransaction(
        withinClinic(ports.database, session.clinicId),
        (sql) => stockReport(sql, session.clinicId, { ...query, nowMs: ports.clock() }),
        'snapshot',
      ),
    }),
  );

  api.get(
    '/stock/:id',
    { config: requires('catalogue.read'), schema: { params } },
    async ({ session, params: { id } }, reply) => {
      const [item] = await documentsOf<StockResource>(
        withinClinic(ports.database, session.clinicId),
        session.clinicId,
        'stock',
        [id],
      );
      return item
        ? { success: true, data: shownTo(session.role, 'stock', item) }
        : sendRefusal(reply, { code: 'STOCK_NOT_FOUND', details: { stock_id: id } });
    },
  );

  api.post(
    '/stock',
    {
      config: { ...requires('stock.write'), ...newForm(blankStock, stockProblems) },
      schema: { body: itemBodySchema },
      preHandler,
    },
    (request, reply) =>
      write(request, reply, { kind: 'stock.create', status: 201 }, (context) => createItem(context, request.body)),
  );

  api.put(
    '/stock/:id',
    {
      config: { ...requires('stock.write'), ...changeForm(blankStock, stockProblems) },
      schema: { params, body: itemBodySchema },
      preHandler,
    },
    (request, reply) =>
      write(request, reply, { kind: 'stock.change' }, (context) =>
        changeItem(context, request.params.id, request.body),
      ),
  );

  api.delete('/stock/:id', { config: requires('stock.write'), schema: { params } }, (request, reply) =>
    write(request, reply, { kind: 'stock.delete' }, (context) => deleteItem(context, request.params.id)),
  );
};
