import type { InjectOptions } from 'fastify';
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

/** The same server behind a slow and fitful database. */
const slowed = (): House => ({ ...house, app: Object.assign(Object.create(house.app) as House['app'], { inject: slowInject }), ask: slowAsk });

const slowInject = (async (request: InjectOptions) => {
  await aWhile();
  const reply = await house.app.inject(request);
  await aWhile();
  return reply;
}) as House['app']['inject'];

const slowAsk: House['ask'] = async (text, values) => {
  await aWhile();
  return house.ask(text, values);
};

/** Real time, and a different one each time: none of it may show. */
const aWhile = () => new Promise((resolve) => setTimeout(resolve, Math.random() * 4));

describe('a simulated history', () => {
  test.each([3, 14, 18, 19, 159, 2653, 58_979])('seed %i is told twice in the same words, however slow the database', { timeout: 60_000 }, async (seed) => {
    const [first, second] = [await simulate(seed, house), await simulate(seed, slowed())];
    expect(second.history.toString()).toBe(first.history.toString());
    expect(second.history.digest()).toBe(first.history.digest());
  });
});
