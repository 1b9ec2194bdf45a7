/** Routes of the catalogue: lists and forms of stock items, products and categories, and the list of services. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { readsAll, shownTo } from '#domain/column-permissions.ts';
import type { Problems } from '#domain/problems.ts';
import { categoryProblems, productProblems, stockProblems } from '#domain/stock/drafts.ts';
import type { StockResource } from '#domain/stock/resources.ts';
import { decisionBodySchema, idParamSchema } from '#domain/wire/schemas.ts';
import type { Session } from '#server/context.ts';
import { withinClinic } from '#server/db/database.ts';
import type { Sql } from '#server/db/sql.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { requires } from '#server/http/access.ts';
import { changeBody, changesIn } from '#server/http/change-body.ts';
import { changeForm, newForm } from '#server/http/form-rules.ts';
import { sendRefusal } from '#server/http/refusals.ts';
import { feedWrites } from '#server/operations/rest-writes.ts';
import type { WriteCall } from '#server/operations/rest-writes.ts';
import type { RoutePorts, Routes } from '#server/ports.ts';
import { takeInPicture } from '../uploads/service.ts';
import { changeRecord, createRecord, deleteRecord, restoreRecord } from './catalogue-service.ts';
import type { CatalogueNoun } from './catalogue-service.ts';
import { anyDocumentOf, documentsOf, listPage } from './catalogue-store.ts';
import type { ListQuery } from './catalogue-store.ts';
import { categories } from './categories-service.ts';
import { stockItems } from './items-service.ts';
import { products } from './products-service.ts';
import {
  categoryBodySchema,
  categoryListQuery,
  itemBodySchema,
  productBodySchema,
  productListQuery,
  serviceListQuery,
  stockListQuery,
} from './schemas.ts';
import { catalogueLock } from './service.ts';
import { listServices } from './services-store.ts';

const params = z.strictObject({ id: idParamSchema });

/** What the routes of one noun differ in. */
interface NounRoutes<Resource, Draft, Body> {
  path: string;
  listQuery: z.ZodType<ListQuery>;
  bodySchema: z.ZodObject & z.ZodType<Body>;
  problemsOf: (draft: Draft) => Problems<string>;
  /** The name of the rows in the list's reply. */
  rows: 'data' | 'stocks';
  /** Returns a list's query as its reader may ask it. */
  asked: (session: Session, query: ListQuery) => ListQuery;
  /** Returns a resource as its reader may see it. */
  shown: (session: Session, resource: Resource) => Resource;
  /** False where the list has everything that a form needs. */
  isReadAlone: boolean;
}

const everybody = {
  rows: 'data',
  asked: (_session: Session, query: ListQuery) => query,
  shown: <Resource>(_session: Session, resource: Resource) => resource,
  isReadAlone: true,
} as const;

/** The order of a list would tell the values of columns that its reader does not get. */
const sortedFor = ({ role }: Session, query: ListQuery): ListQuery =>
  readsAll(role, 'stock') || (query.sort !== 'supplier' && query.sort !== 'cost_per_unit')
    ? query
    : { ...query, sort: 'name' };

export const catalogueRoutes: Routes = (ports) => async (api) => {
  await api.register(
    routesOf(ports, stockItems, {
      path: '/stock',
      listQuery: stockListQuery,
      bodySchema: itemBodySchema,
      problemsOf: stockProblems,
      rows: 'stocks',
      asked: sortedFor,
      shown: ({ role }, item: StockResource) => shownTo(role, 'stock', item),
      isReadAlone: true,
    }),
  );
  await api.register(
    routesOf(ports, products, {
      ...everybody,
      path: '/products',
      listQuery: productListQuery,
      bodySchema: productBodySchema,
      problemsOf: productProblems,
    }),
  );
  await api.register(
    routesOf(ports, categories, {
      ...everybody,
      path: '/categories',
      listQuery: categoryListQuery,
      bodySchema: categoryBodySchema,
      problemsOf: categoryProblems,
      isReadAlone: false,
    }),
  );

  // Services are read as one list; they are written as the stock items and products that they are.
  api.get(
    '/services',
    { config: requires('catalogue.read'), schema: { querystring: serviceListQuery } },
    async ({ session: { clinicId }, query }) => ({
      success: true,
      ...(await inTransaction(
        withinClinic(ports.database, clinicId),
        (sql) => listServices(sql, clinicId, query),
        'snapshot',
      )),
    }),
  );
};

