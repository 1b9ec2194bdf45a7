/** Many histories in a row, up to the first that the auditor does not accept. */
import { addCounts } from '../runtime/history.ts';
import type { Counts } from '../runtime/history.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { simulate } from '../simulation.ts';

export interface SeedsOutcome {
  counts: Counts;
  /** The first history that went wrong, told in full, with the command that repeats it. */
  failure: string | null;
}

export async function runSeeds(
  cluster: Cluster,
  { from, count }: { from: number; count: number },
  onSeed: (seed: number) => void = () => undefined,
): Promise<SeedsOutcome> {
  const counts: Counts = new Map();
  for (let seed = from; seed < from + count; seed++) {
    const failure = await tryOne(cluster, seed, counts);
    if (failure !== null) return { counts, failure };
    onSeed(seed);
  }
  return { counts, failure: null };
}

async function tryOne(cluster: Cluster, seed: number, counts: Counts): Promise<string | null> {
  try {
    const { history, violations } = await simulate(seed, cluster);
    addCounts(counts, history.counts);
    if (violations.length === 0) return null;
    return `${history.toString()}\n\n${violations.join('\n')}\n\nRepeat it with: npm run sim -- --seed ${seed}`;
  } catch (error) {
    return `Seed ${seed} broke off: ${told(error)}\n\nRepeat it with: npm run sim -- --seed ${seed}`;
  }
}

export const formatCounts = (counts: Counts): string =>
  [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([kind, times]) => `${kind}: ${times}`)
    .join('\n');

/** Dexie's own errors cannot always tell their stack. */
function told(error: unknown): string {
  try {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  } catch {
    return String(error);
  }
}
