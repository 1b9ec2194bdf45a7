import { z } from 'zod';
import { idParamSchema } from '../../../domain/protocol/schemas.ts';
import type { CategoryResource } from '../../../domain/stock/resources.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Routes } from '../../deps.ts';
import { requires } from '../../http/access.ts';
import { changeCategory, createCategory, deleteCategory } from './categories.ts';
import { categoryListQuery, listPage } from './lists.ts';
import { categoryBodySchema } from './schemas.ts';
import { catalogueWrites } from './writes.ts';

const params = z.object({ id: idParamSchema });

export const categoryRoutes: Routes = (deps) => async (api) => {
  const pool = deps.database.$client;
  const write = catalogueWrites(deps);
  const config = requires('stock.write');

  api.get(
    '/categories',
    { config: requires('catalogue.read'), schema: { querystring: categoryListQuery } },
    async ({ session, query }) => ({
      success: true,
      ...(await inTransaction(
        pool,
        (sql) => listPage<CategoryResource>(sql, session.clinicId, 'categories', query),
        'snapshot',
      )),
    }),
  );

  api.post('/categories', { config, schema: { body: categoryBodySchema } }, (request, reply) =>
    write(request, reply, { kind: 'category.create', status: 201 }, (writing) => createCategory(writing, request.body)),
  );

  api.put('/categories/:id', { config, schema: { params, body: categoryBodySchema } }, (request, reply) =>
    write(request, reply, { kind: 'category.change' }, (writing) =>
      changeCategory(writing, request.params.id, request.body),
    ),
  );

  api.delete('/categories/:id', { config, schema: { params } }, (request, reply) =>
    write(request, reply, { kind: 'category.delete' }, (writing) => deleteCategory(writing, request.params.id)),
  );
};
