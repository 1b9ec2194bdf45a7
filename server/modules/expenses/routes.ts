import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { expenseCategories, expenseStatuses } from '../../../domain/expense/vocabulary.ts';
import { amountSchema, idParamSchema, textSchema } from '../../../domain/protocol/schemas.ts';
import { idempotencyHeader } from '../../../domain/protocol/sync.ts';
import type { Result } from '../../../domain/result.ts';
import type { Sql } from '../../db/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Routes } from '../../deps.ts';
import { requires } from '../../http/access.ts';
import { keyHeaders, sendStored } from '../../http/idempotency.ts';
import { sendRefusal } from '../../http/refusals.ts';
import { applyOnce } from '../sync/service.ts';
import { approveExpense, changeExpense, createExpense, deleteExpense, rejectExpense, summariseMonth } from './service.ts';
import type { Bookkeeper } from './service.ts';
import { listExpenses, loadExpense } from './store.ts';

const params = z.object({ id: idParamSchema });
const listQuery = z.object({
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  per_page: z.coerce.number().int().min(1).max(200).default(20),
  search: textSchema(200).optional(),
  status: z.enum(['all', ...expenseStatuses]).default('all'),
  category: z.enum(['all', ...expenseCategories]).default('all'),
  start_date: z.iso.date().optional(),
  end_date: z.iso.date().optional(),
});

/** What a draft must say beyond being text and numbers is a rule of the domain. */
const draftText = textSchema(100_000);
const draftSchema = z.object({
  title: draftText,
  description: draftText,
  amount: amountSchema,
  category: draftText,
  expense_date: draftText,
  receipt_url: draftText.nullish().transform((url) => url?.trim() || null),
  notes: draftText.nullish().transform((notes) => notes ?? ''),
});
const approvalSchema = z.object({ notes: textSchema(2000).default('') }).nullish();
const rejectionSchema = z.object({ rejection_reason: draftText });

type Action = 'create' | 'change' | 'approve' | 'reject' | 'delete';

/** What the clinic spends. Every write takes an idempotency key. */
export const expenseRoutes: Routes = ({ database, clock }) => async (api) => {
  const pool = database.$client;
  const reads = requires('expense.read');
  const writes = requires('expense.write');
  const decides = requires('expense.decide');

  async function write(
    request: FastifyRequest,
    reply: FastifyReply,
    { action, id }: { action: Action; id: number | 'new' },
    work: (sql: Sql, keeper: Bookkeeper) => Promise<Result<unknown>>,
  ) {
    const { session } = request;
    const atMs = clock();
    const { clinicId, userId, deviceId } = session;
    const outcome = await inTransaction(pool, (sql) =>
      applyOnce(
        sql,
        {
          session, receivedAtMs: atMs, opId: request.headers[idempotencyHeader] as string | undefined,
          kind: `expense.${action}`, aggregate: `expense:${id}`, body: request.body,
        },
        action === 'create' ? 201 : 200,
        () => work(sql, { clinicId, userId, deviceId, atMs }),
      ),
    );
    return sendStored(reply, outcome);
  }

  api.get('/expenses', { config: reads, schema: { querystring: listQuery } }, async ({ session, query }) => ({
    success: true,
    ...(await listExpenses(pool, session.clinicId, query)),
  }));

  api.get('/expenses/summary', { config: reads }, async ({ session }) => ({
    success: true,
    data: await inTransaction(pool, (sql) => summariseMonth(sql, session.clinicId, clock()), 'snapshot'),
  }));

  api.get('/expenses/:id', { config: reads, schema: { params } }, async (request, reply) => {
    const expense = await loadExpense(pool, request.session.clinicId, request.params.id);
    return expense ? { success: true, data: expense } : sendRefusal(reply, { code: 'EXPENSE_NOT_FOUND' });
  });

  api.post('/expenses', { config: writes, schema: { body: draftSchema, headers: keyHeaders } }, (request, reply) =>
    write(request, reply, { action: 'create', id: 'new' }, (sql, keeper) => createExpense(sql, keeper, request.body)),
  );

  api.put('/expenses/:id', { config: writes, schema: { params, body: draftSchema, headers: keyHeaders } }, (request, reply) => {
    const { id } = request.params;
    return write(request, reply, { action: 'change', id }, (sql, keeper) => changeExpense(sql, keeper, id, request.body));
  });

  api.delete('/expenses/:id', { config: writes, schema: { params, headers: keyHeaders } }, (request, reply) => {
    const { id } = request.params;
    return write(request, reply, { action: 'delete', id }, (sql, keeper) => deleteExpense(sql, keeper, id));
  });

  api.post('/expenses/:id/approve', { config: decides, schema: { params, body: approvalSchema, headers: keyHeaders } }, (request, reply) => {
    const { id } = request.params;
    return write(request, reply, { action: 'approve', id }, (sql, keeper) => approveExpense(sql, keeper, id, request.body?.notes ?? ''));
  });

  api.post('/expenses/:id/reject', { config: decides, schema: { params, body: rejectionSchema, headers: keyHeaders } }, (request, reply) => {
    const { id } = request.params;
    return write(request, reply, { action: 'reject', id }, (sql, keeper) => rejectExpense(sql, keeper, id, request.body.rejection_reason));
  });
};
