import { addCounts } from '../runtime/history.ts';
import type { Counts } from '../runtime/history.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { drawProfile, drawRareProfile } from '../faults/profile.ts';
import type { Profile } from '../faults/profile.ts';
import { simulate } from '../simulate.ts';
import { seededRandom } from '#tests/support/random.ts';

export interface SeedsOutcome {
  counts: Counts;
  /** The first history with a violation, in full, with the command that repeats it. */
  failure: string | null;
}

/** A range of consecutive seeds. */
export interface SeedBlock {
  from: number;
  count: number;
}

/**
 * Runs histories in sequence up to the first violation.
 *
 * @param isRare draws profiles in which rare states are frequent
 * @param begins is called before each history
 */
export async function runSeeds(
  cluster: Cluster,
  block: SeedBlock,
  { isRare = false, begins }: { isRare?: boolean; begins?: (seed: number) => void } = {},
): Promise<SeedsOutcome> {
  const counts: Counts = new Map();
  for (let seed = block.from; seed < block.from + block.count; seed++) {
    begins?.(seed);
    const failure = await runSeed(cluster, seed, isRare, counts);
    if (failure !== null) return { counts, failure };
  }
  return { counts, failure: null };
}

export function profileOf(seed: number, isRare: boolean): Profile {
  const random = seededRandom(seed, 'profile');
  return isRare ? drawRareProfile(random) : drawProfile(random);
}

async function runSeed(cluster: Cluster, seed: number, isRare: boolean, counts: Counts): Promise<string | null> {
  const repeat = `Repeat it with: npm run sim -- --seed ${seed}${isRare ? ' --rare' : ''}`;
  try {
    const { history, violations } = await simulate(seed, cluster, {}, profileOf(seed, isRare));
    addCounts(counts, history.counts);
    if (violations.length === 0) return null;
    return `${history.toString()}\n\n${violations.join('\n')}\n\n${repeat}`;
  } catch (error) {
    return `Seed ${seed} threw: ${describe(error)}\n\n${repeat}`;
  }
}

export const formatCounts = (counts: Counts): string =>
  [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([kind, times]) => `${kind}: ${times}`)
    .join('\n');

/** Reading the stack of a Dexie error may itself throw. */
export function describe(error: unknown): string {
  try {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  } catch {
    return String(error);
  }
}
