import { z } from 'zod';
import { longPageSize } from '#domain/pagination.ts';
import { blankExpense, expenseProblems, newExpenseProblems } from '#domain/expense/rules.ts';
import { expenseCategories, expenseSorts, expenseStatuses } from '#domain/expense/vocabulary.ts';
import {
  amountSchema,
  decisionBodySchema,
  idParamSchema,
  seenField,
  textSchema,
  uuidSchema,
} from '#domain/wire/schemas.ts';
import { withinClinic } from '#server/db/database.ts';
import type { Sql } from '#server/db/sql.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Api, RoutePorts, Routes } from '#server/ports.ts';
import { requires } from '#server/http/access.ts';
import { readOnly } from '#server/http/bodies.ts';
import { changeBody, changesIn } from '#server/http/change-body.ts';
import { changeForm, newForm } from '#server/http/form-rules.ts';
import { pageNumber, pageSize } from '#server/http/paging.ts';
import { sendRefusal } from '#server/http/refusals.ts';
import { deskWrites, feedWrites } from '#server/operations/rest-writes.ts';
import type { WriteCall } from '#server/operations/rest-writes.ts';
import {
  approveExpense,
  changeExpense,
  createExpense,
  deleteExpense,
  rejectExpense,
  restoreExpense,
  summariseMonth,
} from './service.ts';
import { listExpenses, loadAnyExpense, loadExpense } from './store.ts';
import { payFromDrawer } from './pay-from-drawer.ts';

const params = z.strictObject({ id: idParamSchema });
const listQuery = z.strictObject({
  page: pageNumber,
  per_page: pageSize(longPageSize),
  search: textSchema(200).optional(),
  status: z.enum(['all', ...expenseStatuses]).default('all'),
  category: z.enum(['all', ...expenseCategories]).default('all'),
  start_date: z.iso.date().optional(),
  end_date: z.iso.date().optional(),
  sort: z.enum(expenseSorts).default('expense_date'),
  order: z.enum(['asc', 'desc']).default('desc'),
});

/** The domain validates the contents of a draft. */
const draftText = textSchema(100_000);
const fields = {
  title: draftText,
  description: draftText,
  amount: amountSchema,
  category: draftText,
  expense_date: draftText,
};
const receiptUrl = draftText.nullable().transform((url) => url?.trim() || null);
const notesText = draftText.nullable().transform((notes) => notes ?? '');
/** What a change leaves out stays as it is. */
const changeSchema = changeBody(z.strictObject({ ...fields, receipt_url: receiptUrl, notes: notesText }).partial());
const newSchema = z.strictObject({
  ...fields,
  receipt_url: receiptUrl.default(null),
  notes: notesText.default(''),
  paid_from_drawer: z.boolean().default(blankExpense('').paid_from_drawer),
  drawer_id: uuidSchema.nullish().transform((id) => id ?? null),
});
const approvalSchema = z.strictObject({ notes: textSchema(2000).default(''), ...seenField }).nullish();
const rejectionSchema = z.strictObject({ rejection_reason: draftText, ...seenField });

const aggregateOf = (id: number) => `expense:${id}`;

/** The lock of an expense, and the record that is decided on. */
const decisionOn = (id: number) => ({
  aggregate: aggregateOf(id),
  record: (sql: Sql, clinicId: number) => loadExpense(sql, clinicId, id),
});

function readRoutes(api: Api, { database, clock }: RoutePorts): void {
  const config = requires('expense.read');

  api.get('/expenses', { config, schema: { querystring: listQuery } }, async ({ session, query }) => ({
    success: true,
    ...(await listExpenses(withinClinic(database, session.clinicId), session.clinicId, query)),
  }));

  api.get('/expenses/summary', { config }, async ({ session }) => ({
    success: true,
    data: await inTransaction(
      withinClinic(database, session.clinicId),
      (sql) => summariseMonth(sql, session.clinicId, clock()),
      'snapshot',
    ),
  }));

  api.get('/expenses/:id', { config, schema: { params } }, async (request, reply) => {
    const { clinicId } = request.session;
    const expense = await loadExpense(withinClinic(database, clinicId), clinicId, request.params.id);
    return expense ? { success: true, data: expense } : sendRefusal(reply, { code: 'EXPENSE_NOT_FOUND' });
  });
}

