import { db } from '../local-data/database.ts';
import { lendSession } from '../session/mirror.ts';
import { requestSync } from './sync-host.ts';

/**
 * Continues sending with another person's session of this device, if there is one, while sending waits for a sign-in.
 */
export async function sendAsAnother(): Promise<void> {
  if (await lendSession(db, Date.now())) requestSync('signed-in');
}
