/**
 * Durations on a machine that other programs use as well. A test of speed compares what the work would take alone, because a run must
 * not fail for what else runs beside it.
 */

const sampleMs = 60;

/** Returns how many times longer than alone this process takes at the moment; at least 1. */
export function slowness(): number {
  const [begunMs, begun] = [performance.now(), process.cpuUsage()];
  for (;;) {
    const { user, system } = process.cpuUsage(begun);
    const usedMs = (user + system) / 1000;
    if (usedMs >= sampleMs) return Math.max(1, (performance.now() - begunMs) / usedMs);
  }
}

/** Returns in milliseconds what the work takes alone: the best of several attempts, each divided by the slowness beside it. */
export async function quietTime(work: () => unknown, { attempts = 3 } = {}): Promise<number> {
  let best = Infinity;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const before = slowness();
    const begunMs = performance.now();
    await work();
    const tookMs = performance.now() - begunMs;
    best = Math.min(best, tookMs / Math.max(before, slowness()));
  }
  return best;
}
