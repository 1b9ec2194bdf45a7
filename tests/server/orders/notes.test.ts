import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OrderResource } from '#domain/order/resource.ts';
import { line, TestDevice } from '#tests/support/device.ts';
import { newId } from '#tests/support/unique.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';

let server: TestServer;
let desk: TestDevice;
let surgery: TestDevice;
beforeAll(async () => {
  server = await startTestServer();
  [desk, surgery] = [await TestDevice.enrol(server), await TestDevice.enrol(server)];
});
afterAll(() => server.close());

test('SYNC-11 notes of services that two tablets add stand beside those of the treatment, on the server and in the feed', async () => {
  const created = desk.create();
  created.payload.notes = 'Fears needles';
  const { order_id } = created.payload;
  const adding = (device: TestDevice, notes: string, minute: number) =>
    device.operation(
      'order.add_services',
      { order_id, items: [line()], notes },
      { depends_on: [created.op_id], occurred_at: new Date(Date.now() - minute * 60_000).toISOString() },
    );
  await desk.send(created);
  // The first to write is the last to arrive.
  await desk.send(adding(desk, 'Wants a quote', 1));
  await surgery.send(adding(surgery, 'Allergic to latex', 2));
  const all = 'Fears needles\nAllergic to latex\nWants a quote';
  const read = async () =>
    (await server.app.inject({ url: `/api/orders/${order_id}`, headers: desk.headers })).json<{ data: OrderResource }>()
      .data;
  expect((await read()).notes).toBe(all);
  const row = (await surgery.pull()).rows.orders.find(({ id }) => id === order_id);
  expect(row).toMatchObject({
    notes: 'Fears needles',
    addedNotes: [{ text: 'Allergic to latex' }, { text: 'Wants a quote' }],
  });

  // A body without services or with none of its own notes takes nothing away.
  await desk.send(desk.operation('order.add_services', { order_id, items: [line()] }));
  expect((await read()).notes).toBe(all);
});

test('erasing a patient takes the notes that were added, too', async () => {
  const patient = { patient_id: newId(), name: 'Ana Ruiz' };
  const created = desk.create();
  Object.assign(created.payload, { patient, customer_name: 'Ana Ruiz' });
  const { order_id } = created.payload;
  const adding = desk.operation('order.add_services', { order_id, items: [line()], notes: 'Ana fears needles' });
  await desk.send(created, desk.pay(created, 60), adding);
  const admin = { authorization: `Bearer ${await server.login('admin')}` };
  const reply = await server.app.inject({
    method: 'POST',
    url: `/api/patients/${patient.patient_id}/erase`,
    headers: admin,
    payload: { reason: 'asked for it in writing', confirm: true },
  });
  expect(reply.statusCode).toBe(200);
  const { rows } = await server.database.$client.query('select notes, added_notes from orders where id = $1', [
    order_id,
  ]);
  expect(rows).toEqual([{ notes: '', added_notes: [] }]);
});
