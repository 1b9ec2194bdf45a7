/**
 * The token in the cookie. It reaches all that its person may do, as long as the server counts the session as unlocked: until
 * the app locks, or until the app has not asked for ten minutes. The token of the sign-in, which asks, is never in a cookie.
 */
import { signInToken } from './keys.ts';
import { tellLocked, useSession } from './session.ts';
import { writeCookie } from './cookie.ts';
import { noticed } from './waiting.ts';

/** `refused`: the session has ended, or nobody uses it here. */
export type Renewal = 'renewed' | 'refused' | 'unreachable';

const timeoutMs = 30_000;
let running: Promise<Renewal> | null = null;

/** Continues the unlock at the server, and stores its token. */
export function renewPageToken(): Promise<Renewal> {
  running ??= renew().finally(() => (running = null));
  return running;
}

async function renew(): Promise<Renewal> {
  const before = useSession.getState().user?.id;
  const token = await signInToken();
  if (token === null) return 'refused';
  try {
    const response = await noticed(
      fetch('/api/auth/unlock', {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        cache: 'no-store',
        signal: AbortSignal.timeout(timeoutMs),
      }),
    );
    if (response.status === 401) return 'refused';
    if (!response.ok) return 'unreachable';
    const { data } = (await response.json()) as { data: { token: string } };
    const now = useSession.getState();
    if (now.locked || now.user?.id !== before) {
      tellLocked(data.token);
      return 'refused';
    }
    writeCookie(data.token);
    return 'renewed';
  } catch {
    return 'unreachable';
  }
}
