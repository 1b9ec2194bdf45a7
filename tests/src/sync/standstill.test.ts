import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { engineChannel } from '#src/db/engine-messages.ts';
import type { EngineMessage } from '#src/db/engine-messages.ts';
import { stubLocalStorage } from '#tests/support/local-storage.ts';

stubLocalStorage();
const { useStandstill, watchStandstills } = await import('#src/sync/standstill.ts');

let engine: BroadcastChannel;
let end: AbortController;
beforeEach(() => {
  useStandstill.setState({ last: null });
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  engine = new BroadcastChannel(engineChannel);
  end = new AbortController();
  watchStandstills(end.signal);
});
afterEach(() => {
  end.abort();
  engine.close();
});

const step = { name: 'POST /sync/batch', sinceMs: 5 };

test.each<[string, EngineMessage, object | null]>([
  [
    'a call that has no answer',
    { type: 'standstill', step, host: 'worker' },
    { host: 'worker', call: 'POST /sync/batch' },
  ],
  ['a lock that was taken', { type: 'taken', host: 'page' }, { host: 'page', call: null }],
  ['a holder that answers', { type: 'holder', host: 'page', heldSinceMs: 5, steps: [step] }, null],
])('SYNC-13 the device remembers what stood still: %s', async (_what, message, expected) => {
  const heard = new Promise((resolve) => {
    const listener = new BroadcastChannel(engineChannel);
    listener.addEventListener('message', () => {
      listener.close();
      resolve(null);
    });
  });
  engine.postMessage(message);
  await heard;
  const { last } = useStandstill.getState();
  if (expected === null) expect(last).toBeNull();
  else expect(last).toMatchObject({ ...expected, atMs: expect.any(Number) });
});
