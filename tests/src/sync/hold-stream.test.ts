import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { holdStream } from '#src/sync/hold-stream.ts';

/** The locks of a browser. A tab that is closed gives its lock back when its work has ended. */
class Locks {
  private holder: { lose: (reason: unknown) => void } | null = null;
  private readonly queue: (() => void)[] = [];

  request = (
    _name: string,
    { ifAvailable = false, steal = false, signal }: LockOptions,
    work: (lock: object | null) => unknown,
  ): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const own = { lose: reject };
      const start = () => {
        this.holder = own;
        void Promise.resolve(work({})).then((value) => {
          resolve(value);
          if (this.holder !== own) return;
          this.holder = null;
          this.queue.shift()?.();
        });
      };
      if (steal) {
        this.holder?.lose(new DOMException('stolen', 'AbortError'));
        start();
      } else if (!this.holder) start();
      else if (ifAvailable) resolve(work(null));
      else {
        this.queue.push(start);
        signal?.addEventListener('abort', () => {
          const place = this.queue.indexOf(start);
          if (place >= 0) this.queue.splice(place, 1);
          reject(signal.reason);
        });
      }
    });
}

/** A broadcast channel without the delays of a real one. */
class Channel extends EventTarget {
  private static readonly open = new Set<Channel>();

  constructor(private readonly name: string) {
    super();
    Channel.open.add(this);
  }

  postMessage(data: unknown): void {
    const others = [...Channel.open].filter((other) => other !== this && other.name === this.name);
    queueMicrotask(() => {
      for (const other of others)
        if (Channel.open.has(other)) other.dispatchEvent(new MessageEvent('message', { data }));
    });
  }

  close(): void {
    Channel.open.delete(this);
  }
}

class Page extends EventTarget {
  visibilityState: DocumentVisibilityState = 'visible';
}

interface Tab {
  /** One entry for each turn: whether pokes may have been missed. */
  turns: boolean[];
  isHolding: boolean;
  show(state: DocumentVisibilityState): void;
  close(): void;
}

const open = new Set<AbortController>();

function openTab(): Tab {
  const end = new AbortController();
  open.add(end);
  const page = new Page();
  const tab: Tab = {
    turns: [],
    isHolding: false,
    show: (state) => {
      page.visibilityState = state;
      page.dispatchEvent(new Event('visibilitychange'));
    },
    close: () => end.abort(),
  };
  const follow = (turn: { signal: AbortSignal; isTakenOver: boolean }) => {
    tab.turns.push(turn.isTakenOver);
    tab.isHolding = true;
    return new Promise<void>((resolve) =>
      turn.signal.addEventListener('abort', () => {
        tab.isHolding = false;
        resolve();
      }),
    );
  };
  holdStream(follow, end.signal, page);
  return tab;
}

const holders = (tabs: readonly Tab[]) => tabs.map(({ isHolding }) => isHolding);
/** Longer than a tab takes to notice that the holder is gone. */
const seconds = () => vi.advanceTimersByTimeAsync(8000);

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('BroadcastChannel', Channel);
  vi.stubGlobal('navigator', { locks: new Locks() });
});
afterEach(() => {
  for (const end of open) end.abort();
  open.clear();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('SYNC-9 the stream of a browser', () => {
  test('is held by one of seven tabs, and by the next one as soon as that closes', async () => {
    const tabs = Array.from({ length: 7 }, openTab);
    await seconds();
    expect(holders(tabs)).toEqual([true, false, false, false, false, false, false]);
    expect(tabs[0]!.turns).toEqual([false]);
    tabs[0]!.close();
    await vi.advanceTimersByTimeAsync(0);
    expect(holders(tabs)).toEqual([false, true, false, false, false, false, false]);
    expect(tabs[1]!.turns).toEqual([true]);
  });

  test('is taken by one tab from another that holds the lock and does not answer', async () => {
    let isStolen = false;
    void navigator.locks.request('', {}, () => new Promise(() => undefined)).catch(() => (isStolen = true));
    const tabs = [openTab(), openTab()];
    await vi.advanceTimersByTimeAsync(1000);
    expect(holders(tabs)).toEqual([false, false]);
    await seconds();
    expect(holders(tabs).filter(Boolean)).toHaveLength(1);
    expect(isStolen).toBe(true);
  });

  test('goes to the tab that is seen', async () => {
    const [first, second] = [openTab(), openTab()];
    await seconds();
    first.show('hidden');
    await seconds();
    expect(holders([first, second])).toEqual([false, true]);
    second.show('hidden');
    first.show('visible');
    await vi.advanceTimersByTimeAsync(0);
    expect(holders([first, second])).toEqual([true, false]);
    expect(first.turns).toEqual([false, true]);
  });

  test('stays where it is while nobody sees another tab', async () => {
    const [first, second] = [openTab(), openTab()];
    second.show('hidden');
    first.show('hidden');
    await seconds();
    expect([first.turns, second.turns]).toEqual([[false], []]);
  });

  test('is asked for now and then in a page that gets no lock, as one that the browser is about to close', async () => {
    let requests = 0;
    const request = () => {
      requests += 1;
      // A loop of microtasks would never end.
      return requests > 100 ? new Promise(() => undefined) : Promise.reject(new DOMException('', 'InvalidStateError'));
    };
    vi.stubGlobal('navigator', { locks: { request } });
    const tab = openTab();
    await seconds();
    expect(requests).toBeLessThanOrEqual(8);
    expect(tab.turns).toEqual([]);
  });

  test('is held again after a failure of the storage, and not in a loop', async () => {
    let calls = 0;
    const end = new AbortController();
    open.add(end);
    const follow = () => {
      calls += 1;
      return Promise.reject(new Error('the database is closed'));
    };
    holdStream(follow, end.signal, new Page());
    await seconds();
    expect(calls).toBeGreaterThanOrEqual(2);
    expect(calls).toBeLessThanOrEqual(3);
  });
});

describe('SYNC-9 the stream of a browser without locks', () => {
  beforeEach(() => vi.stubGlobal('navigator', {}));

  test('is held by one tab, and by another within seconds after that has closed', async () => {
    const tabs = [openTab(), openTab(), openTab()];
    await vi.advanceTimersByTimeAsync(60_000);
    expect(holders(tabs).filter(Boolean)).toHaveLength(1);
    const holder = tabs.find(({ isHolding }) => isHolding)!;
    holder.close();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(holders(tabs).filter(Boolean)).toHaveLength(1);
    expect(holder.isHolding).toBe(false);
  });
});
