/** Attacks on the approval of an operation by a second person (SYNC-8). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AuditPage } from '#domain/audit/resources.ts';
import type { OrderResource } from '#domain/order/resource.ts';
import { canonicalJson } from '#domain/wire/canonical-json.ts';
import type { AnyOperation, PayloadOf } from '#domain/protocol/operations.ts';
import type { DeviceReply } from '#domain/protocol/sync.ts';
import { actorKeyOf, proofVerifier, signedAgain } from '#server/operations/proof.ts';
import { approvalProofOf } from '#src/db/proof.ts';
import type { ActorKey } from '#src/db/proof.ts';
import { line, TestDevice } from '#tests/support/device.ts';
import { newId } from '#tests/support/unique.ts';
import { actorKeyIn, signedBy } from '#tests/support/proofs.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { insertStockItem } from '#tests/support/stock.ts';

let server: TestServer;
let clerk: TestDevice;
let manager: TestDevice;
let kitchen: TestDevice;
let secret: Buffer;

const isoBefore = (ms: number): string => new Date(Date.now() - ms).toISOString();
const rows = async <Row = Record<string, unknown>>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await server.database.$client.query(text, values)).rows;

beforeAll(async () => {
  server = await startTestServer();
  await insertStockItem(server, { name: 'Dental cleaning' });
  clerk = await TestDevice.enrol(server, 'counter');
  manager = await TestDevice.enrol(server, 'manager');
  kitchen = await TestDevice.enrol(server, 'kitchen');
  const [clinic] = await rows<{ secret: Buffer }>('select actor_key_secret as secret from clinics where id = $1', [
    server.clinicId,
  ]);
  secret = clinic!.secret;
});
afterAll(() => server.close());

/** Returns the key that a person's vault holds on a device where they signed in. */
const keyOn = (device: TestDevice, userId: number): ActorKey => ({
  deviceId: device.info.device_id,
  sessionId: device.info.session_id!,
  bytes: actorKeyOf(secret, { userId, deviceId: device.info.device_id, sessionId: device.info.session_id! }),
});

/** Returns an operation of the clerk with an approval, signed as their tablet signs it. */
function approved(operation: AnyOperation, userId = manager.userId, key = keyOn(clerk, userId)): AnyOperation {
  const approval = { actor_id: userId, proof: approvalProofOf(key, operation) };
  return signedBy(keyOn(clerk, clerk.userId), { ...operation, approval });
}

const refund = (create: AnyOperation, amount = 10): AnyOperation =>
  clerk.operation('order.refund', {
    order_id: (create.payload as PayloadOf['order.create']).order_id,
    refund_id: newId(),
    payment_method: 'cash',
    amount,
    reason: 'Warranty',
    credit_note_number: clerk.number('credit_note'),
    reduction: amount,
    credit_note: { issued_at: new Date().toISOString(), language: 'en', total_amount: -amount, printed: [] },
  });

/** Returns a paid treatment of the clerk. */
async function sold(): Promise<AnyOperation> {
  const create = clerk.create([line()]);
  const results = await clerk.send(create, clerk.pay(create, 60));
  expect(results.map(({ status }) => status)).toEqual(['applied', 'applied']);
  return create;
}

const orderOf = async (create: AnyOperation): Promise<OrderResource> => {
  const { order_id } = create.payload as PayloadOf['order.create'];
  const reply = await server.app.inject({ url: `/api/orders/${order_id}`, headers: manager.headers });
  return reply.json<{ data: OrderResource }>().data;
};

const itemsOf = async ({ op_id }: AnyOperation) =>
  (await manager.pull()).rows.attention.filter((item) => item.op_id === op_id);

