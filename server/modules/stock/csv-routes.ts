import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ProductResource, StockResource } from '#domain/stock/resources.ts';
import { maxTableBytes } from '#domain/uploads.ts';
import { withinClinic } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Sql } from '#server/db/sql.ts';
import type { Routes } from '#server/ports.ts';
import { requires } from '#server/http/access.ts';
import { canWait } from '#server/http/turns.ts';
import { sendRefusal } from '#server/http/refusals.ts';
import { feedWrites } from '#server/operations/rest-writes.ts';
import type { Columns } from './csv-cells.ts';
import { allResources } from './catalogue-store.ts';
import { categoryNames, confirmImport, exportCsv, previewImport } from './csv-import.ts';
import type { Importable } from './csv-import.ts';
import { importableItems, itemColumns } from './items-service.ts';
import { importableProducts, productColumns } from './products-service.ts';
import { importBodySchema } from './schemas.ts';
import { catalogueLock } from './service.ts';

/** Exports and imports of the catalogue as CSV. */
export const csvRoutes: Routes = (ports) => async (api) => {
  const write = feedWrites(ports, catalogueLock);

  function sendTable(
    reply: FastifyReply,
    clinicId: number,
    { name, columns, load }: { name: string; columns: Columns; load: (sql: Sql) => Promise<object[]> },
  ) {
    return inTransaction(
      withinClinic(ports.database, clinicId),
      async (sql) => {
        const csv = exportCsv(columns, await load(sql), await categoryNames({ sql, clinicId }));
        return reply
          .type('text/csv; charset=utf-8')
          .header('content-disposition', `attachment; filename="${name}.csv"`)
          .send(csv);
      },
      'snapshot',
    );
  }

  /** A preview writes nothing. A confirmed import is stored under its key by the file's hash, which is shorter. */
  async function bringIn<T, B, C>(request: FastifyRequest, reply: FastifyReply, noun: Importable<T, B, C>) {
    const { csv, confirm } = request.body as { csv: string; confirm: boolean };
    if (confirm) {
      const body = { csv: createHash('sha256').update(csv).digest('hex') };
      return write(request, reply, { kind: noun.action, body }, (context) => confirmImport(context, noun, csv));
    }
    const { clinicId } = request.session;
    const preview = await inTransaction(
      withinClinic(ports.database, clinicId),
      (sql) => previewImport({ sql, clinicId }, noun, csv),
      'snapshot',
    );
    return preview.ok ? reply.send({ success: true, data: preview.value }) : sendRefusal(reply, preview.refusal);
  }

  api.get('/stock/export.csv', { config: requires('stock.read') }, ({ session: { clinicId } }, reply) =>
    sendTable(reply, clinicId, {
      name: 'stock',
      columns: itemColumns,
      load: async (sql) => {
        const items = await allResources<StockResource>(sql, clinicId, 'stock');
        // When the file is imported later, an unchanged quantity is no count, even if items were sold since.
        return items.map((item) => ({ ...item, expected_quantity: item.quantity }));
      },
    }),
  );

  api.get('/products/export.csv', { config: requires('stock.read') }, ({ session: { clinicId } }, reply) =>
    sendTable(reply, clinicId, {
      name: 'products',
      columns: productColumns,
      load: (sql) => allResources<ProductResource>(sql, clinicId, 'products'),
    }),
  );

  // JSON escapes line ends and quotes, so the body is longer than the file.
  const options = {
    config: { ...requires('stock.write'), ...canWait },
    bodyLimit: 2 * maxTableBytes,
    schema: { body: importBodySchema },
  };
  api.post('/stock/import', options, (request, reply) => bringIn(request, reply, importableItems));
  api.post('/products/import', options, (request, reply) => bringIn(request, reply, importableProducts));
};
