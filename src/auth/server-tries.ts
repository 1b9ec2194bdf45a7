/** Wrong PINs at the server: a count that nobody resets at the tablet. */
import { publicApi } from '../api/client.ts';
import type { ClinicDatabase } from '../db/database.ts';
import { workerToken } from '../session/mirror.ts';

/** A server that does not answer makes nobody wait for long. */
const timeoutMs = 1_500;

interface PinTry {
  userId: number;
  /** Counts the try. */
  failed: boolean;
}

/** By person: until when the server makes the next PIN wait, asked for while it is typed. An answer is for one PIN. */
const askedAhead = new Map<number, Promise<number>>();

/** Asks the server while somebody types, so that the last digit does not wait for the network. */
export function askAhead(db: ClinicDatabase, nowMs: number, userId: number): void {
  if (askedAhead.has(userId)) return;
  const untilMs = ask(db, nowMs, { userId, failed: false }).then((waitMs) => nowMs + waitMs);
  askedAhead.set(userId, untilMs);
}

/** Returns how long a person's PIN has to wait by the server's count, in milliseconds; 0 without an answer. */
export async function serverWait(db: ClinicDatabase, nowMs: number, pinTry: PinTry): Promise<number> {
  const { userId, failed } = pinTry;
  const ahead = askedAhead.get(userId);
  askedAhead.delete(userId);
  if (failed || !ahead) return ask(db, nowMs, pinTry);
  return Math.max(0, (await ahead) - nowMs);
}

async function ask(db: ClinicDatabase, nowMs: number, { userId, failed }: PinTry): Promise<number> {
  try {
    const token = await workerToken(db, nowMs);
    if (token === null || !navigator.onLine) return 0;
    const { data } = await publicApi
      .post('auth/pin-tries', {
        json: { user_id: userId, failed },
        headers: { authorization: `Bearer ${token}` },
        timeout: timeoutMs,
      })
      .json<{ data: { wait_ms: number } }>();
    return data.wait_ms;
  } catch {
    return 0;
  }
}
