import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ExpenseResource, ExpenseList, ExpenseSummary } from '#domain/expense/resources.ts';
import { auditLog, users } from '#server/db/schema/access.ts';
import { expenses } from '#server/db/schema/expenses.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';

// Late in the evening by UTC, it is already 1 April in Madrid.
const nowMs = Date.parse('2026-03-31T22:30:00Z');
let server: TestServer;
let token: string;

beforeAll(async () => {
  server = await startTestServer({ now: nowMs });
  token = await server.login('manager');
});
afterAll(() => server.close());

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
interface Answer {
  success: boolean;
  code?: string;
  details?: Record<string, string>;
  data: ExpenseResource & ExpenseSummary;
  expenses: ExpenseResource[];
  pagination: ExpenseList['pagination'];
}
async function call(
  method: Method,
  url: string,
  payload?: object,
  { as = token, key }: { as?: string; key?: string } = {},
) {
  const headers = { authorization: `Bearer ${as}`, ...(key && { 'idempotency-key': key }) };
  const reply = await server.app.inject({ method, url: `/api${url}`, headers, ...(payload && { payload }) });
  return { status: reply.statusCode, headers: reply.headers, body: reply.json<Answer>() };
}

const rent = (over: object = {}) => ({
  title: 'Rent',
  description: 'Premises, March',
  amount: 1850.5,
  category: 'rent',
  expense_date: '2026-03-01',
  ...over,
});
async function add(over: object = {}): Promise<ExpenseResource> {
  const { status, body } = await call('POST', '/expenses', rent(over));
  expect([status, body.code]).toEqual([201, undefined]);
  return body.data;
}
const auditOf = (id: number) =>
  server.database
    .select()
    .from(auditLog)
    .where(eq(auditLog.subject, `expense:${id}`))
    .orderBy(auditLog.id);

describe('an expense', () => {
  test('is stored as pending with its submitter', async () => {
    const made = await add({
      title: '  Rent  ',
      notes: ' paid by transfer ',
      receipt_url: '/api/uploads/0190a5b0-0000-7000-8000-000000000000',
    });
    expect(made).toMatchObject({
      title: 'Rent',
      description: 'Premises, March',
      amount: 1850.5,
      category: 'rent',
      expense_date: '2026-03-01',
      notes: 'paid by transfer',
      receipt_url: '/api/uploads/0190a5b0-0000-7000-8000-000000000000',
      status: 'pending',
      Submitter: { name: 'manager' },
      Approver: null,
      rejection_reason: null,
      approval_notes: '',
      decided_at: null,
      created_at: new Date(nowMs).toISOString(),
    });
    expect((await call('GET', `/expenses/${made.id}`)).body.data).toEqual(made);
    expect((await add({ receipt_url: '', notes: null })).receipt_url).toBe(null);
    expect((await call('GET', '/expenses/2000000000')).body.code).toBe('EXPENSE_NOT_FOUND');
  });

  test('is refused with a message per field when the form is invalid', async () => {
    const before = await server.database.$count(expenses);
    const { status, body } = await call('POST', '/expenses', {
      title: 'ab',
      description: ' ',
      amount: -1,
      category: 'gifts',
      expense_date: '',
      receipt_url: 'javascript:alert(1)',
    });
    expect([status, body.code]).toEqual([400, 'VALIDATION']);
    expect(body.details).toEqual({
      title: 'Title must be at least 3 characters',
      description: 'Description must be at least 3 characters',
      amount: 'Amount must be 0 or greater',
      category: 'This category no longer exists',
      expense_date: 'This field is required',
      receipt_url: 'This is not the address of an uploaded receipt',
    });
    for (const over of [
      { amount: 0.001 },
      { amount: 'much' },
      { title: 'a\u0000bc' },
      { expense_date: '2026-02-30' },
      { title: undefined },
    ]) {
      expect([over, (await call('POST', '/expenses', rent(over))).status]).toEqual([over, 400]);
    }
    expect(await server.database.$count(expenses)).toBe(before);
    expect((await add({ amount: 0 })).amount).toBe(0);
  });

  test('can be changed only while it is pending', async () => {
    const { id } = await add();
    const changed = await call(
      'PUT',
      `/expenses/${id}`,
      rent({ title: 'Rent of April', amount: 1900, category: 'other' }),
    );
    expect(changed.body.data).toMatchObject({
      id,
      title: 'Rent of April',
      amount: 1900,
      category: 'other',
      status: 'pending',
    });
    expect((await call('PUT', `/expenses/${id}`, rent({ title: '' }))).body.details).toEqual({
      title: 'Title must be at least 3 characters',
    });
    await call('POST', `/expenses/${id}/approve`);
    const late = await call('PUT', `/expenses/${id}`, rent());
    expect([late.status, late.body.code]).toEqual([409, 'EXPENSE_DECIDED']);
    expect((await call('GET', `/expenses/${id}`)).body.data.title).toBe('Rent of April');
    expect((await call('PUT', '/expenses/2000000000', rent())).status).toBe(404);
  });

  test('can be deleted in every state, and is hidden afterwards', async () => {
    const all = [await add(), await add(), await add()] as const;
    await call('POST', `/expenses/${all[1].id}/approve`);
    await call('POST', `/expenses/${all[2].id}/reject`, { rejection_reason: 'too dear' });
    for (const { id } of all) {
      expect((await call('DELETE', `/expenses/${id}`)).body).toEqual({ success: true, data: null });
      expect((await call('GET', `/expenses/${id}`)).status).toBe(404);
      expect((await call('DELETE', `/expenses/${id}`)).body.code).toBe('EXPENSE_NOT_FOUND');
      expect((await call('POST', `/expenses/${id}/approve`)).status).toBe(404);
    }
    const kept = await server.database.select().from(expenses).where(eq(expenses.id, all[1].id));
    expect(kept[0]).toMatchObject({ title: 'Rent', deletedAt: nowMs });
  });
});

