import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshDatabase } from '../support/database.ts';
import { openHouse } from './house.ts';
import type { House } from './house.ts';
import { simulate } from './shift.ts';
let house: House;
beforeAll(async () => { const { connectionString } = await freshDatabase(); house = await openHouse(connectionString); });
afterAll(() => house.close());
test('one', async () => {
  const a = await simulate(1, house);
  const b = await simulate(1, house);
  console.log(a.history.toString());
  expect(b.history.toString()).toBe(a.history.toString());
}, 60000);
test('many', async () => {
  const start = performance.now();
  const n = 60;
  for (let s = 2; s < 2+n; s++) { try { const {complaints} = await simulate(s, house); if (complaints.length) console.log(s, complaints);} catch (e) { console.log('seed', s, e); } }
  console.log((performance.now()-start)/n, 'ms per seed');
}, 200000);
