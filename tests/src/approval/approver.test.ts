import { afterEach, beforeEach, expect, test } from 'vitest';
import { canonicalJson } from '#domain/wire/canonical-json.ts';
import { pinAttempts } from '#domain/staff/pin.ts';
import type { UserClaims } from '#domain/staff/roles.ts';
import { proofVerifier, actorKeyOf } from '#server/operations/proof.ts';
import { approversHere, openApprover } from '#src/approval/approver.ts';
import { setPin } from '#src/auth/pin.ts';
import { cancelTreatment, createTreatment } from '#src/db/commands/treatments.ts';
import { retryRefused } from '#src/db/commands/tray.ts';
import type { OutboxEntry } from '#src/db/dependants.ts';
import { outboxEntries } from '#src/db/queries/outbox.ts';
import { canSeal } from '#src/session/sealed.ts';
import { readUnlocked } from '#src/session/unlocked.ts';
import { actorKey, openTablet, valueOf } from '../db/tablet.ts';
import type { OfflineTablet } from '../db/tablet.ts';
import { fewRounds, person, signedInOnline } from '../auth/people.ts';

const secret = Buffer.alloc(32, 9);
const pin = '407183';
/** For a list that may be empty, which the test then fails on. */
const none = {} as OutboxEntry;
const question = { action: 'order.discount_any', actorId: 7 } as const;
const manager = person(2, 'Tomás', 'manager');

let tablet: OfflineTablet;

async function addPerson(user: UserClaims, { withPin = true, deviceId = 3 } = {}): Promise<void> {
  const { db, ports } = tablet;
  const password = 'right horse';
  const key = actorKeyOf(secret, { userId: user.id, deviceId, sessionId: user.id }).toString('base64url');
  await signedInOnline(db, ports, { user, password, actorKey: key });
  if (withPin) await setPin(db, ports, { email: user.email, password, pin }, fewRounds);
}

beforeEach(async () => {
  expect(canSeal()).toBe(true);
  tablet = await openTablet();
  await addPerson(manager);
});
afterEach(() => tablet.close());

const openWith = (typed: string, email = manager.email) =>
  openApprover(tablet.db, tablet.ports, { email, secret: { kind: 'pin', text: typed }, ...question });

const plan = {
  orderType: 'walk_in' as const,
  services: [{ itemKey: 's2', quantity: 5 }],
  discount: { kind: 'percent' as const, bps: 5000, reason: 'a friend', mayExceed: true },
};

test('offers those who may do it and have a PIN here, but not the person who asks', async () => {
  await addPerson(person(3, 'Berta', 'counter'));
  await addPerson(person(4, 'Carla', 'admin'));
  await addPerson(person(5, 'Dora', 'manager'), { withPin: false });
  await addPerson(person(7, 'Eva', 'manager'));
  const names = async (nowMs: number) =>
    (await approversHere(tablet.db, question, nowMs)).map(({ user: { name } }) => name);
  expect(await names(tablet.clock.now)).toEqual(['Carla', 'Tomás']);
  expect(await names(tablet.clock.now + 8 * 86_400_000)).toEqual([]);
  expect(await openWith(pin, 'berta@clinic.test')).toEqual({ ok: false, code: 'UNKNOWN' });
});

test('signs exactly one command, stores no key, and begins no session', async () => {
  const opened = await openWith(pin);
  if (!opened.ok) throw new Error(opened.code);
  const { approver } = opened;
  const { db } = tablet;
  const { orderId } = valueOf(await createTreatment({ ...tablet, approver }, plan));
  const [{ operation } = none] = await outboxEntries(db, { limit: 1 });
  const verifier = proofVerifier(secret);
  const text = canonicalJson(operation.payload);
  expect(operation).toMatchObject({ actor_id: 7, approval: { actor_id: 2 } });
  expect(verifier.approves({ ...operation }, text)).toBe(true);
  expect(verifier.approves({ ...operation, op_id: 'another' }, text)).toBe(false);
  expect([await readUnlocked(), await db.session.count()]).toEqual([null, 0]);
  expect(approver.key).toBeNull();
  await expect(cancelTreatment({ ...tablet, approver }, { orderId })).rejects.toThrow('one command');
});

test('is spent by a command that was refused', async () => {
  const opened = await openWith(pin);
  if (!opened.ok) throw new Error(opened.code);
  const { approver } = opened;
  expect((await createTreatment({ ...tablet, approver }, { ...plan, services: [] })).ok).toBe(false);
  expect(approver.key).toBeNull();
});

test('does not pass to the operation that replaces a refused one', async () => {
  const opened = await openWith(pin);
  if (!opened.ok) throw new Error(opened.code);
  const { db } = tablet;
  valueOf(await createTreatment({ ...tablet, approver: opened.approver }, plan));
  const [{ operation } = none] = await outboxEntries(db, { limit: 1 });
  await db.operation_states.update(operation.op_id, { status: 'attention' });
  const { opId } = valueOf(await retryRefused(tablet, operation.op_id));
  const replacement = await db.operations.get(opId);
  expect(replacement).toMatchObject({ supersedes: operation.op_id, actor_id: 7 });
  expect(replacement).not.toHaveProperty('approval');
  expect(actorKey.deviceId).toBe(replacement!.device_id);
});

test('counts wrong PINs like the lock, and the last one removes the PIN', async () => {
  for (let failures = 1; failures <= pinAttempts; failures += 1) {
    tablet.clock.now = Math.max(tablet.clock.now, (await tablet.db.verifiers.get(manager.email))!.pin!.locked_until);
    const answer = await openWith('913726');
    expect(answer).toMatchObject({
      ok: false,
      code: failures === pinAttempts ? 'PIN_REMOVED' : failures < 5 ? 'CREDENTIALS_INVALID' : 'LOCKED',
    });
  }
  expect(await approversHere(tablet.db, question, tablet.clock.now)).toEqual([]);
});

test('refuses a key of another device, which the server would not take', async () => {
  await tablet.db.device.update('this', { device_id: 4 });
  expect(await openWith(pin)).toEqual({ ok: false, code: 'UNKNOWN' });
});