describe('the decision on an expense', () => {
  test('approves the expense with or without notes, and names the approver', async () => {
    const admin = await server.login('admin');
    const { id } = await add();
    const { body } = await call('POST', `/expenses/${id}/approve`, { notes: ' as agreed ' }, { as: admin });
    expect(body.data).toMatchObject({
      status: 'approved',
      Submitter: { name: 'manager' },
      Approver: { name: 'admin' },
      approval_notes: 'as agreed',
      rejection_reason: null,
    });
    expect(body.data.decided_at).toBe(new Date(nowMs).toISOString());
    const plain = await add();
    expect((await call('POST', `/expenses/${plain.id}/approve`)).body.data).toMatchObject({
      status: 'approved',
      approval_notes: '',
    });
  });

  test('rejects the expense for a reason of at least three characters', async () => {
    const { id } = await add();
    for (const rejection_reason of ['', '   ', ' no ']) {
      const { status, body } = await call('POST', `/expenses/${id}/reject`, { rejection_reason });
      expect([status, body.details]).toEqual([
        400,
        { rejection_reason: 'Rejection reason must be at least 3 characters' },
      ]);
    }
    expect((await call('POST', `/expenses/${id}/reject`, {})).status).toBe(400);
    expect((await call('GET', `/expenses/${id}`)).body.data.status).toBe('pending');
    const { body } = await call('POST', `/expenses/${id}/reject`, { rejection_reason: ' too dear ' });
    expect(body.data).toMatchObject({
      status: 'rejected',
      rejection_reason: 'too dear',
      approval_notes: '',
      Approver: { name: 'manager' },
    });
  });

  test('is made once when several requests arrive at the same time', async () => {
    const { id } = await add();
    const replies = await Promise.all([
      call('POST', `/expenses/${id}/approve`),
      call('POST', `/expenses/${id}/reject`, { rejection_reason: 'too dear' }),
      call('POST', `/expenses/${id}/approve`),
    ]);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ body }) => body.code === 'EXPENSE_DECIDED')).toHaveLength(2);
  });
});

test('the audit log records every action, without the texts of the expense', async () => {
  const { id } = await add({ title: 'Secret title', description: 'secret words', notes: 'secret notes', amount: 12.5 });
  await call('PUT', `/expenses/${id}`, rent({ title: 'Secret title' }));
  await call('POST', `/expenses/${id}/reject`, { rejection_reason: 'secret reason' });
  await call('DELETE', `/expenses/${id}`);
  const log = await auditOf(id);
  expect(log.map(({ action }) => action)).toEqual([
    'expense.create',
    'expense.change',
    'expense.reject',
    'expense.delete',
  ]);
  expect(log[0]).toMatchObject({
    clinicId: server.clinicId,
    details: { status: 'pending', category: 'rent', amount: 12.5 },
  });
  expect(JSON.stringify(log)).not.toMatch(/secret/i);
});

