/** What is rare costs a sale nothing: the statements that follow replacements run only where something is replaced. */
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import { TestDevice } from '#tests/support/device.ts';
import { FiscalTill, issuerSettings } from '#tests/support/fiscal-till.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { newId } from '#tests/support/unique.ts';

const nowMs = Date.parse('2027-07-01T10:05:00+02:00');
let server: TestServer;
let till: FiscalTill;

beforeAll(async () => {
  server = await startTestServer({ now: nowMs });
  const headers = { authorization: `Bearer ${await server.login('admin')}` };
  const payload = { ...issuerSettings, verifactu_since: '2027-07-01' };
  const saved = await server.app.inject({ method: 'PUT', url: '/api/settings', headers, payload });
  expect(saved.statusCode).toBe(200);
  till = new FiscalTill(await TestDevice.enrol(server), () => nowMs);
});
afterAll(() => server.close());

/** Sends operations, and returns their states with the names of the statements about fiscal records. */
async function statementsOf(...operations: AnyOperation[]) {
  const query = vi.spyOn(Client.prototype, 'query');
  const results = await till.device.send(...operations);
  const names = query.mock.calls.flatMap(([config]) => (config as { name?: string }).name ?? []);
  query.mockRestore();
  return {
    states: results.map(({ status }) => status),
    names: names.filter((name) => /^(replaced documents|documents as they came)$/.test(name)),
  };
}

test('a sale with its record follows no replacements', async () => {
  const { created, paid, recorded } = till.sale();
  expect(await statementsOf(created, paid, recorded)).toEqual({
    states: ['applied', 'applied', 'applied'],
    names: ['documents as they came'],
  });
});

test('a document follows them if it replaces another, and a record if its document did', async () => {
  const { created, paid, recorded } = till.sale();
  const refused = { ...paid, payload: { ...paid.payload, amount: -60 } } as AnyOperation;
  expect(await statementsOf(created, refused)).toEqual({ states: ['applied', 'refused'], names: [] });
  const again = { ...paid, op_id: newId(), supersedes: paid.op_id } as AnyOperation;
  expect(await statementsOf(again)).toEqual({ states: ['applied'], names: ['replaced documents'] });
  expect(await statementsOf(recorded)).toEqual({
    states: ['applied'],
    names: ['documents as they came', 'replaced documents'],
  });
});
