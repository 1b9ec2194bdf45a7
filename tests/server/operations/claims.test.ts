/**
 * Every role claims what is another person's: an operation to replace, a code, an id as the key of a REST call. A refused claim
 * changes nothing but its receipt and notices.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chainAggregate } from '#domain/fiscal/operations.ts';
import { may } from '#domain/permissions.ts';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import { roles } from '#domain/staff/roles.ts';
import type { Role } from '#domain/staff/roles.ts';
import { line, TestDevice } from '#tests/support/device.ts';
import { routesIn } from '#tests/support/openapi-routes.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { changedTables, tableDigests } from '#tests/support/table-digests.ts';
import { newId } from '#tests/support/unique.ts';
import { chainOf, someDocument } from '#tests/support/verifactu/records.ts';

let server: TestServer;
let clerk: TestDevice;
const people = new Map<Role, TestDevice>();
beforeAll(async () => {
  server = await startTestServer();
  for (const role of roles) people.set(role, await TestDevice.enrol(server, role));
  clerk = await TestDevice.enrol(server);
});
afterAll(() => server.close());

async function countNotices(): Promise<number> {
  const { rows } = await server.database.$client.query<{ count: number }>(
    'select count(*)::int as count from attention_items',
  );
  return rows[0]!.count;
}

/** Sends an operation, and returns what became of it, which tables changed besides the notices, and how many these are. */
async function claim(attacker: TestDevice, operation: AnyOperation) {
  const before = await tableDigests(server.database.$client);
  const noticesBefore = await countNotices();
  const [result] = await attacker.send(operation);
  const changed = changedTables(before, await tableDigests(server.database.$client));
  const { status, reply } = result!;
  const { code } = reply as { code?: string };
  const notices = (await countNotices()) - noticesBefore;
  return { status, code, changed: changed.filter((table) => table !== 'attention_items'), notices };
}

const nothingButItsReceipt = {
  status: 'refused',
  code: 'FORBIDDEN',
  changed: ['receipt_mentions', 'sync_ops'],
  notices: 1,
};

describe.each(roles)('%s', (role) => {
  test('replaces a refused operation of another person only with the right to void', async () => {
    const attacker = people.get(role)!;
    const refused = clerk.create([line({ unit_price: -5 })]);
    await clerk.send(refused);
    const replacement = attacker.operation(
      'order.create',
      { ...refused.payload, items: [line()], total: 60 },
      { supersedes: refused.op_id },
    );
    const found = await claim(attacker, replacement);
    if (may(role, 'operation.void')) expect(found.status).toBe('applied');
    else expect(found).toEqual(nothingButItsReceipt);
  });

  test('closes an operation of another person that has not arrived only with the right to void', async () => {
    const attacker = people.get(role)!;
    const unsent = clerk.create();
    const found = await claim(attacker, { ...attacker.create(), supersedes: unsent.op_id });
    if (may(role, 'order.create')) expect(found.status).toBe('applied');
    else expect(found).toEqual(nothingButItsReceipt);
    const [arrived] = await clerk.send(unsent);
    expect(arrived!.status).toBe(may(role, 'operation.void') ? 'refused' : 'applied');
  });

  test('records nothing for the tax agency, under any code, without the right to issue documents', async () => {
    const attacker = people.get(role)!;
    for (const chain of [clerk.info.code, attacker.info.code, 'QQQ1']) {
      const [record] = chainOf([someDocument({ number: `INV-${chain}-000009` })], { chain });
      const operation = attacker.operation('fiscal.record', record!, { aggregate: chainAggregate(chain) });
      const found = await claim(attacker, operation);
      if (may(role, 'fiscal.record')) expect(found.status).toBe('applied');
      else expect(found).toEqual(nothingButItsReceipt);
    }
  });

  test('takes no id of an operation as the key of a REST call', async () => {
    const { headers } = people.get(role)!;
    const unsent = clerk.create();
    const reply = await server.app.inject({
      method: 'PUT',
      url: '/api/auth/me',
      headers: { ...headers, 'idempotency-key': unsent.op_id },
      payload: { name: `The ${role}` },
    });
    expect(reply.statusCode).toBe(200);
    expect(await clerk.send(unsent)).toMatchObject([{ status: 'applied' }]);
  });

  test('reads nowhere the id of an operation that has not been accepted', async () => {
    const { headers, token } = people.get(role)!;
    // A sale that is not sent, and what waits for it at the server.
    const unsent = clerk.create();
    const payment = clerk.pay(unsent, 60, {}, { depends_on: [unsent.op_id] });
    expect(await clerk.send(payment)).toMatchObject([{ status: 'waiting' }]);
    const { order_id, items } = unsent.payload;
    const { payment_id } = payment.payload as { payment_id: string };
    const ids = [unsent.op_id, order_id, payment.op_id, payment_id, ...items.map(({ line_id }) => line_id)];
    const document = (await server.app.inject({ url: '/api/openapi.json' })).json<object>();
    const routes = routesIn(document).filter(
      ({ method, path, parameters }) =>
        method === 'GET' &&
        !path.includes('{') &&
        path !== '/api/sync/events' &&
        parameters.every(({ required }) => !required),
    );
    expect(routes.length).toBeGreaterThan(30);
    expect(token).not.toBe(clerk.token);
    for (const { path } of routes) {
      const { body } = await server.app.inject({ url: path, headers });
      expect({ path, found: ids.filter((id) => body.includes(id)) }).toEqual({ path, found: [] });
    }
  });
});

/**
 * Ids of operations are random (74 bits of a UUIDv7), so nobody guesses one, and nothing tells one that has not been accepted.
 * Whoever reads the storage of the tablet, where they are, could as well delete them. So the server does not arbitrate between
 * two people who prove the same id: the first one has it, and the second is told.
 */
test('a sale whose ids somebody else has taken is refused to its tablet, and arrives when it is entered again', async () => {
  const thief = people.get('server')!;
  const [unsent, other] = [clerk.create(), clerk.create()];
  const { order_id } = other.payload;
  const taken = [
    { ...thief.create(), op_id: unsent.op_id },
    thief.operation('order.create', { ...thief.create().payload, order_id }),
  ];
  expect(await thief.send(...taken)).toMatchObject([{ status: 'applied' }, { status: 'applied' }]);
  expect(await clerk.send(unsent, other)).toMatchObject([
    { status: 'refused', reply: { code: 'IDEMPOTENCY_MISMATCH' } },
    { status: 'refused', reply: { code: 'ORDER_EXISTS' } },
  ]);
  const again = [unsent, other].map(({ payload }) =>
    clerk.operation('order.create', { ...payload, order_id: newId(), number: clerk.number('treatment') }),
  );
  expect(await clerk.send(...again)).toMatchObject([{ status: 'applied' }, { status: 'applied' }]);
});
