/**
 * Every role claims every kind of operation in every name (SYNC-8). What is expected follows from the permissions of
 * whoever the proof shows as the author, never from who carries the operation.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { may } from '#domain/permissions.ts';
import { operationKinds } from '#domain/protocol/operations.ts';
import type { AnyOperation, OperationKind } from '#domain/protocol/operations.ts';
import type { BatchReply, DeviceReply, OperationResult } from '#domain/protocol/sync.ts';
import { roles } from '#domain/staff/roles.ts';
import type { Role } from '#domain/staff/roles.ts';
import { actorKeyOf } from '#server/operations/proof.ts';
import { approvalProofOf } from '#src/db/proof.ts';
import type { ActorKey } from '#src/db/proof.ts';
import { TestDevice } from '#tests/support/device.ts';
import { newId } from '#tests/support/unique.ts';
import { operationOf } from '#tests/support/operation-of-kind.ts';
import type { Targets } from '#tests/support/operation-of-kind.ts';
import { actorKeyIn, signedBy } from '#tests/support/proofs.ts';
import { addUser, startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { insertStockItem } from '#tests/support/stock.ts';
import { changedTables, tableDigests } from '#tests/support/table-digests.ts';

let server: TestServer;
/** The person in whose name others claim, and the device on which that person works. */
let victim: TestDevice;
/** A manager who leaves, and the clinic's secret from which keys are derived. */
let leaver: number;
let secret: Buffer;
let foreignKey: ActorKey;
let foreignActor: number;
let foreignToken: string;
const people = new Map<Role, TestDevice>();

beforeAll(async () => {
  server = await startTestServer();
  await insertStockItem(server, { name: 'Gloves', quantity: 100 });
  for (const role of roles) people.set(role, await TestDevice.enrol(server, role));
  victim = await TestDevice.enrol(server, 'manager');
  leaver = (await addUser(server.database, { clinicId: server.clinicId, role: 'manager', at: Date.now() })).id;
  const { rows } = await server.database.$client.query<{ secret: Buffer }>(
    'select actor_key_secret as secret from clinics where id = $1',
    [server.clinicId],
  );
  secret = rows[0]!.secret;
  foreignToken = await server.login('manager', { clinicId: await server.addClinic() });
  const headers = { authorization: `Bearer ${foreignToken}` };
  const enrolled = await server.app.inject({ method: 'POST', url: '/api/devices', headers, payload: {} });
  foreignKey = actorKeyIn(enrolled.json<{ data: DeviceReply }>().data);
  foreignActor = (await server.app.inject({ url: '/api/auth/me', headers })).json<{ data: { id: number } }>().data.id;
});
afterAll(() => server.close());

const keyOf = (userId: number, { info: { device_id: deviceId, session_id } }: TestDevice): Buffer =>
  actorKeyOf(secret, { userId, deviceId, sessionId: session_id! });

/** The targets of one operation of each kind: an order with a payment, and an open drawer. */
let targets: Targets;
let drawerIsOpen = false;

beforeEach(async () => {
  // A device has few open drawers.
  if (drawerIsOpen) await victim.send(operationOf(victim, 'drawer.close', targets));
  const created = victim.create();
  const drawerId = newId();
  const results = await victim.send(
    created,
    victim.pay(created, 20),
    victim.operation('drawer.open', { drawer_id: drawerId, currency: 'EUR', float: 50 }),
  );
  expect(results.map(({ status }) => status)).toEqual(['applied', 'applied', 'applied']);
  targets = { created, drawerId, stockId: 1 };
  drawerIsOpen = true;
});

interface Claim {
  /** Role of the author that the proof shows; null if it shows none. */
  author: Role | null;
  operation: AnyOperation;
  /** Bearer token of the sender, unless it is the attacker's own. */
  token?: string;
  /** Set for an operation that a manager approved who was deactivated since, or before. */
  approval?: 'before deactivation' | 'after deactivation';
}