describe('an approval by a manager', () => {
  test('grants a refund to a clerk, and both names stand in the receipt and in the audit log', async () => {
    const create = await sold();
    const operation = approved(refund(create));
    expect((await clerk.send(operation))[0]).toMatchObject({ status: 'applied' });
    expect(await orderOf(create)).toMatchObject({ paid: 50, reduction: 10 });
    expect(
      await rows('select actor_id, actor_name, approved_by, approver_name from sync_ops where op_id = $1', [
        operation.op_id,
      ]),
    ).toEqual([
      { actor_id: clerk.userId, actor_name: 'counter', approved_by: manager.userId, approver_name: 'manager' },
    ]);
    const headers = { authorization: `Bearer ${await server.login('admin')}` };
    const audit = await server.app.inject({ url: '/api/audit?limit=200', headers });
    const entry = audit.json<AuditPage>().data.find(({ action }) => action === 'order.refund');
    expect(entry).toMatchObject({ person: { name: 'counter' }, approver: { name: 'manager' } });
    const table = await server.app.inject({ url: '/api/audit/export.csv', headers });
    expect(table.body).toMatch(/,counter,manager,.*refund/);
  });

  test('grants a discount above the limit, which is otherwise told to managers', async () => {
    const plain = clerk.create([line()]);
    const discounted = () =>
      clerk.operation('order.create', {
        ...plain.payload,
        order_id: newId(),
        number: clerk.number('treatment'),
        items: [line()],
        discount: 30,
        total: 30,
      });
    const [alone, withManager] = [discounted(), approved(discounted())];
    expect((await clerk.send(alone, withManager)).map(({ status }) => status)).toEqual(['applied', 'applied']);
    const kindsOf = async (operation: AnyOperation) => (await itemsOf(operation)).map(({ kind }) => kind);
    expect(await kindsOf(alone)).toContain('discount_over_limit');
    expect(await kindsOf(withManager)).not.toContain('discount_over_limit');
  });

  test('is not asked for twice by a repetition', async () => {
    const operation = approved(refund(await sold()));
    await clerk.send(operation);
    expect((await clerk.send(operation))[0]).toMatchObject({ status: 'applied', replayed: true });
  });

  test('has no slack of time after their deactivation: what the device had reported as sent is told as later', async () => {
    const create = await sold();
    // The device has reported a minute ago that nothing waits. Of anybody else a day's older work is not told.
    await rows('update devices set cleared_at = $2 where id = $1', [clerk.info.device_id, isoBefore(60_000)]);
    const dated = { occurred_at: isoBefore(2 * 3_600_000) };
    const ordinary = approved({ ...refund(create), ...dated });
    await clerk.send(ordinary);
    expect((await itemsOf(ordinary)).map(({ kind }) => kind)).not.toContain('late_work');
    await rows('update users set deactivated_at = $2 where id = $1', [manager.userId, isoBefore(3_600_000)]);
    const claimed = approved({ ...refund(create), ...dated });
    await clerk.send(claimed);
    await rows('update users set deactivated_at = null where id = $1', [manager.userId]);
    await rows('update devices set cleared_at = null where id = $1', [clerk.info.device_id]);
    expect(await itemsOf(claimed)).toContainEqual(
      expect.objectContaining({ kind: 'late_work', details: expect.objectContaining({ actor: 'manager' }) }),
    );
  });

  test('counts after their deactivation, and is flagged when it is dated after it', async () => {
    const create = await sold();
    await rows('update users set deactivated_at = $2 where id = $1', [manager.userId, isoBefore(3_600_000)]);
    const early = approved({ ...refund(create), occurred_at: isoBefore(2 * 3_600_000) });
    const late = approved(refund(create));
    const results = await clerk.send(early, late);
    await rows('update users set deactivated_at = null where id = $1', [manager.userId]);
    expect(results.map(({ status }) => status)).toEqual(['applied', 'applied']);
    expect((await itemsOf(early)).map(({ kind }) => kind)).not.toContain('late_work');
    expect(await itemsOf(late)).toMatchObject([{ kind: 'late_work', details: { actor: 'manager' } }]);
  });

  test('counts when another manager admits the work of the device, which was revoked meanwhile', async () => {
    const create = await sold();
    const operation = approved(refund(create));
    await rows('update devices set revoked_at = $2 where id = $1', [clerk.info.device_id, isoBefore(0)]);
    const [result] = await clerk.send(operation);
    expect(result).toMatchObject({ status: 'refused', reply: { code: 'DEVICE_REVOKED' } });
    const [item] = await itemsOf(operation);
    expect(item!.details).toMatchObject({ actor: 'counter', approver: 'manager' });
    const { headers } = manager;
    const url = `/api/attention/${item!.id}/approve`;
    const reply = await server.app.inject({ method: 'POST', url, headers, payload: { reason: 'It was ours' } });
    await rows('update devices set revoked_at = null where id = $1', [clerk.info.device_id]);
    expect(reply.statusCode).toBe(200);
    expect(await orderOf(create)).toMatchObject({ paid: 50, reduction: 10 });
  });
});

