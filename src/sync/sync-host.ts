/**
 * Triggers synchronisation (SYNC-13): after each write, when the network or the person returns, on a poke from the
 * server, and every 20 s while the page is visible. The worker does the work; if no worker can run, the page loads its
 * engine.
 */
import { pokeWorker } from '../db/worker-messages.ts';
import type { SyncReason } from '../db/worker-messages.ts';
import { db } from '../local-data/database.ts';
import { undisturbed } from '../local-data/transactions.ts';
import { useWorker } from './worker-state.ts';

const pollMs = 20_000;

type Engine = ReturnType<typeof import('#sw/sync/browser-engine.ts').createBrowserEngine>;
let standIn: Promise<Engine> | null = null;

async function pageEngine(): Promise<Engine> {
  const { createBrowserEngine } = await import('#sw/sync/browser-engine.ts');
  return createBrowserEngine(db, { host: 'page', undisturbed });
}

/** Requests a synchronisation, which is cheap if there is nothing to send or fetch. */
export function requestSync(reason: SyncReason): void {
  if (useWorker.getState().host !== 'page') {
    pokeWorker(reason);
    return;
  }
  standIn ??= pageEngine();
  // The next request loads the code again if it failed to load.
  void standIn.then(
    (engine) => engine.run(reason),
    () => (standIn = null),
  );
}

/** Triggers synchronisation while somebody is signed in. @returns a function that stops this */
export function startSyncHost(): () => void {
  const end = new AbortController();
  const { signal } = end;
  const whileVisible = (reason: SyncReason) => () => {
    if (document.visibilityState === 'visible') requestSync(reason);
  };
  addEventListener('online', () => requestSync('online'), { signal });
  // The event alone proves nothing; a request finds out whether the server answers.
  addEventListener('offline', () => requestSync('visible'), { signal });
  document.addEventListener('visibilitychange', whileVisible('visible'), { signal });
  const timer = setInterval(whileVisible('timer'), pollMs);
  // What follows the server only shortens the wait for the timer, so it loads after the first page.
  void import('./follow-server.ts')
    .then(({ followServer }) => followServer({ db, requestSync, signal }))
    .catch(() => undefined);
  requestSync('signed-in');
  // If no worker can run, which is only known now, the page has to synchronise.
  const stopWaiting = useWorker.subscribe(({ host }, before) => {
    if (host === 'page' && before.host !== 'page') requestSync('signed-in');
  });
  return () => {
    stopWaiting();
    clearInterval(timer);
    end.abort();
  };
}
