import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { freshDatabase } from '#tests/support/database.ts';
import { drawProfile } from '../faults/profile.ts';
import type { Profile } from '../faults/profile.ts';
import { openCluster } from '../cluster/cluster.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { appMutations } from './app-mutations.ts';
import { engineMutations } from './engine-mutations.ts';
import { hooksOf } from './mutation.ts';
import type { Mutation } from './mutation.ts';
import { senderMutations } from './sender-mutations.ts';
import { serverMutations } from './server-mutations.ts';
import { inLongRun } from '#tests/support/long-run.ts';
import { seededRandom } from '#tests/support/random.ts';
import { simulate } from '../simulate.ts';
import type { Replacement } from '#tests/support/replaceable.ts';

/** The replacements of the mutation under test. */
const replacements = vi.hoisted(() => ({}) as Record<string, Replacement>);
/** What can be replaced: the exports of the modules below. */
const replaceables = vi.hoisted(() => new Set<string>());
const mutable = vi.hoisted(() => async (real: () => Promise<object>) => {
  const { replaceable } = await import('#tests/support/replaceable.ts');
  const exported = await real();
  for (const name of Object.keys(exported)) replaceables.add(name);
  return replaceable(replacements, exported);
});

vi.mock('#src/db/operation-state.ts', mutable);
vi.mock('#src/db/queued-payments.ts', mutable);
vi.mock('#src/db/rebase.ts', mutable);
vi.mock('#src/db/write.ts', mutable);
vi.mock('#src/db/commands/order-draft.ts', mutable);
vi.mock('#src/db/commands/tray.ts', mutable);
vi.mock('#src/features/outbox/rescue/send-rescued.ts', mutable);
vi.mock('#domain/business-day.ts', mutable);
vi.mock('#domain/drawer/resource.ts', mutable);
vi.mock('#domain/drawer/report.ts', mutable);
vi.mock('#domain/order/flags.ts', mutable);
vi.mock('#domain/order/line-prices.ts', mutable);
vi.mock('#domain/order/order.ts', mutable);
vi.mock('#domain/order/totals.ts', mutable);
vi.mock('#domain/patient/patient.ts', mutable);
vi.mock('#domain/stock/ledger.ts', mutable);
vi.mock('#server/db/sql.ts', mutable);
vi.mock('#server/modules/attention/service.ts', mutable);
vi.mock('#server/modules/audit/service.ts', mutable);
vi.mock('#server/modules/drawers/store.ts', mutable);
vi.mock('#server/modules/fiscal/answers-store.ts', mutable);
vi.mock('#server/modules/fiscal/inquiry-store.ts', mutable);
vi.mock('#server/modules/fiscal/outcome.ts', mutable);
vi.mock('#server/modules/fiscal/queue-store.ts', mutable);
vi.mock('#server/modules/fiscal/sending-store.ts', mutable);
vi.mock('#server/modules/fiscal/store.ts', mutable);
vi.mock('#server/modules/orders/effects.ts', mutable);
vi.mock('#server/modules/orders/changes-store.ts', mutable);
vi.mock('#server/modules/orders/store.ts', mutable);
vi.mock('#server/modules/orders/usage-store.ts', mutable);
vi.mock('#server/modules/stock/service.ts', mutable);
vi.mock('#server/operations/receipts.ts', mutable);

let cluster: Cluster;
beforeAll(async () => {
  cluster = await openCluster((await freshDatabase()).connectionString);
});
afterAll(() => cluster.close());

/** Changes to the product change the histories, so a known seed may stop to show its mutation. */
const maxSeeds = 1000;
const limitMs = 300_000;
/** A search ends before its test does, because the histories of an abandoned test would run on beside those of the next one. */
const searchMs = 240_000;

const all = [...engineMutations, ...appMutations, ...serverMutations, ...senderMutations];
/** One of six proves that the checkers work; a rule that lost its checker shows in the long run. */
const chosen = inLongRun(all, { otherwise: all.filter((_, index) => index % 6 === 0) });

describe('the checkers find every mutation', () => {
  test.each(chosen)('$name', { timeout: limitMs }, async (mutation) => {
    const seed = await findSeed(mutation);
    if (seed !== (mutation.seed ?? 1))
      console.log(`${mutation.name}: seed ${mutation.seed ?? 1} no longer shows it; write down seed ${seed}`);
    if (mutation.needsSeveralServers) expect(await violationsWith(mutation, seed, { servers: 1 })).toEqual([]);
    // The same seed without the mutation must have no violation, or the mutation did not cause it.
    expect((await simulate(seed, cluster, {}, profileUnder(mutation, seed))).violations).toEqual([]);
  });
});

/** Searches for a seed in which the checkers find the mutation. An exception does not count and fails the test. */
async function findSeed(mutation: Mutation): Promise<number> {
  const first = mutation.seed ?? 1;
  const endMs = performance.now() + searchMs;
  let seed = first;
  for (; seed < first + maxSeeds && performance.now() < endMs; seed++) {
    if ((await violationsWith(mutation, seed)).length > 0) return seed;
  }
  throw new Error(`No checker found the mutation in the ${seed - first} seeds from ${first}.`);
}

async function violationsWith(mutation: Mutation, seed: number, other: Partial<Profile> = {}): Promise<string[]> {
  const functions = mutation.functions?.(cluster) ?? {};
  for (const name of Object.keys(functions))
    if (!replaceables.has(name)) throw new Error(`No module under test exports ${name}, so it is not replaced.`);
  Object.assign(replacements, functions);
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
    ...under?.profile,
    networkFaults: { ...drawn.networkFaults, ...often(under?.networkFaults) },
    incidents: { ...drawn.incidents, ...often(under?.incidents) },
  };
}