/** What is decided about an expense, and how it was paid, is no part of its form. */
const decided = readOnly(
  'status',
  'paid_from_drawer',
  'Submitter',
  'Approver',
  'decided_at',
  'approval_notes',
  'rejection_reason',
);

function writeRoutes(api: Api, ports: RoutePorts): void {
  const write = deskWrites(ports, 'expense:new');
  const writeAndTell = feedWrites(ports, 'expense:new');
  const writes = requires('expense.write');

  api.post(
    '/expenses',
    { config: { ...writes, ...newForm(blankExpense(''), newExpenseProblems) }, schema: { body: newSchema } },
    (request, reply) => {
      const { body } = request;
      // Tablets show the money in the drawer.
      const writeNew = body.paid_from_drawer ? writeAndTell : write;
      return writeNew(request, reply, { kind: 'expense.create', status: 201 }, (context) =>
        createExpense(context.sql, context, body, (amountMinor, reason) =>
          payFromDrawer(ports.operations, context, { drawerId: body.drawer_id, amountMinor, reason }),
        ),
      );
    },
  );

  api.put(
    '/expenses/:id',
    {
      config: { ...writes, ...decided, ...changeForm(blankExpense(''), expenseProblems) },
      schema: { params, body: changeSchema },
    },
    (request, reply) => {
      const { id } = request.params;
      const record: WriteCall['record'] = (sql, clinicId) => loadExpense(sql, clinicId, id);
      return write(request, reply, { kind: 'expense.change', aggregate: aggregateOf(id), record }, (context) =>
        changeExpense(context.sql, context, id, changesIn(request.body)),
      );
    },
  );

  api.delete('/expenses/:id', { config: writes, schema: { params, body: decisionBodySchema } }, (request, reply) => {
    const { id } = request.params;
    return write(request, reply, { kind: 'expense.delete', ...decisionOn(id) }, (context) =>
      deleteExpense(context.sql, context, id),
    );
  });

  api.post(
    '/expenses/:id/restore',
    { config: writes, schema: { params, body: decisionBodySchema } },
    (request, reply) => {
      const { id } = request.params;
      return write(
        request,
        reply,
        {
          kind: 'expense.restore',
          aggregate: aggregateOf(id),
          record: (sql, clinicId) => loadAnyExpense(sql, clinicId, id),
        },
        (context) => restoreExpense(context.sql, context, id),
      );
    },
  );
}

function decisionRoutes(api: Api, ports: RoutePorts): void {
  const write = deskWrites(ports, 'expense:new');
  const decides = requires('expense.decide');

  api.post('/expenses/:id/approve', { config: decides, schema: { params, body: approvalSchema } }, (request, reply) => {
    const { id } = request.params;
    return write(request, reply, { kind: 'expense.approve', ...decisionOn(id) }, (context) =>
      approveExpense(context.sql, context, id, request.body?.notes ?? ''),
    );
  });

  api.post('/expenses/:id/reject', { config: decides, schema: { params, body: rejectionSchema } }, (request, reply) => {
    const { id } = request.params;
    return write(request, reply, { kind: 'expense.reject', ...decisionOn(id) }, (context) =>
      rejectExpense(context.sql, context, id, request.body.rejection_reason),
    );
  });
}

/** Expenses of the clinic. */
export const expenseRoutes: Routes = (ports) => async (api) => {
  readRoutes(api, ports);
  writeRoutes(api, ports);
  decisionRoutes(api, ports);
};
