import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { announceInput, watchInput } from '#src/db/people-first.ts';

let page: EventTarget;
let now = 0;
const channels: Channel[] = [];

/** Delivers messages to the other channels at once. */
class Channel extends EventTarget {
  constructor() {
    super();
    channels.push(this);
  }
  postMessage(): void {
    for (const each of channels) if (each !== this) each.dispatchEvent(new Event('message'));
  }
  close(): void {
    channels.splice(channels.indexOf(this), 1);
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  page = new EventTarget();
  channels.length = 0;
  vi.stubGlobal('BroadcastChannel', Channel);
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

async function pass(ms: number): Promise<void> {
  now += ms;
  await vi.advanceTimersByTimeAsync(ms);
}

/** Returns a function that tells whether the engine goes on. */
function asked(quiet: () => Promise<void>): () => boolean {
  let goesOn = false;
  void quiet().then(() => (goesOn = true));
  return () => goesOn;
}

test('the engine goes on at once while nobody taps or types', async () => {
  const goesOn = asked(watchInput());
  await pass(0);
  expect(goesOn()).toBe(true);
});

test.each(['pointerdown', 'keydown'])('after a %s the engine waits for a moment', async (type) => {
  const quiet = watchInput();
  announceInput();
  page.dispatchEvent(new Event(type));
  const goesOn = asked(quiet);
  await pass(100);
  expect(goesOn()).toBe(false);
  await pass(20);
  expect(goesOn()).toBe(true);
});

test('somebody who types on and on holds the engine back for a second at most', async () => {
  const quiet = watchInput();
  announceInput();
  page.dispatchEvent(new Event('keydown'));
  const goesOn = asked(quiet);
  for (let key = 0; key < 9; key++) {
    await pass(100);
    page.dispatchEvent(new Event('keydown'));
  }
  expect(goesOn()).toBe(false);
  await pass(100);
  expect(goesOn()).toBe(true);
});

test('a page that left the counter announces nothing', async () => {
  const quiet = watchInput();
  announceInput()();
  page.dispatchEvent(new Event('keydown'));
  const goesOn = asked(quiet);
  await pass(0);
  expect(goesOn()).toBe(true);
});