describe('a false approval', () => {
  const lies: [string, (operation: AnyOperation) => Promise<AnyOperation> | AnyOperation][] = [
    [
      'was given for another operation',
      async (operation) => {
        const other = approved(refund(await sold()));
        return signedBy(keyOn(clerk, clerk.userId), { ...operation, approval: other.approval });
      },
    ],
    [
      'was given for another amount',
      (operation) => {
        const { approval } = approved(operation);
        const payload = { ...operation.payload, amount: 60 };
        return signedBy(keyOn(clerk, clerk.userId), { ...operation, payload, approval } as AnyOperation);
      },
    ],
    [
      'was given for another actor',
      (operation) => {
        const { approval } = approved({ ...operation, actor_id: kitchen.userId });
        return signedBy(keyOn(clerk, clerk.userId), { ...operation, approval });
      },
    ],
    ['was given on another device', (operation) => approved(operation, manager.userId, keyOn(manager, manager.userId))],
    [
      'is signed by the clerk in the name of the manager',
      (operation) => approved(operation, manager.userId, keyOn(clerk, clerk.userId)),
    ],
    [
      'is the proof of an operation that the manager made',
      (operation) => {
        const own = signedBy(keyOn(clerk, manager.userId), { ...operation, actor_id: manager.userId });
        const approval = { actor_id: manager.userId, proof: own.proof! };
        return signedBy(keyOn(clerk, clerk.userId), { ...operation, approval });
      },
    ],
    [
      'comes from a manager of another clinic',
      async (operation) => {
        const clinicId = await server.addClinic();
        const headers = { authorization: `Bearer ${await server.login('manager', { clinicId })}` };
        const me = await server.app.inject({ url: '/api/auth/me', headers });
        const enrolled = await server.app.inject({ method: 'POST', url: '/api/devices', headers, payload: {} });
        const foreign = enrolled.json<{ data: DeviceReply }>().data;
        const key = { ...actorKeyIn(foreign), deviceId: clerk.info.device_id };
        return approved(operation, me.json().data.id, key);
      },
    ],
  ];

  test.each(lies)('refuses the operation when it %s', async (_title, lie) => {
    const create = await sold();
    const operation = await lie(refund(create));
    const [result] = await clerk.send(operation);
    expect(result).toMatchObject({ status: 'refused', reply: { code: 'APPROVAL_INVALID' } });
    expect(await orderOf(create)).toMatchObject({ balance: 0 });
    const [item] = await itemsOf(operation);
    expect(item).toMatchObject({ kind: 'refused', details: { code: 'APPROVAL_INVALID', actor: 'counter' } });
    expect(item!.details).not.toHaveProperty('approver');
    // Nothing is lost: somebody who may do it sends it again.
    const { approval: _approval, proof: _proof, ...content } = operation;
    const again = {
      ...content,
      op_id: newId(),
      supersedes: operation.op_id,
      actor_id: manager.userId,
      payload: refund(create).payload,
    };
    const [retried] = await clerk.send(signedBy(keyOn(clerk, manager.userId), again as AnyOperation));
    expect(retried).toMatchObject({ status: 'applied' });
  });

  test('cannot be taken away, nor added, by who carries the operation', async () => {
    const operation = approved(refund(await sold()));
    const { approval: _taken, ...without } = operation;
    const [taken] = await kitchen.send(without);
    expect(taken).toMatchObject({ reply: { code: 'PROOF_INVALID' } });
    const plain = signedBy(keyOn(clerk, clerk.userId), refund(await sold()));
    const { approval } = approved(plain);
    const [added] = await kitchen.send({ ...plain, approval });
    expect(added).toMatchObject({ reply: { code: 'PROOF_INVALID' } });
    // The real ones are not spoilt.
    expect((await kitchen.send(operation))[0]).toMatchObject({ status: 'applied' });
  });
});

test('an approval by somebody who may not do it either grants nothing', async () => {
  const create = await sold();
  const [result] = await clerk.send(approved(refund(create), kitchen.userId));
  expect(result).toMatchObject({ status: 'refused', reply: { code: 'FORBIDDEN' } });
  expect(await orderOf(create)).toMatchObject({ balance: 0 });
});

test('an operation that the server rewrote proves its approval again', async () => {
  const operation = approved(refund(await sold()));
  const { proof: _proof, ...content } = operation;
  const approval = { actor_id: manager.userId, proof: '' };
  const again = signedAgain(secret, {
    ...content,
    approval,
    payload: { ...content.payload, reason: '' },
  } as AnyOperation);
  const text = canonicalJson(again.payload);
  const { proves, approves } = proofVerifier(secret);
  expect([proves({ ...again }, text), approves({ ...again }, text)]).toEqual([true, true]);
});

test('a malformed approval refuses the operation alone', async () => {
  const create = clerk.create();
  const broken = signedBy(keyOn(clerk, clerk.userId), {
    ...refund(await sold()),
    approval: { actor_id: 'x' },
  } as never);
  const results = await clerk.send(broken, create);
  expect(results.map(({ status }) => status)).toEqual(['refused', 'applied']);
});
