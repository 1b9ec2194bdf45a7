/** Passkeys: added by somebody who is signed in and knows the password; used to sign in at enrolled devices. */
import { problemMessages } from '#domain/problems.ts';
import { accept, refuse } from '#domain/result.ts';
import type { Result } from '#domain/result.ts';
import type { Session } from '#server/context.ts';
import { withinClinic } from '#server/db/database.ts';
import type { Ports, RoutePorts } from '#server/ports.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { recordAudit } from '../audit/service.ts';
import { challengedAt, readClientData, verifyAssertion } from './assertion.ts';
import type { Assertion } from './assertion.ts';
import { deletePasskey, insertPasskey, passkeyByCredential, useChallenge } from './passkeys-store.ts';
import { beginSession, mayEnter, recordFailedSignIn } from './service.ts';
import type { SignedIn } from './service.ts';
import type { KnownDevice } from './throttle.ts';

/** An assertion, and the id of the credential that signed it. */
export interface PasskeyProof extends Assertion {
  credentialId: Buffer;
}

const invalid = () => refuse('VALIDATION', problemMessages({ passkey: 'PASSKEY_INVALID' }));

/** Returns when the challenge was made that an assertion answers; null if it is no live one of this device. */
function liveChallenge({ secret, clock }: Ports, device: KnownDevice, proof: PasskeyProof): number | null {
  const said = readClientData(proof);
  return said && challengedAt(secret, device, said.challenge, clock());
}

/** Begins a session; returns null when the proof is wrong for any reason, and 'throttled' when there were too many sign-ins. */
export async function signInByPasskey(
  ports: RoutePorts,
  device: KnownDevice,
  proof: PasskeyProof,
): Promise<SignedIn | null | 'throttled'> {
  const { clinicId } = device;
  const { credentialId } = proof;
  const challengedAtMs = liveChallenge(ports, device, proof);
  if (challengedAtMs === null) return null;
  const database = withinClinic(ports.database, clinicId);
  const passkey = await passkeyByCredential(database, { clinicId, credentialId });
  if (!passkey) return null;
  const { id, origin, user } = passkey;
  const who = { clinicId, userId: user.id };
  if (ports.budgets.beforeSecret(who) > 0) return 'throttled';
  const signatures = verifyAssertion(proof, { origin, publicKey: Buffer.from(passkey.publicKey, 'base64') });
  const mayBegin =
    mayEnter(user) &&
    signatures !== null &&
    (await useChallenge(database, { clinicId, id, challengedAtMs, signatures, nowMs: ports.clock() }));
  if (mayBegin) {
    ports.budgets.secretUsed(who);
    return beginSession(ports, user);
  }
  await recordFailedSignIn(ports, user, device);
  return null;
}

interface Addition {
  publicKey: Buffer;
  /** The host at which the server was asked. */
  hostname: string;
  proof: PasskeyProof;
}

/** Adds a passkey to the account of a session, whose password has been verified. The proof shows that its key is at hand. */
export async function addPasskey(
  ports: Ports,
  session: Session,
  { publicKey, hostname, proof }: Addition,
): Promise<Result<null>> {
  const { clinicId, userId, deviceId } = session;
  const said = readClientData(proof);
  const challengedAtMs = deviceId === null ? null : liveChallenge(ports, { clinicId, deviceId }, proof);
  if (!said || challengedAtMs === null || new URL(said.origin).hostname !== hostname) return invalid();
  const { origin } = said;
  const signatures = verifyAssertion(proof, { origin, publicKey });
  if (signatures === null) return invalid();
  const { credentialId } = proof;
  return inTransaction(withinClinic(ports.database, clinicId), async (sql) => {
    const passkey = { clinicId, userId, credentialId, publicKey, origin, signatures, challengedAtMs };
    if (!(await insertPasskey(sql, passkey))) return invalid();
    await recordAudit(sql, session, { action: 'passkey.added', subject: `user:${userId}`, at: ports.clock() });
    return accept(null);
  });
}

/** Removes a passkey of the person of a session, if they have it. */
export async function removePasskey(ports: Ports, session: Session, credentialId: Buffer): Promise<void> {
  const { clinicId, userId } = session;
  await inTransaction(withinClinic(ports.database, clinicId), async (sql) => {
    if (!(await deletePasskey(sql, { clinicId, userId, credentialId }))) return;
    await recordAudit(sql, session, { action: 'passkey.removed', subject: `user:${userId}`, at: ports.clock() });
  });
}
