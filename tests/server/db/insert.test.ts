import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertInto } from '#server/db/insert.ts';
import { drawers } from '#server/db/schema/drawers.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { newId } from '#tests/support/unique.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const drawer = (id: string, over: object = {}) => ({
  clinicId: server.clinicId,
  id,
  openedAt: Date.parse('2026-05-12T10:00:00.123Z'),
  openedBy: 7,
  deviceId: 3,
  currency: 'EUR',
  floatMinor: 12_345,
  closedAt: null,
  closedBy: null,
  counted: { cash: 1, card: 2, insurance: 3, others: 4 },
  ...over,
});
const stored = async (id: string) =>
  (await server.database.$client.query(`select * from drawers where id = $1`, [id])).rows[0];

test('writes each column by its declaration, and leaves others to their defaults', async () => {
  const id = newId();
  await insertInto(drawers, { leaves: ['notes'] })(server.database.$client, [drawer(id)]);
  expect(await stored(id)).toMatchObject({
    opened_at: new Date('2026-05-12T10:00:00.123Z'),
    float_minor: '12345',
    closed_at: null,
    counted: { cash: 1, card: 2, insurance: 3, others: 4 },
    notes: '',
  });
});

test('updates the named columns of a row that exists, and no others', async () => {
  const id = newId();
  const save = insertInto(drawers, { existing: { update: ['closedAt', 'notes'] } });
  await save(server.database.$client, [{ ...drawer(id), notes: 'first' }]);
  await save(server.database.$client, [{ ...drawer(id, { closedAt: 1000, currency: 'USD' }), notes: 'second' }]);
  expect(await stored(id)).toMatchObject({ closed_at: new Date(1000), notes: 'second', currency: 'EUR' });
});

test('leaves a row that exists where it should stay', async () => {
  const id = newId();
  const insert = insertInto(drawers, { existing: 'stays' });
  await insert(server.database.$client, [{ ...drawer(id), notes: 'first' }]);
  await insert(server.database.$client, [{ ...drawer(id), notes: 'second' }]);
  expect(await stored(id)).toMatchObject({ notes: 'first' });
});
