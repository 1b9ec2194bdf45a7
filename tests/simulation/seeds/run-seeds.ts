import { addCounts } from '../runtime/history.ts';
import type { Counts } from '../runtime/history.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { simulate } from '../simulate.ts';

export interface SeedsOutcome {
  counts: Counts;
  /** The first history with a violation, in full, with the command that repeats it. */
  failure: string | null;
}

/** Runs histories in sequence up to the first violation. */
export async function runSeeds(
  cluster: Cluster,
  { from, count }: { from: number; count: number },
  onSeed: (seed: number) => void = () => undefined,
): Promise<SeedsOutcome> {
  const counts: Counts = new Map();
  for (let seed = from; seed < from + count; seed++) {
    const failure = await runSeed(cluster, seed, counts);
    if (failure !== null) return { counts, failure };
    onSeed(seed);
  }
  return { counts, failure: null };
}

async function runSeed(cluster: Cluster, seed: number, counts: Counts): Promise<string | null> {
  try {
    const { history, violations } = await simulate(seed, cluster);
    addCounts(counts, history.counts);
    if (violations.length === 0) return null;
    return `${history.toString()}\n\n${violations.join('\n')}\n\nRepeat it with: npm run sim -- --seed ${seed}`;
  } catch (error) {
    return `Seed ${seed} threw: ${describe(error)}\n\nRepeat it with: npm run sim -- --seed ${seed}`;
  }
}

export const formatCounts = (counts: Counts): string =>
  [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([kind, times]) => `${kind}: ${times}`)
    .join('\n');

/** Reading the stack of a Dexie error may itself throw. */
function describe(error: unknown): string {
  try {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  } catch {
    return String(error);
  }
}
