/**
 * Every role claims every kind of operation in every name (SYNC-8). What is expected follows from the permissions of
 * whoever the proof shows as the author, never from who carries the operation.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { may } from '../../../domain/permissions.ts';
import { operationKinds } from '../../../domain/protocol/operations.ts';
import type { AnyOperation, OperationKind } from '../../../domain/protocol/operations.ts';
import type { BatchReply, DeviceReply, OperationResult } from '../../../domain/protocol/sync.ts';
import { roles } from '../../../domain/staff/roles.ts';
import type { Role } from '../../../domain/staff/roles.ts';
import type { ActorKey } from '../../../src/db/proof.ts';
import { TestDevice } from '../../support/device.ts';
import { newId } from '../../support/unique.ts';
import { operationOf } from '../../support/operation-of-kind.ts';
import type { Targets } from '../../support/operation-of-kind.ts';
import { actorKeyIn, signedBy } from '../../support/proofs.ts';
import { startTestServer } from '../../support/server.ts';
import type { TestServer } from '../../support/server.ts';
import { insertStockItem } from '../../support/stock.ts';
import { changedTables, tableDigests } from '../../support/table-digests.ts';

let server: TestServer;
/** The person in whose name others claim, and the device on which that person works. */
let victim: TestDevice;
let foreignKey: ActorKey;
let foreignActor: number;
let foreignToken: string;
const people = new Map<Role, TestDevice>();

beforeAll(async () => {
  server = await startTestServer();
  await insertStockItem(server, { name: 'Gloves', quantity: 100 });
  for (const role of roles) people.set(role, await TestDevice.enrol(server, role));
  victim = await TestDevice.enrol(server, 'manager');
  foreignToken = await server.login('manager', { clinicId: await server.addClinic() });
  const headers = { authorization: `Bearer ${foreignToken}` };
  const enrolled = await server.app.inject({ method: 'POST', url: '/api/devices', headers, payload: {} });
  foreignKey = actorKeyIn(enrolled.json<{ data: DeviceReply }>().data);
  foreignActor = (await server.app.inject({ url: '/api/auth/me', headers })).json<{ data: { id: number } }>().data.id;
});
afterAll(() => server.close());

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

const contents = () => tableDigests(server.database.$client);

const label = (kind: OperationKind, found: unknown) => ({ kind, found });

describe.each(roles)('%s', (role) => {
  test.each(Object.keys(ways))(
    'gets what the proven author may do, and leaves nothing else, for each kind of operation in %s',
    async (way) => {
      const attacker = people.get(role)!;
      let before = await contents();
      for (const kind of operationKinds) {
        const { author, operation, token = attacker.token } = ways[way]!(attacker, role, kind);
        const { status, reply } = await post(operation, token);
        const after = await contents();
        const changed = changedTables(before, after).filter((table) => table !== 'attention_items');
        before = after;
        const { code } = reply as { code?: string };
        if (author === null)
          expect(label(kind, [status, code, changed])).toEqual(label(kind, ['refused', 'PROOF_INVALID', []]));
        else if (may(author, kind))
          expect(label(kind, [status, changed.includes('sync_ops')])).toEqual(label(kind, ['applied', true]));
        else expect(label(kind, [status, code, changed])).toEqual(label(kind, ['refused', 'FORBIDDEN', ['sync_ops']]));
      }
    },
  );
});
