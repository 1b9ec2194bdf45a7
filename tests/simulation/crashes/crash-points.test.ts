import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshDatabase } from '#tests/support/database.ts';
import { isLongRun } from '#tests/support/long-run.ts';
import { crashEverywhere } from './crash-points.ts';
import { openCluster } from '../cluster/cluster.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { scenarios } from './scenarios.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await openCluster((await freshDatabase()).connectionString);
});
afterAll(() => cluster.close());

describe('SYNC-7 a crash at any await, or at any pair of awaits, loses and doubles nothing', () => {
  test.each(scenarios)('$name', { timeout: 300_000 }, async (scenario) => {
    const covered = await crashEverywhere(cluster, scenario, { isComplete: isLongRun });
    if (isLongRun)
      console.log(`${scenario.name}: ${covered.points} awaits, ${covered.pairs} pairs, in ${covered.runs} histories`);
    expect(covered.failures.slice(0, 1).join()).toBe('');
    expect(covered.points).toBeGreaterThan(20);
    expect(covered.runs).toBeGreaterThan(isLongRun ? 10 : 4);
  });
});
