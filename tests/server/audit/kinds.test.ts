import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AuditPage } from '#domain/audit/resources.ts';
import type { PayloadOf } from '#domain/protocol/operations.ts';
import { operationKinds } from '#domain/protocol/operations.ts';
import { kindAudits } from '#domain/protocol/kinds.ts';
import { line, TestDevice } from '#tests/support/device.ts';
import { operationOf } from '#tests/support/operation-of-kind.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { newId } from '#tests/support/unique.ts';
import { insertStockItem } from '#tests/support/stock.ts';

let server: TestServer;
let manager: TestDevice;
let stockId: number;
let admin: string;
beforeAll(async () => {
  server = await startTestServer();
  manager = await TestDevice.enrol(server, 'manager');
  admin = await server.login('admin');
  stockId = await insertStockItem(server, { quantity: 100 });
});
afterAll(() => server.close());

const entries = async () =>
  (
    await server.app.inject({ url: '/api/audit?limit=50', headers: { authorization: `Bearer ${admin}` } })
  ).json<AuditPage>().data;

const audited = operationKinds.flatMap((kind) => {
  const audit = kindAudits[kind];
  return audit === null ? [] : [[kind, audit === 'receipt' ? kind : audit.writes] as const];
});

test.each(audited)('an applied %s appears in the audit log as %s, with who did it and where', async (kind, action) => {
  const created = manager.create([line({ stock_id: stockId })]);
  const open = manager.operation('drawer.open', { drawer_id: newId(), currency: 'EUR', float: 0 });
  const targets = { created, drawerId: (open.payload as PayloadOf['drawer.open']).drawer_id, stockId };
  // A device has few open drawers.
  const opened = kind.startsWith('drawer.') ? [open] : [];
  await manager.send(created, manager.pay(created, 20), ...opened);
  const before = new Set((await entries()).map(({ id }) => id));
  const [result] = await manager.send(operationOf(manager, kind, targets));
  expect(result).toMatchObject({ status: 'applied' });
  expect((await entries()).filter(({ id }) => !before.has(id))).toContainEqual(
    expect.objectContaining({
      action,
      person: { id: manager.userId, name: 'manager' },
      device: expect.objectContaining({ code: manager.info.code }),
    }),
  );
});

test('a change of a treatment says how many services were taken off, for how much, and how many others replaced', async () => {
  const items = [line({ unit_price: 200, quantity: 1 }), line({ unit_price: 20, quantity: 1 }), line()];
  const created = manager.create(items);
  const order_id = created.payload.order_id;
  await manager.send(created);
  const change = manager.operation('order.change', {
    order_id,
    removed_line_ids: items.slice(0, 2).map(({ line_id }) => line_id),
    replaced_items: [{ ...line(), replaces: items[2]!.line_id }],
  });
  await manager.send(change);
  expect((await entries())[0]).toMatchObject({
    action: 'order.change',
    subject: created.payload.number,
    details: { removed: 2, removed_total: 220, replaced: 1 },
  });
});