/** The ways in which somebody can claim an operation. */
const ways: Record<string, (attacker: TestDevice, role: Role, kind: OperationKind) => Claim> = {
  'their own name': (attacker, role, kind) => ({
    author: role,
    operation: signedBy(actorKeyIn(attacker.info), operationOf(attacker, kind, targets)),
  }),
  'their own name, with the token for syncing': (attacker, role, kind) => ({
    author: role,
    operation: signedBy(actorKeyIn(attacker.info), operationOf(attacker, kind, targets)),
    token: attacker.info.sync_token!,
  }),
  'the name of a manager who signed it': (_attacker, _role, kind) => ({
    author: 'manager',
    operation: signedBy(actorKeyIn(victim.info), operationOf(victim, kind, targets)),
  }),
  'the name of a manager, signed by their own key': (attacker, _role, kind) => ({
    author: null,
    operation: signedBy(actorKeyIn(attacker.info), {
      ...operationOf(attacker, kind, targets),
      actor_id: victim.userId,
    }),
  }),
  'their own name, on the device of a manager': (attacker, _role, kind) => ({
    author: null,
    operation: signedBy(actorKeyIn(attacker.info), {
      ...operationOf(attacker, kind, targets),
      device_id: victim.info.device_id,
    }),
  }),
  'the name of a manager on that device, signed by their own key': (attacker, _role, kind) => ({
    author: null,
    operation: signedBy(actorKeyIn(attacker.info), operationOf(victim, kind, targets)),
  }),
  'their own name, unsigned': (attacker, _role, kind) => ({
    author: null,
    operation: operationOf(attacker, kind, targets),
  }),
  'the name of a manager, unsigned': (_attacker, _role, kind) => ({
    author: null,
    operation: operationOf(victim, kind, targets),
  }),
  'the name of a manager of another clinic who signed it': (_attacker, _role, kind) => ({
    author: null,
    operation: signedBy(foreignKey, {
      ...operationOf(victim, kind, targets),
      device_id: foreignKey.deviceId,
      actor_id: foreignActor,
    }),
  }),
  'their own name, signed by a manager of another clinic': (attacker, _role, kind) => ({
    author: null,
    operation: signedBy(foreignKey, operationOf(attacker, kind, targets)),
  }),
  'their own name, sent to another clinic': (attacker, _role, kind) => ({
    author: null,
    operation: signedBy(actorKeyIn(attacker.info), operationOf(attacker, kind, targets)),
    token: foreignToken,
  }),
};

/**
 * A manager signs in on the attacker's device, approves there, and is deactivated. The approval is in the attacker's name, so
 * nobody carries it who may do it alone.
 */
const approved =
  (approval: NonNullable<Claim['approval']>) =>
  (attacker: TestDevice, role: Role, kind: OperationKind): Claim => {
    const operation = operationOf(attacker, kind, targets);
    const { device_id: deviceId, session_id } = attacker.info;
    const key = { deviceId, sessionId: session_id!, bytes: keyOf(leaver, attacker) };
    const consent = { actor_id: leaver, proof: approvalProofOf(key, operation) };
    return {
      author: role,
      operation: signedBy(actorKeyIn(attacker.info), { ...operation, approval: consent }),
      approval,
    };
  };
for (const approval of ['before deactivation', 'after deactivation'] as const)
  ways[`their own name, approved by a manager ${approval}`] = approved(approval);

/** Deactivates the manager a moment before or after an operation. */
async function deactivate({ occurred_at }: AnyOperation, approval: NonNullable<Claim['approval']>): Promise<void> {
  const ms = Date.parse(occurred_at) + (approval === 'after deactivation' ? -1000 : 1000);
  await server.database.$client.query('update users set deactivated_at = $2 where id = $1', [leaver, new Date(ms)]);
}

/** Returns the names that a manager is told of an operation which somebody did or approved after having been deactivated. */
async function lateWorkOf({ op_id }: AnyOperation): Promise<string[]> {
  const { rows } = await server.database.$client.query<{ actor: string }>(
    `select details ->> 'actor' as actor from attention_items where op_id = $1 and kind = 'late_work'`,
    [op_id],
  );
  return rows.map(({ actor }) => actor);
}

async function post(operation: AnyOperation, token: string): Promise<OperationResult> {
  const reply = await server.app.inject({
    method: 'POST',
    url: '/api/sync/batch',
    headers: { authorization: `Bearer ${token}` },
    payload: { operations: [operation] },
  });
  expect(reply.statusCode).toBe(200);
  return reply.json<BatchReply>().data.results[0]!;
}

/** What tells of a refused operation. */
const notices = ['attention_items', 'receipt_mentions'];

const contents = () => tableDigests(server.database.$client);

const label = (kind: OperationKind, found: unknown) => ({ kind, found });

describe.each(roles)('%s', (role) => {
  test.each(Object.keys(ways))(
    'gets what the proven author may do, and leaves nothing else, for each kind of operation in %s',
    async (way) => {
      const attacker = people.get(role)!;
      let before = await contents();
      for (const kind of operationKinds) {
        const { author, operation, token = attacker.token, approval } = ways[way]!(attacker, role, kind);
        if (approval) {
          await deactivate(operation, approval);
          before = await contents();
        }
        const { status, reply } = await post(operation, token);
        const after = await contents();
        const changed = changedTables(before, after).filter((table) => !notices.includes(table));
        before = after;
        const { code } = reply as { code?: string };
        if (author === null)
          expect(label(kind, [status, code, changed])).toEqual(label(kind, ['refused', 'PROOF_INVALID', []]));
        else if (may(author, kind) || (approval && may('manager', kind)))
          expect(label(kind, [status, changed.includes('sync_ops')])).toEqual(label(kind, ['applied', true]));
        else expect(label(kind, [status, code, changed])).toEqual(label(kind, ['refused', 'FORBIDDEN', ['sync_ops']]));
        // A record only accompanies its document, of which the manager is told.
        const isTold = approval === 'after deactivation' && kind !== 'fiscal.record';
        expect(label(kind, await lateWorkOf(operation))).toEqual(label(kind, isTold ? ['manager'] : []));
      }
    },
  );
});
