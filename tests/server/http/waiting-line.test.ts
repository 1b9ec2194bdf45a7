import { describe, expect, test } from 'vitest';
import { Budgets } from '#server/http/budgets.ts';

const fresh = { what: 'GET /new', via: 'another' };
const person = { clinicId: 1, userId: 2, deviceId: 3 };
/** The rate at which the budget of a person on a device fills. */
const perSecond = 20;

/** Some callers are slower than others: so much later they come back. */
const lateMs = (caller: number): number => (caller % 2 === 0 ? 0 : 200);

/** Serves callers of one token until a time. Each asks for the same again and again, and waits when it is told to. */
function serve(
  callers: number,
  seconds: number,
  { asks = (caller: number) => `GET /${caller}`, obeys = (_caller: number): boolean => true } = {},
) {
  let nowMs = Date.UTC(2026, 10, 27);
  const endMs = nowMs + seconds * 1000;
  const budgets = new Budgets(() => nowMs, true);
  const callsAt = Array.from({ length: callers }, () => nowMs);
  const served = Array.from({ length: callers }, () => 0);
  let longestWait = 0;
  // The full budget at the start says nothing of what comes after it.
  while (budgets.request(person, 'token', { what: 'GET /start', via: '' }) === 0);
  for (; nowMs < endMs; nowMs += 50)
    for (const [caller, atMs] of callsAt.entries()) {
      if (atMs > nowMs) continue;
      const asked = { what: asks(caller), via: String(caller) };
      const wait = budgets.waitOf('token', asked) || budgets.request(person, 'token', asked);
      longestWait = Math.max(longestWait, wait);
      if (wait === 0) served[caller]! += 1;
      callsAt[caller] = nowMs + (obeys(caller) ? Math.max(50, wait * 1000) + lateMs(caller) : 50);
    }
  return { served, longestWait };
}

describe('parallel callers of one token that obey what they are told', () => {
  test.each([
    ['for different things', (caller: number) => `GET /${caller}`],
    ['for the same', () => 'POST /api/sync/batch'],
  ])('are served alike when they ask %s', (_what, asks) => {
    const { served } = serve(60, 60, { asks });
    const mean = served.reduce((sum, one) => sum + one, 0) / served.length;
    expect(mean).toBeGreaterThan((0.8 * perSecond * 60) / 60);
    expect(Math.min(...served)).toBeGreaterThan(0.7 * mean);
  });

  test('are served beside one that does not obey', () => {
    const { served } = serve(30, 60, { obeys: (caller) => caller > 0 });
    expect(Math.min(...served.slice(1))).toBeGreaterThan(5);
  });

  test('wait no longer than twenty seconds, however many they are', () => {
    expect(serve(2000, 10).longestWait).toBeLessThanOrEqual(mostSeconds);
  });
});

/** As long as it takes to serve all who have a place. */
const mostSeconds = 400 / perSecond + 1;

test('who does not come back holds up nobody', () => {
  let nowMs = Date.UTC(2026, 10, 27);
  const budgets = new Budgets(() => nowMs, true);
  while (budgets.request(person, 'token', { what: 'GET /start', via: '' }) === 0);
  for (let gone = 0; gone < 1000; gone++) budgets.waitOf('token', { what: `GET /${gone}`, via: '' });
  nowMs += 30_000;
  expect(budgets.waitOf('token', fresh) || budgets.request(person, 'token', fresh)).toBe(0);
});

test('a clock that is set back turns nobody away for long', () => {
  let nowMs = Date.UTC(2026, 10, 27);
  const budgets = new Budgets(() => nowMs, true);
  while (budgets.request(person, 'token', { what: 'GET /start', via: '' }) === 0);
  nowMs -= 3_600_000;
  expect(budgets.waitOf('token', fresh)).toBeLessThanOrEqual(1);
  nowMs += 2000;
  expect(budgets.waitOf('token', fresh)).toBeLessThanOrEqual(1);
});
