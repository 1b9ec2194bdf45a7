/**
 * When to synchronise (SYNC-13): after each write, when the network or the person comes back, when the server says that
 * something changed, and every 20 s while the page is looked at. The worker does the work; where there can be none, its
 * engine is loaded into the page.
 */
import { pokeWorker } from '../db/worker-messages.ts';
import type { SyncReason } from '../db/worker-messages.ts';
import { lendSession, mirrorSession } from '../session/mirror.ts';
import { hasCurrentToken, sessionToken } from '../session/session.ts';
import { db } from '../local-data/database.ts';
import { useWorker } from './worker-state.ts';

const pollMs = 20_000;

type Engine = ReturnType<typeof import('../../sw/sync/browser-engine.ts').createBrowserEngine>;
let standIn: Promise<Engine> | null = null;

async function pageEngine(): Promise<Engine> {
  const { createBrowserEngine } = await import('../../sw/sync/browser-engine.ts');
  return createBrowserEngine(db);
}

/** Says that there may be something to send or to fetch. Costs next to nothing when there is not. */
export function requestSync(reason: SyncReason): void {
  if (useWorker.getState().host !== 'page') {
    pokeWorker(reason);
    return;
  }
  standIn ??= pageEngine();
  // Code that cannot be had is asked for again with the next reason.
  void standIn.then(
    (engine) => engine.run(reason),
    () => (standIn = null),
  );
}

/** A reload may find the session in the cookie alone: the browser can drop a database and keep the cookie. */
async function begin(): Promise<void> {
  const token = sessionToken();
  if (token) await mirrorSession(db, token);
  requestSync('signed-in');
}

/** Sending waits for a sign-in: somebody else's session that this device holds may do meanwhile. */
export async function sendAsAnother(): Promise<void> {
  if (await lendSession(db, Date.now())) requestSync('signed-in');
}

/** Watches for reasons to synchronise while somebody is signed in. @returns what ends the watch */
export function startSyncHost(): () => void {
  const end = new AbortController();
  const { signal } = end;
  const whileVisible = (reason: SyncReason) => () => {
    if (document.visibilityState === 'visible') requestSync(reason);
  };
  addEventListener('online', () => requestSync('online'), { signal });
  // Not believed, but asked: the pill says whether the server answers.
  addEventListener('offline', () => requestSync('visible'), { signal });
  document.addEventListener('visibilitychange', whileVisible('visible'), { signal });
  const timer = setInterval(whileVisible('timer'), pollMs);
  const token = () => (hasCurrentToken() ? sessionToken() : null);
  // The stream only hastens what the timer does as well, so it does not hold up the first page.
  void import('./event-stream.ts')
    .then(({ followEvents }) => followEvents({ token, onChange: () => requestSync('changes'), signal }))
    .catch(() => undefined);
  void begin();
  // Where it turns out only now that no worker can run, the page has not been asked yet.
  const stopWaiting = useWorker.subscribe(({ host }, before) => {
    if (host === 'page' && before.host !== 'page') requestSync('signed-in');
  });
  return () => {
    stopWaiting();
    clearInterval(timer);
    end.abort();
  };
}
