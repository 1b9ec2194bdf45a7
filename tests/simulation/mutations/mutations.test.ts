import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { freshDatabase } from '../../support/database.ts';
import { drawProfile } from '../faults/profile.ts';
import type { Profile } from '../faults/profile.ts';
import { openCluster } from '../cluster/cluster.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { hooksOf, appMutations } from './app-mutations.ts';
import type { Mutation } from './app-mutations.ts';
import { serverMutations } from './server-mutations.ts';
import { seededRandom } from '../../support/random.ts';
import { simulate } from '../simulation.ts';
import type { Replacement } from './replaceable.ts';

/** The mistake that is switched on. */
const replacements = vi.hoisted(() => ({}) as Record<string, Replacement>);
const planted = vi.hoisted(() => async (real: () => Promise<object>) => {
  const { replaceable } = await import('./replaceable.ts');
  return replaceable(replacements, await real());
});

vi.mock('../../../src/db/operation-state.ts', planted);
vi.mock('../../../src/db/queued-payments.ts', planted);
vi.mock('../../../src/db/rebase.ts', planted);
vi.mock('../../../src/db/write.ts', planted);
vi.mock('../../../src/db/commands/order-draft.ts', planted);
vi.mock('../../../src/db/commands/tray.ts', planted);
vi.mock('../../../src/features/outbox/rescue/send-rescued.ts', planted);
vi.mock('../../../domain/business-day.ts', planted);
vi.mock('../../../domain/drawer/resource.ts', planted);
vi.mock('../../../domain/drawer/report.ts', planted);
vi.mock('../../../domain/order/order.ts', planted);
vi.mock('../../../domain/stock/ledger.ts', planted);
vi.mock('../../../server/db/sql.ts', planted);
vi.mock('../../../server/modules/attention/service.ts', planted);
vi.mock('../../../server/modules/audit/service.ts', planted);
vi.mock('../../../server/modules/drawers/store.ts', planted);
vi.mock('../../../server/modules/orders/effects.ts', planted);
vi.mock('../../../server/modules/orders/store.ts', planted);
vi.mock('../../../server/operations/receipts.ts', planted);

let cluster: Cluster;
beforeAll(async () => {
  cluster = await openCluster((await freshDatabase()).connectionString);
});
afterAll(() => cluster.close());

const mostSeeds = 10_000;

describe('a mistake that others have made is caught', () => {
  test.each([...appMutations, ...serverMutations])('$name', { timeout: 300_000 }, async (mutation) => {
    const { seed, violation } = await catchIt(mutation);
    console.log(`${mutation.name}: seed ${seed}: ${violation.slice(0, 120)}`);
    if (mutation.isOfSeveral) expect(await violationsWith(mutation, seed, { servers: 1 })).toEqual([]);
    // What is complained of without the mistake as well is not owed to it.
    expect((await simulate(seed, cluster, {}, profileUnder(mutation, seed))).violations).toEqual([]);
  });
});

/** Only the auditor catches: a history that breaks off has shown nothing but that it breaks off. */
async function catchIt(mutation: Mutation): Promise<{ seed: number; violation: string }> {
  for (let seed = mutation.from ?? 1; seed <= mostSeeds; seed++) {
    const [violation] = await violationsWith(mutation, seed);
    if (violation !== undefined) return { seed, violation };
  }
  throw new Error('The auditor saw nothing.');
}

async function violationsWith(mutation: Mutation, seed: number, other: Partial<Profile> = {}): Promise<string[]> {
  Object.assign(replacements, mutation.functions?.(cluster));
  try {
    return (await simulate(seed, cluster, hooksOf(mutation), { ...profileUnder(mutation, seed), ...other })).violations;
  } finally {
    for (const name of Object.keys(replacements)) delete replacements[name];
  }
}

function profileUnder({ under }: Mutation, seed: number): Profile {
  const drawn = drawProfile(seededRandom(seed, 'profile'));
  const often = <K extends string>(kinds: readonly K[] = []) =>
    Object.fromEntries(kinds.map((kind) => [kind, 4])) as Partial<Record<K, number>>;
  return {
    ...drawn,
    ...under?.day,
    networkFaults: { ...drawn.networkFaults, ...often(under?.networkFaults) },
    incidents: { ...drawn.incidents, ...often(under?.incidents) },
  };
}