describe('the list and the summary', () => {
  let clinicId: number;
  let as: string;
  const list = async (query = '') => (await call('GET', `/expenses${query}`, undefined, { as })).body;
  const titles = async (query: string) => (await list(query)).expenses.map(({ title }) => title);

  beforeAll(async () => {
    clinicId = await server.addClinic();
    as = await server.login('manager', { clinicId });
    const spend = async (title: string, expense_date: string, over: object = {}) =>
      (await call('POST', '/expenses', rent({ title, expense_date, ...over }), { as })).body.data.id;
    await spend('Café para la recepción', '2026-03-31', { category: 'food_ingredients', amount: 20 });
    await spend('Rent of April', '2026-04-01', { amount: 1000 });
    const lamp = await spend('Lamp', '2026-04-01', { category: 'equipment', amount: 300.1, description: '100 % LED' });
    const poster = await spend('Poster', '2026-04-30', { category: 'marketing', amount: 50.2 });
    await spend('Deleted', '2026-04-02', { amount: 7 }).then((id) =>
      call('DELETE', `/expenses/${id}`, undefined, { as }),
    );
    await spend('Rent of May', '2026-05-01', { amount: 1000 });
    await call('POST', `/expenses/${lamp}/approve`, {}, { as });
    await call('POST', `/expenses/${poster}/reject`, { rejection_reason: 'too dear' }, { as });
  });

  test('shows the latest day first, in pages of 20 by default', async () => {
    expect(await titles('')).toEqual(['Rent of May', 'Poster', 'Lamp', 'Rent of April', 'Café para la recepción']);
    expect((await list()).pagination).toEqual({ total: 5, page: 1, per_page: 20, totalPages: 1 });
    expect(await titles('?page=2&per_page=2')).toEqual(['Lamp', 'Rent of April']);
    expect(await list('?page=9&per_page=2')).toMatchObject({
      success: true,
      expenses: [],
      pagination: { total: 5, page: 9, per_page: 2, totalPages: 3 },
    });
  });

  test.each([
    ['sort=amount', ['Rent of May', 'Rent of April', 'Lamp', 'Poster', 'Café para la recepción']],
    ['sort=amount&order=asc&per_page=2&page=2', ['Lamp', 'Rent of April']],
    ['sort=title&order=asc&per_page=2', ['Café para la recepción', 'Lamp']],
    ['sort=status&order=asc&per_page=1', ['Lamp']],
  ])('sorts by %s', async (query, expected) => {
    expect(await titles(`?${query}`)).toEqual(expected);
  });

  test.each(['sort=description', 'order=sideways'])('refuses %s', async (query) => {
    expect((await call('GET', `/expenses?${query}`, undefined, { as })).status).toBe(400);
  });

  test('takes a deletion back; a repeated call changes nothing', async () => {
    const { id, title } = await add({ title: 'Deleted by mistake' });
    await call('DELETE', `/expenses/${id}`);
    expect((await call('POST', `/expenses/${id}/restore`)).body).toMatchObject({ success: true, data: { id, title } });
    expect((await call('POST', `/expenses/${id}/restore`)).status).toBe(200);
    expect((await auditOf(id)).map(({ action }) => action)).toEqual([
      'expense.create',
      'expense.delete',
      'expense.restore',
    ]);
  });

  test('finds expenses by the beginning of any word of title or description, without accents', async () => {
    expect(await titles('?search=RECEP')).toEqual(['Café para la recepción']);
    expect(await titles('?search=cafe%20para')).toEqual(['Café para la recepción']);
    expect(await titles('?search=led')).toEqual(['Lamp']);
    expect(await titles('?search=100%20%25')).toEqual(['Lamp']);
    expect(await titles('?search=%25')).toEqual(['Lamp']);
    expect(await titles('?search=ent')).toEqual([]);
  });

  test('is filtered by status, category and days, the first and the last day included', async () => {
    expect(await titles('?status=approved')).toEqual(['Lamp']);
    expect(await titles('?status=rejected')).toEqual(['Poster']);
    expect(await titles('?status=pending&category=rent')).toEqual(['Rent of May', 'Rent of April']);
    expect(await titles('?status=all&category=all')).toHaveLength(5);
    expect(await titles('?start_date=2026-04-01&end_date=2026-04-30')).toEqual(['Poster', 'Lamp', 'Rent of April']);
    expect(await titles('?start_date=2026-05-01')).toEqual(['Rent of May']);
    expect(await titles('?end_date=2026-03-31')).toEqual(['Café para la recepción']);
    for (const query of ['?status=paid', '?category=gifts', '?start_date=yesterday', '?page=0', '?per_page=1000']) {
      expect([query, (await call('GET', `/expenses${query}`, undefined, { as })).status]).toEqual([query, 400]);
    }
  });

  test('sums up the current month in the clinic’s time zone', async () => {
    const { body } = await call('GET', '/expenses/summary', undefined, { as });
    expect(body).toEqual({
      success: true,
      data: { totalAmount: 1350.3, approvedAmount: 300.1, pendingAmount: 1000, totalCount: 3 },
    });
    const empty = await server.login('manager', { clinicId: await server.addClinic() });
    expect((await call('GET', '/expenses/summary', undefined, { as: empty })).body.data).toEqual({
      totalAmount: 0,
      approvedAmount: 0,
      pendingAmount: 0,
      totalCount: 0,
    });
  });

  test('names no submitter in a clinic without expenses, and keeps the names of removed users', async () => {
    const [lamp] = (await list('?status=approved')).expenses;
    await server.database.update(users).set({ deletedAt: nowMs }).where(eq(users.clinicId, clinicId));
    const asAdmin = await server.login('admin', { clinicId });
    const get = async () => (await call('GET', `/expenses/${lamp!.id}`, undefined, { as: asAdmin })).body.data;
    expect(await get()).toMatchObject({ Submitter: { name: 'manager' }, Approver: { name: 'manager' } });
    await server.database.update(expenses).set({ submittedBy: 2_000_000_000 }).where(eq(expenses.id, lamp!.id));
    expect((await get()).Submitter).toBe(null);
  });
});
