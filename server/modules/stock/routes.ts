import { z } from 'zod';
import { textSchema } from '../../../domain/protocol/schemas.ts';
import type { CategoryDocument, ProductDocument } from '../../../domain/stock/documents.ts';
import type { Routes } from '../../deps.ts';
import { requires } from '../../http/access.ts';
import { listDocuments, listPart } from './service.ts';

const listQuery = z.object({
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  per_page: z.coerce.number().int().min(1).max(1000).optional(),
  search: textSchema(200).optional(),
});

export const stockRoutes: Routes = ({ database }) => async (api) => {
  const sql = database.$client;
  const config = requires('catalogue.read');

  api.get('/stock', { config }, async ({ session }) => ({
    success: true,
    stocks: await listDocuments(sql, session.clinicId, 'stock'),
  }));

  api.get('/categories', { config, schema: { querystring: listQuery } }, async ({ session, query }) => ({
    success: true,
    ...listPart(await listDocuments<CategoryDocument>(sql, session.clinicId, 'categories'), query),
  }));

  api.get('/products', { config, schema: { querystring: listQuery } }, async ({ session, query }) => ({
    success: true,
    ...listPart(await listDocuments<ProductDocument>(sql, session.clinicId, 'products'), query),
  }));
};
