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
vi.mock('../../domain/drawer/resource.ts', planted);
vi.mock('../../domain/drawer/report.ts', planted);
vi.mock('../../domain/order/order.ts', planted);
vi.mock('../../domain/stock/ledger.ts', planted);
vi.mock('../../server/db/sql.ts', planted);
vi.mock('../../server/modules/attention/service.ts', planted);
vi.mock('../../server/modules/audit/service.ts', planted);
vi.mock('../../server/modules/drawers/store.ts', planted);
vi.mock('../../server/modules/orders/effects.ts', planted);
vi.mock('../../server/modules/orders/store.ts', planted);
vi.mock('../../server/operations/receipts.ts', planted);

let house: House;
beforeAll(async () => {
  house = await openHouse((await freshDatabase()).connectionString);
});
afterAll(() => house.close());

const mostSeeds = 10_000;

describe('a mistake that others have made is caught', () => {
  test.each([...plantedInApp, ...plantedOnServer])('$name', { timeout: 300_000 }, async (bug) => {
    const { seed, complaint } = await catchIt(bug);
    console.log(`${bug.name}: seed ${seed}: ${complaint.slice(0, 120)}`);
    if (bug.isOfSeveral) expect(await complaintsWith(bug, seed, { servers: 1 })).toEqual([]);
    // What is complained of without the mistake as well is not owed to it.
    expect((await simulate(seed, house, {}, profileUnder(bug, seed))).complaints).toEqual([]);
  });
});

/** Only the auditor catches: a history that breaks off has shown nothing but that it breaks off. */
async function catchIt(bug: PlantedBug): Promise<{ seed: number; complaint: string }> {
  for (let seed = bug.from ?? 1; seed <= mostSeeds; seed++) {
    const [complaint] = await complaintsWith(bug, seed);
    if (complaint !== undefined) return { seed, complaint };
  }
  throw new Error('The auditor saw nothing.');
}

async function complaintsWith(bug: PlantedBug, seed: number, other: Partial<Profile> = {}): Promise<string[]> {
  Object.assign(replacements, bug.functions?.(house));
  try {
    return (await simulate(seed, house, engineeringOf(bug), { ...profileUnder(bug, seed), ...other })).complaints;
  } finally {
    for (const name of Object.keys(replacements)) delete replacements[name];
  }
}

function profileUnder({ under }: PlantedBug, seed: number): Profile {
  const drawn = drawProfile(chanceOf(seed, 'profile'));
  const often = <K extends string>(kinds: readonly K[] = []) =>
    Object.fromEntries(kinds.map((kind) => [kind, 4])) as Partial<Record<K, number>>;
  return {
    ...drawn,
    ...under?.day,
    fates: { ...drawn.fates, ...often(under?.fates) },
    incidents: { ...drawn.incidents, ...often(under?.incidents) },
  };
}
