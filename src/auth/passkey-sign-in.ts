/** Signs in at the server by a passkey that has opened its person's vault. */
import type { PasskeyAssertion } from '../../domain/protocol/sync.ts';
import { publicApi } from '../api/client.ts';
import { begin } from './sign-in.ts';
import type { Device, SignedIn } from './sign-in.ts';
import type { Vouched } from './verifier.ts';

/** @returns false if the server does not answer or does not accept the proof: then the vault opens without it */
export async function signInByPasskey(
  device: Device,
  { row, key }: Vouched,
  proof: PasskeyAssertion,
): Promise<boolean> {
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
