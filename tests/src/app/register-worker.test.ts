import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { askForUpdates, watchForUpdates } from '#src/app/register-worker.ts';
import { useWorker } from '#src/sync/worker-state.ts';

type Slot = 'installing' | 'waiting' | 'active';

/** A worker and its place in a registration, which the browser changes. */
class Registration extends EventTarget {
  installing: EventTarget | null = null;
  waiting: EventTarget | null = null;
  active: EventTarget | null = null;

  /** A worker begins to install. */
  found(): EventTarget {
    this.installing = new EventTarget();
    this.dispatchEvent(new Event('updatefound'));
    return this.installing;
  }

  move(worker: EventTarget, to: Slot | 'redundant'): void {
    for (const slot of ['installing', 'waiting', 'active'] as const) if (this[slot] === worker) this[slot] = null;
    if (to !== 'redundant') this[to] = worker;
    worker.dispatchEvent(new Event('statechange'));
  }
}

const watched = () => {
  const registration = new Registration();
  watchForUpdates(registration as unknown as ServiceWorkerRegistration);
  return registration;
};
const isOffered = () => useWorker.getState().waiting !== null;

beforeEach(() => useWorker.setState({ waiting: null }));

test('the first version is not offered while it passes through the state of a waiting one', () => {
  const registration = watched();
  const first = registration.found();
  registration.move(first, 'waiting');
  expect(isOffered()).toBe(false);
  registration.move(first, 'active');
  expect(isOffered()).toBe(false);
});

test('a version is offered from its install until it takes over, also after installs that broke off', () => {
  const registration = watched();
  registration.move(registration.found(), 'active');
  for (let attempt = 0; attempt < 3; attempt++) registration.move(registration.found(), 'redundant');
  expect(isOffered()).toBe(false);
  const next = registration.found();
  registration.move(next, 'waiting');
  expect(isOffered()).toBe(true);
  registration.move(next, 'active');
  expect(isOffered()).toBe(false);
});

test('a version that waited before the page opened is offered at once', () => {
  const registration = new Registration();
  registration.active = new EventTarget();
  registration.waiting = new EventTarget();
  watchForUpdates(registration as unknown as ServiceWorkerRegistration);
  expect(isOffered()).toBe(true);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a page that stays visible asks for a new version within each minute, and a hidden one does not', async () => {
  vi.useFakeTimers();
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  vi.stubGlobal('document', page);
  const update = vi.fn(() => Promise.reject(new Error('There is no network.')));
  askForUpdates({ update } as unknown as ServiceWorkerRegistration);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(update).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(update).toHaveBeenCalledTimes(2);
  page.visibilityState = 'hidden';
  await vi.advanceTimersByTimeAsync(300_000);
  expect(update).toHaveBeenCalledTimes(2);
  page.visibilityState = 'visible';
  page.dispatchEvent(new Event('visibilitychange'));
  expect(update).toHaveBeenCalledTimes(3);
});