function routesOf<Resource extends { id: number; name: string }, Draft extends object, Body, Stored, Change>(
  ports: RoutePorts,
  noun: CatalogueNoun<Resource, Draft, Body, Stored, Change>,
  { path, listQuery, bodySchema, problemsOf, rows, asked, shown, isReadAlone }: NounRoutes<Resource, Draft, Body>,
): FastifyPluginAsyncZod {
  const { name, table, blank } = noun;
  return async (api) => {
    const write = feedWrites(ports, catalogueLock);
    const preHandler = takeInPicture(ports);
    const config = requires('stock.write');
    /** The record that is changed or decided on, as far as its reader may see it: a refusal tells what is stored. */
    const recordFor =
      (session: Session, id: number): NonNullable<WriteCall['record']> =>
      async (sql, clinicId) => {
        const stored = await noun.read({ sql, clinicId }, id);
        return stored && shown(session, noun.resourceOf(stored));
      };

    api.get(
      path,
      { config: requires('catalogue.read'), schema: { querystring: listQuery } },
      async ({ session, query }) => {
        const { data, pagination } = await inTransaction(
          withinClinic(ports.database, session.clinicId),
          (sql) => listPage<Resource>(sql, session.clinicId, table, asked(session, query)),
          'snapshot',
        );
        return { success: true, [rows]: data.map((resource) => shown(session, resource)), pagination };
      },
    );

    if (isReadAlone)
      api.get(
        `${path}/:id`,
        { config: requires('catalogue.read'), schema: { params } },
        async ({ session, params: { id } }, reply) => {
          const pool = withinClinic(ports.database, session.clinicId);
          const [resource] = await documentsOf<Resource>(pool, session.clinicId, table, [id]);
          return resource ? { success: true, data: shown(session, resource) } : sendRefusal(reply, noun.missing(id));
        },
      );

    api.post(
      path,
      { config: { ...config, ...newForm(blank, problemsOf) }, schema: { body: bodySchema }, preHandler },
      (request, reply) =>
        write(request, reply, { kind: `${name}.create`, status: 201 }, (context) =>
          createRecord(noun, context, request.body as Body),
        ),
    );

    api.put(
      `${path}/:id`,
      {
        config: { ...config, ...changeForm(blank, problemsOf) },
        schema: { params, body: changeBody(bodySchema) },
        preHandler,
      },
      (request, reply) => {
        const { id } = request.params;
        return write(request, reply, { kind: `${name}.change`, record: recordFor(request.session, id) }, (context) =>
          changeRecord(noun, context, id, changesIn(request.body) as Body),
        );
      },
    );

    const decision = { config, schema: { params, body: decisionBodySchema } };

    api.delete(`${path}/:id`, decision, (request, reply) => {
      const { id } = request.params;
      return write(request, reply, { kind: `${name}.delete`, record: recordFor(request.session, id) }, (context) =>
        deleteRecord(noun, context, id),
      );
    });

    if (noun.restore)
      api.post(`${path}/:id/restore`, decision, (request, reply) => {
        const { id } = request.params;
        const record = async (sql: Sql, clinicId: number) => {
          const resource = await anyDocumentOf<Resource>(sql, clinicId, table, id);
          return resource && shown(request.session, resource);
        };
        return write(request, reply, { kind: `${name}.restore`, record }, (context) =>
          restoreRecord(noun, context, id),
        );
      });
  };
}
