/** Begins the session of a person whose passkey has opened their vault. */
import type { PasskeyAssertion } from '#domain/protocol/sync.ts';
import { publicApi } from '../api/client.ts';
import { begin } from './sign-in.ts';
import type { Device, SignedIn } from './sign-in.ts';
import { enter } from './unlock.ts';
import type { Vouched } from './verifier.ts';

/** Enters by a passkey: with a new session of the server if there is a proof for it, otherwise with what the vault has. */
export async function enterByPasskey(
  device: Device,
  answer: Vouched & { proof?: PasskeyAssertion | undefined },
): Promise<void> {
  const { proof } = answer;
  if (!proof || !(await signInByPasskey(device, answer, proof))) await enter(device.db, answer, device.ports.now());
}

/** @returns false if the server does not answer or does not accept the proof: then the vault opens without it */
async function signInByPasskey(device: Device, { row, key }: Vouched, proof: PasskeyAssertion): Promise<boolean> {
  const known = await device.db.device.get('this');
  if (!known) return false;
  const json = { device_id: known.device_id, device_key: known.device_key, ...proof };
  try {
    const { data } = await publicApi.post('users/login/passkey', { json }).json<{ data: SignedIn }>();
    const { password, pin, passkey, actor } = row;
    return (await begin(device, data, async () => ({ key, password, pin, passkey, actor }))).ok;
  } catch {
    return false;
  }
}
