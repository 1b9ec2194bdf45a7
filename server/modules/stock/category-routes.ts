import { z } from 'zod';
import { blankCategory } from '../../../domain/stock/blank-drafts.ts';
import { categoryProblems } from '../../../domain/stock/drafts.ts';
import { idParamSchema } from '../../../domain/wire/schemas.ts';
import type { CategoryResource } from '../../../domain/stock/resources.ts';
import { withinClinic } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Routes } from '../../ports.ts';
import { requires } from '../../http/access.ts';
import { changeForm, newForm } from '../../http/form-rules.ts';
import { feedWrites } from '../../operations/rest-writes.ts';
import { takeInPicture } from '../uploads/service.ts';
import { changeCategory, createCategory, deleteCategory } from './categories-service.ts';
import { listPage } from './catalogue-store.ts';
import { categoryBodySchema, categoryListQuery } from './schemas.ts';
import { catalogueLock } from './service.ts';

const params = z.strictObject({ id: idParamSchema });

export const categoryRoutes: Routes = (ports) => async (api) => {
  const write = feedWrites(ports, catalogueLock);
  const preHandler = takeInPicture(ports);
  const config = requires('stock.write');

  api.get(
    '/categories',
    { config: requires('catalogue.read'), schema: { querystring: categoryListQuery } },
    async ({ session, query }) => ({
      success: true,
      ...(await inTransaction(
        withinClinic(ports.database, session.clinicId),
        (sql) => listPage<CategoryResource>(sql, session.clinicId, 'categories', query),
        'snapshot',
      )),
    }),
  );

  api.post(
    '/categories',
    {
      config: { ...config, ...newForm(blankCategory, categoryProblems) },
      schema: { body: categoryBodySchema },
      preHandler,
    },
    (request, reply) =>
      write(request, reply, { kind: 'category.create', status: 201 }, (context) =>
        createCategory(context, request.body),
      ),
  );

  api.put(
    '/categories/:id',
    {
      config: { ...config, ...changeForm(blankCategory, categoryProblems) },
      schema: { params, body: categoryBodySchema },
      preHandler,
    },
    (request, reply) =>
      write(request, reply, { kind: 'category.change' }, (context) =>
        changeCategory(context, request.params.id, request.body),
      ),
  );

  api.delete('/categories/:id', { config, schema: { params } }, (request, reply) =>
    write(request, reply, { kind: 'category.delete' }, (context) => deleteCategory(context, request.params.id)),
  );
};
