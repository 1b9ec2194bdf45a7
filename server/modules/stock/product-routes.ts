import { z } from 'zod';
import { blankProduct } from '../../../domain/stock/blank-drafts.ts';
import { productProblems } from '../../../domain/stock/drafts.ts';
import { idParamSchema } from '../../../domain/wire/schemas.ts';
import type { ProductResource } from '../../../domain/stock/resources.ts';
import { withinClinic } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Routes } from '../../ports.ts';
import { requires } from '../../http/access.ts';
import { changeForm, newForm } from '../../http/form-rules.ts';
import { sendRefusal } from '../../http/refusals.ts';
import { feedWrites } from '../../operations/rest-writes.ts';
import { takeInPicture } from '../uploads/service.ts';
import { documentsOf, listPage } from './catalogue-store.ts';
import { changeProduct, createProduct, deleteProduct } from './products-service.ts';
import { productBodySchema, productListQuery } from './schemas.ts';
import { catalogueLock } from './service.ts';

const params = z.strictObject({ id: idParamSchema });

export const productRoutes: Routes = (ports) => async (api) => {
  const write = feedWrites(ports, catalogueLock);
  const preHandler = takeInPicture(ports);
  const config = requires('stock.write');

  api.get(
    '/products',
    { config: requires('catalogue.read'), schema: { querystring: productListQuery } },
    async ({ session, query }) => ({
      success: true,
      ...(await inTransaction(
        withinClinic(ports.database, session.clinicId),
        (sql) => listPage<ProductResource>(sql, session.clinicId, 'products', query),
        'snapshot',
      )),
    }),
  );

  api.get(
    '/products/:id',
    { config: requires('catalogue.read'), schema: { params } },
    async ({ session, params: { id } }, reply) => {
      const [product] = await documentsOf<ProductResource>(
        withinClinic(ports.database, session.clinicId),
        session.clinicId,
        'products',
        [id],
      );
      return product
        ? { success: true, data: product }
        : sendRefusal(reply, { code: 'NOT_FOUND', details: { product_id: id } });
    },
  );

  api.post(
    '/products',
    {
      config: { ...config, ...newForm(blankProduct, productProblems) },
      schema: { body: productBodySchema },
      preHandler,
    },
    (request, reply) =>
      write(request, reply, { kind: 'product.create', status: 201 }, (context) => createProduct(context, request.body)),
  );

  api.put(
    '/products/:id',
    {
      config: { ...config, ...changeForm(blankProduct, productProblems) },
      schema: { params, body: productBodySchema },
      preHandler,
    },
    (request, reply) =>
      write(request, reply, { kind: 'product.change' }, (context) =>
        changeProduct(context, request.params.id, request.body),
      ),
  );

  api.delete('/products/:id', { config, schema: { params } }, (request, reply) =>
    write(request, reply, { kind: 'product.delete' }, (context) => deleteProduct(context, request.params.id)),
  );
};
