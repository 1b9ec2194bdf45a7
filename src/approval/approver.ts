/** Opens the vault of a person who approves, for one signature: no session begins and no key is stored. */
import { may } from '#domain/permissions.ts';
import type { Action } from '#domain/permissions.ts';
import { verifyPin } from '../auth/pin.ts';
import type { PinAnswer } from '../auth/pin.ts';
import type { PasskeyAnswer } from '../auth/passkey.ts';
import { peopleHere } from '../auth/unlock.ts';
import type { ClinicDatabase, VerifierRow } from '../db/database.ts';
import type { Ports } from '../db/ports.ts';
import type { Approver } from '../db/proof.ts';
import { readActorKey } from '../session/keys.ts';
import { open } from '../session/sealed.ts';
import type { StoredActorKey } from '../session/unlocked.ts';

/** What a person shows who approves. The password is not asked for: it opens the account everywhere. */
export type ApproverSecret = { kind: 'pin'; text: string } | { kind: 'passkey' };

interface Question {
  action: Action;
  /** The person who asks, and so can't approve. */
  actorId: number;
}

/** Returns who can approve on this device: people with a PIN or a passkey whose role allows it. */
export async function approversHere(
  db: ClinicDatabase,
  { action, actorId }: Question,
  nowMs: number,
): Promise<VerifierRow[]> {
  const people = await peopleHere(db, nowMs);
  return people.filter(
    ({ pin, passkey, user }) => (pin ?? passkey) !== undefined && user.id !== actorId && may(user.role, action),
  );
}

export type ApprovalFault = Exclude<PinAnswer | PasskeyAnswer, { ok: true }>;

/** Verifies a PIN, with the limits of attempts that hold for the lock, or a passkey. */
export async function openApprover(
  db: ClinicDatabase,
  ports: Ports,
  { email, secret, ...question }: { email: string; secret: ApproverSecret } & Question,
): Promise<{ ok: true; approver: Approver } | ApprovalFault> {
  const allowed = await approversHere(db, question, ports.now());
  if (!allowed.some((person) => person.email === email)) return { ok: false, code: 'UNKNOWN' };
  const answer =
    secret.kind === 'pin'
      ? await verifyPin(db, ports, { email, pin: secret.text })
      : await (await import('../auth/passkey.ts')).verifyPasskey(db, ports, { email, signsIn: false });
  if (!answer.ok) return answer;
  const [stored, device] = await Promise.all([
    open<StoredActorKey>(answer.key, answer.row.actor),
    db.device.get('this'),
  ]);
  // The key belongs to the device under which they last signed in; the server would take no other.
  if (!stored || stored.deviceId !== device?.device_id) return { ok: false, code: 'UNKNOWN' };
  return { ok: true, approver: { userId: answer.row.user.id, key: readActorKey(stored) } };
}
