import { focusManager, onlineManager, QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { CallFailed } from '#src/api/client.ts';
import { loadMissing, queryClient } from '#src/server-data/use-server-data.ts';
import { eventually } from '#tests/support/eventually.ts';

/** The database watches the page, of which Node has none. */
vi.hoisted(() => void ((globalThis as { addEventListener?: unknown }).addEventListener ??= () => undefined));

const outage = new CallFailed({ code: 'UNAVAILABLE', message: '' });
const refusal = new CallFailed({ code: 'NOT_FOUND', message: '' });
const loaded = { value: 1, at: 1000, fresh: true };

const endings: (() => void)[] = [];
afterEach(() => {
  for (const end of endings.splice(0)) end();
  queryClient.clear();
  onlineManager.setOnline(true);
  focusManager.setFocused(undefined);
});

/** Shows a page whose call has failed. @returns its further calls, which succeed */
async function showFailed(name: string, error: CallFailed, options: { initialData?: typeof loaded } = {}) {
  const call = vi.fn(() => Promise.resolve(loaded)).mockRejectedValueOnce(error);
  const page = new QueryObserver(queryClient, { queryKey: [name], queryFn: call, retry: false, ...options });
  endings.push(page.subscribe(() => {}));
  await eventually(() => expect(page.getCurrentResult().error).toBe(error));
  call.mockClear();
  return call;
}

test('a page that an outage left without data loads once the engine reaches the server, and no other page does', async () => {
  const empty = await showFailed('rooms', outage);
  const refused = await showFailed('staff', refusal);
  const filled = await showFailed('stock', outage, { initialData: { ...loaded, fresh: false } });
  onlineManager.setOnline(false);
  await loadMissing();
  expect(empty).not.toHaveBeenCalled();

  onlineManager.setOnline(true);
  await loadMissing();
  await loadMissing();
  expect(empty).toHaveBeenCalledOnce();
  expect(queryClient.getQueryData(['rooms'])).toEqual(loaded);
  expect([refused, filled].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
});

test.each([
  ['59 seconds', 59_000, 0],
  ['61 seconds', 61_000, 1],
])(
  'data of %s ago are asked for again on focus, on a reconnection and by a page that opens: %s ms, %s time',
  async (_age, ageMs, times) => {
    const triggers = {
      focus: () => {
        focusManager.setFocused(false);
        focusManager.setFocused(true);
      },
      reconnection: () => {
        onlineManager.setOnline(false);
        onlineManager.setOnline(true);
      },
    };
    queryClient.mount();
    endings.push(() => queryClient.unmount());
    for (const [name, trigger] of [...Object.entries(triggers), ['opening', () => undefined] as const]) {
      const call = vi.fn(() => Promise.resolve(loaded));
      const options = { queryKey: [name], queryFn: call, retry: false };
      const page = new QueryObserver(queryClient, {
        ...options,
        initialData: loaded,
        initialDataUpdatedAt: Date.now() - ageMs,
        refetchOnMount: name === 'opening',
      });
      endings.push(page.subscribe(() => {}));
      trigger();
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect([name, call.mock.calls.length]).toEqual([name, times]);
    }
  },
);
