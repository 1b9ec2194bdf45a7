import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SyncReason } from '#src/db/worker-messages.ts';
import { stubBrowser } from '../session/browser.ts';
import { eventually } from '#tests/support/eventually.ts';

const engineCode = '../../../sw/sync/browser-engine.ts';
const later = () => new Promise((end) => setTimeout(end, 20));
const ran: SyncReason[] = [];

/** Returns a page that runs the engine itself because it has no worker. Each test loads its code anew. */
async function pageWithoutWorker() {
  stubBrowser();
  vi.doMock('#src/local-data/database.ts', () => ({ db: {} }));
  const { useWorker } = await import('#src/sync/worker-state.ts');
  const { requestSync } = await import('#src/sync/sync-host.ts');
  useWorker.setState({ host: 'page' });
  return requestSync;
}

const engineAtHand = () =>
  vi.doMock(engineCode, () => ({
    createBrowserEngine: () => ({ run: async (reason: SyncReason) => ran.push(reason) }),
  }));

beforeEach(() => {
  vi.resetModules();
  ran.length = 0;
});

afterEach(() => {
  vi.doUnmock(engineCode);
  vi.unstubAllGlobals();
});

test('SYNC-13 the page synchronises by itself when no worker can run', async () => {
  engineAtHand();
  const requestSync = await pageWithoutWorker();
  requestSync('signed-in');
  requestSync('write');
  await eventually(() => expect(ran).toEqual(['signed-in', 'write']));
});

test('SYNC-13 the page requests the engine again at the next trigger when its code failed to load', async () => {
  vi.doMock(engineCode, () => Promise.reject(new Error('no network')));
  const requestSync = await pageWithoutWorker();
  requestSync('signed-in');
  requestSync('write');
  await later();
  expect(ran).toEqual([]);

  engineAtHand();
  requestSync('timer');
  await eventually(() => expect(ran).toEqual(['timer']));
});
