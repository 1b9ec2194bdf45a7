/** The refusal of an invalid body names every wrong field: what its schema cannot read, and what the domain refuses. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '#tests/support/unique.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';

let server: TestServer;
let authorization: string;
beforeAll(async () => {
  server = await startTestServer({ demo: true });
  authorization = `Bearer ${await server.login('admin')}`;
});
afterAll(() => server.close());

const refused = async (method: 'POST' | 'PUT', url: string, payload: object, language = 'en') => {
  const headers = { authorization, 'accept-language': language };
  const reply = await server.app.inject({ method, url: `/api${url}`, headers, payload });
  const { code, details } = reply.json<{ code: string; details: Record<string, string> }>();
  expect([reply.statusCode, code], reply.body).toEqual([400, 'VALIDATION']);
  return details;
};
const fieldsOf = async (...call: Parameters<typeof refused>) => Object.keys(await refused(...call)).sort();

test('POST /users: a role that does not exist, a short name and password, a wrong email', async () => {
  const body = { name: 'Al', email: 'al', password: '123', role: 'owner', status: 'active' };
  expect(await refused('POST', '/users', body)).toEqual({
    role: expect.stringContaining('admin'),
    name: 'Name must be at least 3 characters',
    email: 'Invalid email format',
    password: 'Password must be at least 6 characters',
  });
  expect(await refused('POST', '/users', body, 'es')).toMatchObject({
    email: 'El formato del correo no es válido',
  });
});

test.each<[string, 'POST' | 'PUT', string, object, string[]]>([
  ['what is missing, too', 'POST', '/users', { role: 'owner' }, ['email', 'name', 'password', 'role']],
  ['only what a change names', 'PUT', '/users/1', { role: 'owner', name: 'Al' }, ['name', 'role']],
  ['the profile', 'PUT', '/auth/me', { name: 'Al', phone: 7 }, ['name', 'phone']],
  ['a patient', 'POST', '/patients', { id: 'x', name: 'Al', phone: '1'.repeat(41) }, ['id', 'name', 'phone']],
  ['a changed patient', 'PUT', `/patients/${newId()}`, { name: 'Al', phone: 6 }, ['name', 'phone']],
  ['a room', 'POST', '/tables', { capacity: 21, status: 'closed' }, ['capacity', 'number', 'status']],
  [
    'a room by its other name',
    'POST',
    '/tables',
    { table_number: '5', capacity: 21, status: 'x' },
    ['capacity', 'status'],
  ],
  ['a changed room', 'PUT', '/tables/1', { capacity: 0, status: 'closed' }, ['capacity', 'status']],
  [
    'an expense',
    'POST',
    '/expenses',
    { title: 'x', amount: 'much', category: 'fun', expense_date: 'today' },
    ['amount', 'category', 'description', 'expense_date', 'title'],
  ],
  [
    'a stock item',
    'POST',
    '/stock',
    { name: '', quantity: -1, tax: 'none' },
    ['name', 'quantity', 'supplier', 'supplier_contact', 'tax'],
  ],
  ['a changed stock item', 'PUT', '/stock/1', { name: '', quantity: -1, tax: 'none' }, ['name', 'quantity', 'tax']],
  ['a product', 'POST', '/products', { name: 'x', tax: 'none' }, ['name', 'price', 'tax']],
  ['a changed product', 'PUT', '/products/1', { name: 'x', price: 'free' }, ['name', 'price']],
  ['a category', 'POST', '/categories', { name: 'x', color: 'very red' }, ['color', 'name']],
  ['a purchase order', 'POST', '/purchase-orders', { vendor: ' ', notes: 7, items: [] }, ['items', 'notes', 'vendor']],
  [
    'settings',
    'PUT',
    '/settings',
    { practice_name: '', order_timeout_minutes: 200, service_charge_rate: 'some', verifactu_since: '2030-01-01' },
    ['order_timeout_minutes', 'practice_name', 'service_charge_rate'],
  ],
])('names all wrong fields of %s', async (_title, method, url, body, fields) => {
  expect(await fieldsOf(method, url, body)).toEqual(fields);
});

test('a list whose entries are wrong is named by its entry alone', async () => {
  expect(await fieldsOf('POST', '/products', { name: 'Kit', price: 0, ingredients: [{ ingredient_id: 'x' }] })).toEqual(
    ['ingredients.0.ingredient_id', 'ingredients.0.quantity_required', 'price'],
  );
});

test('a body that is no form is refused as before', async () => {
  expect(Object.keys(await refused('POST', '/users', [1]))).toEqual(['body']);
});

test('the own password: a wrong current one and a short new one are both named', async () => {
  const body = { current_password: 'not this one', password: '123' };
  expect(await fieldsOf('POST', '/auth/password', body)).toEqual(['current_password', 'password']);
});
