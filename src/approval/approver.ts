/** Opens the vault of a person who approves, for one signature: no session begins and no key is stored. */
import { may } from '../../domain/permissions.ts';
import type { Action } from '../../domain/permissions.ts';
import { verifyPin } from '../auth/pin.ts';
import type { PinAnswer } from '../auth/pin.ts';
import { peopleHere } from '../auth/unlock.ts';
import type { ClinicDatabase, VerifierRow, WrappedByPin } from '../db/database.ts';
import type { Ports } from '../db/ports.ts';
import type { Approver } from '../db/proof.ts';
import { readActorKey } from '../session/keys.ts';
import type { StoredActorKey } from '../session/keys.ts';
import { open } from '../session/sealed.ts';

/** Somebody who can approve on this device. */
export type PersonWithPin = VerifierRow & { pin: WrappedByPin };

interface Question {
  action: Action;
  /** The person who asks, and so can't approve. */
  actorId: number;
}

/** Returns who can approve on this device: people with a PIN whose role allows it. */
export async function approversHere(
  db: ClinicDatabase,
  { action, actorId }: Question,
  nowMs: number,
): Promise<PersonWithPin[]> {
  const people = await peopleHere(db, nowMs);
  return people.filter(
    (row): row is PersonWithPin => row.pin !== undefined && row.user.id !== actorId && may(row.user.role, action),
  );
}

export type ApprovalFault = Exclude<PinAnswer, { ok: true }>;

/** Verifies a PIN, with the limits of attempts that hold for the lock. */
export async function openApprover(
  db: ClinicDatabase,
  ports: Ports,
  { email, pin, ...question }: { email: string; pin: string } & Question,
): Promise<{ ok: true; approver: Approver } | ApprovalFault> {
  const allowed = await approversHere(db, question, ports.now());
  if (!allowed.some((person) => person.email === email)) return { ok: false, code: 'UNKNOWN' };
  const answer = await verifyPin(db, ports, { email, pin });
  if (!answer.ok) return answer;
  const [stored, device] = await Promise.all([
    open<StoredActorKey>(answer.key, answer.row.actor),
    db.device.get('this'),
  ]);
  // The key belongs to the device under which they last signed in; the server would take no other.
  if (!stored || stored.deviceId !== device?.device_id) return { ok: false, code: 'UNKNOWN' };
  return { ok: true, approver: { userId: answer.row.user.id, key: readActorKey(stored.deviceId, stored.key) } };
}
