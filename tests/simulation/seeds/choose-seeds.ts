import type { Counts } from '../runtime/history.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { runSeeds } from './run-seeds.ts';

/** A history of `seeds.test.ts`. */
export interface ChosenSeed {
  seed: number;
  /** Draws its profile from those in which rare states are frequent. */
  isRare: boolean;
}

interface PlayedSeed extends ChosenSeed {
  counts: Counts;
}

/** Returns how often the histories of a test reach something together: what is usual, more than once. */
export const wantedTimes = (kind: string): number => (/^(network|incident) /.test(kind) ? 4 : 1);

/** Plays the first seeds of both profiles, and returns few of them that reach all that these reach. */
export async function chooseSeeds(cluster: Cluster, count: number): Promise<ChosenSeed[]> {
  const played: PlayedSeed[] = [];
  for (const isRare of [false, true])
    for (let seed = 1; seed <= count; seed++) {
      const { counts, failure } = await runSeeds(cluster, { from: seed, count: 1 }, { isRare });
      if (failure) throw new Error(failure);
      played.push({ seed, isRare, counts });
    }
  return coverOf(played);
}

/** Takes the history that adds most, again and again, until none adds anything (a greedy cover of sets). */
function coverOf(played: readonly PlayedSeed[]): ChosenSeed[] {
  const missing: Counts = new Map();
  for (const { counts } of played)
    for (const [kind, times] of counts)
      missing.set(kind, Math.min(wantedTimes(kind), (missing.get(kind) ?? 0) + times));
  const added = ({ counts }: PlayedSeed) =>
    [...missing].reduce((sum, [kind, times]) => sum + Math.min(times, counts.get(kind) ?? 0), 0);
  const rest = new Set(played);
  const chosen: ChosenSeed[] = [];
  while ([...missing.values()].some((times) => times > 0)) {
    const best = [...rest].reduce((a, b) => (added(b) > added(a) ? b : a));
    rest.delete(best);
    for (const [kind, times] of missing) missing.set(kind, times - Math.min(times, best.counts.get(kind) ?? 0));
    chosen.push({ seed: best.seed, isRare: best.isRare });
  }
  return chosen;
}
