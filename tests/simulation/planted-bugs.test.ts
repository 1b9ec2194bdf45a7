import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { freshDatabase } from '../support/database.ts';
import { drawProfile } from './faults.ts';
import type { Profile } from './faults.ts';
import { openHouse } from './house.ts';
import type { House } from './house.ts';
import { engineeringOf, plantedInApp } from './planted-bugs.ts';
import type { PlantedBug } from './planted-bugs.ts';
import { plantedOnServer } from './planted-on-server.ts';
import { chanceOf } from './random.ts';
import { simulate } from './shift.ts';
import type { Replacement } from './switchable.ts';

/** The mistake that is switched on. */
const replacements = vi.hoisted(() => ({}) as Record<string, Replacement>);
const planted = vi.hoisted(() => async (real: () => Promise<object>) => {
  const { switchable } = await import('./switchable.ts');
  return switchable(replacements, await real());
});

vi.mock('../../src/db/operation-state.ts', planted);
vi.mock('../../src/db/queued-payments.ts', planted);
vi.mock('../../src/db/rebase.ts', planted);
vi.mock('../../src/db/write.ts', planted);
vi.mock('../../src/db/commands/order-draft.ts', planted);
vi.mock('../../src/db/commands/tray.ts', planted);
vi.mock('../../src/features/outbox/rescue/send-rescued.ts', planted);
vi.mock('../../domain/business-day.ts', planted);
vi.mock('../../domain/drawer/document.ts', planted);
vi.mock('../../domain/drawer/report.ts', planted);
vi.mock('../../domain/order/order.ts', planted);
vi.mock('../../domain/stock/ledger.ts', planted);
vi.mock('../../server/db/sql.ts', planted);
vi.mock('../../server/modules/attention/service.ts', planted);
vi.mock('../../server/modules/audit/service.ts', planted);
vi.mock('../../server/modules/drawers/store.ts', planted);
vi.mock('../../server/modules/orders/store.ts', planted);
vi.mock('../../server/modules/sync/receipts.ts', planted);

let house: House;
beforeAll(async () => {
  house = await openHouse((await freshDatabase()).connectionString);
});
afterAll(() => house.close());

const mostSeeds = 10_000;

describe('a mistake that others have made is caught', () => {
  test.each([...plantedInApp, ...plantedOnServer])('$name', { timeout: 300_000 }, async (bug) => {
    Object.assign(replacements, bug.functions?.(house));
    try {
      const { seed, complaint } = await catchIt(bug);
      console.log(`${bug.name}: seed ${seed}: ${complaint.slice(0, 120)}`);
      expect(seed).toBeLessThanOrEqual(mostSeeds);
      if (bug.isOfSeveral) expect((await simulate(seed, house, engineeringOf(bug), { ...profileUnder(bug, seed), servers: 1 })).complaints).toEqual([]);
    } finally {
      for (const name of Object.keys(replacements)) delete replacements[name];
    }
  });
});

async function catchIt(bug: PlantedBug): Promise<{ seed: number; complaint: string }> {
  const { from = 1 } = bug;
  for (let seed = from; seed <= mostSeeds; seed++) {
    try {
      const { complaints } = await simulate(seed, house, engineeringOf(bug), profileUnder(bug, seed));
      if (complaints[0]) return { seed, complaint: complaints[0] };
    } catch (error) {
      return { seed, complaint: `broke off: ${String(error)}` };
    }
  }
  return { seed: Number.POSITIVE_INFINITY, complaint: '' };
}

function profileUnder({ under, isOfSeveral }: PlantedBug, seed: number): Profile {
  const drawn = drawProfile(chanceOf(seed, 'profile'));
  const often = <K extends string>(kinds: readonly K[] = []) => Object.fromEntries(kinds.map((kind) => [kind, 4])) as Partial<Record<K, number>>;
  return { ...drawn, servers: isOfSeveral ? 4 : drawn.servers, fates: { ...drawn.fates, ...often(under?.fates) }, incidents: { ...drawn.incidents, ...often(under?.incidents) } };
}
