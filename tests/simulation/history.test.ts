import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshDatabase } from '../support/database.ts';
import { openHouse } from './house.ts';
import type { House } from './house.ts';
import { simulate } from './shift.ts';

let house: House;
beforeAll(async () => {
  house = await openHouse((await freshDatabase()).connectionString);
});
afterAll(() => house.close());

describe('a simulated history', () => {
  test.each([3, 14, 159, 2653, 58_979])('seed %i is told twice in the same words', { timeout: 60_000 }, async (seed) => {
    const [first, second] = [await simulate(seed, house), await simulate(seed, house)];
    expect(second.history.toString()).toBe(first.history.toString());
    expect(second.history.digest()).toBe(first.history.digest());
  });
});
