/** Signs in on this device. A chunk of its own, so that the form loads without the database. */
import { db } from '#src/local-data/database.ts';
import { browserPorts } from '#src/db/ports.ts';
import * as passkeys from '#src/auth/passkey.ts';
import type { PasskeyAnswer } from '#src/auth/passkey.ts';
import { enterByPasskey } from '#src/auth/passkey-sign-in.ts';
import { signIn } from '#src/auth/sign-in.ts';
import type { Credentials, SignInAnswer } from '#src/auth/sign-in.ts';

const device = { db, ports: browserPorts };

export const signInOnDevice = (credentials: Credentials): Promise<SignInAnswer> => signIn(device, credentials);

/** Returns whether somebody can sign in here by a passkey. */
export const hasPasskeys = (): Promise<boolean> => passkeys.hasPasskeys(db, browserPorts.now());

type PasskeyRefusal = Exclude<PasskeyAnswer, { ok: true }>;

/** Signs in the person of the passkey: with the server if it answers, otherwise without. @returns null when it is done */
export async function signInByPasskey(): Promise<PasskeyRefusal | null> {
  const answer = await passkeys.verifyPasskey(db, browserPorts, { email: null, signsIn: true });
  if (!answer.ok) return answer;
  await enterByPasskey(device, answer);
  return null;
}
