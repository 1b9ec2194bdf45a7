import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestDevice } from '#tests/support/device.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';

let server: TestServer;
beforeAll(async () => {
  const nowMs = Date.now();
  server = await startTestServer({ now: () => nowMs, environment: { REQUEST_LIMITS: '1' } });
});
afterAll(() => server.close());

/** Sends six batches of 200 operations that the server refuses: the kitchen creates no treatments. Returns the statuses. */
async function statusesOf(areNew: boolean): Promise<number[]> {
  const kitchen = await TestDevice.enrol(server, 'kitchen');
  const made = () => kitchen.signed(Array.from({ length: 200 }, () => kitchen.create()));
  const statuses: number[] = [];
  let operations = made();
  for (let sent = 0; sent < 6; sent++) {
    if (areNew && sent > 0) operations = made();
    const call = { method: 'POST', url: '/api/sync/batch', headers: kitchen.headers, payload: { operations } } as const;
    statuses.push((await server.app.inject(call)).statusCode);
  }
  return statuses;
}

test.each([
  ['new operations', true, [200, 200, 200, 429, 429, 429]],
  ['the same operations again', false, [200, 200, 200, 200, 200, 200]],
])('SYNC-6 refusals of %s count towards the budget: %s', async (_which, areNew, statuses) => {
  expect(await statusesOf(areNew)).toEqual(statuses);
});
