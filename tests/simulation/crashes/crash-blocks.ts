/** Scenarios as tests. Each file takes a part, so that two workers share them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshDatabase } from '../../support/database.ts';
import { crashEverywhere } from './crash-points.ts';
import { openCluster } from '../cluster/cluster.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { Scenario } from './scenarios.ts';

export function describeCrashes(scenarios: readonly Scenario[]): void {
  let cluster: Cluster;
  let awaits = 0;
  let pairs = 0;
  beforeAll(async () => {
    cluster = await openCluster((await freshDatabase()).connectionString);
  });
  afterAll(async () => {
    console.log(`crashed at ${awaits} awaits and ${pairs} pairs of awaits`);
    await cluster.close();
  });

  describe('SYNC-7 a crash at every await, and at every pair of awaits, loses nothing and doubles nothing', () => {
    test.each(scenarios)('$name', { timeout: 300_000 }, async (scenario) => {
      const covered = await crashEverywhere(cluster, scenario);
      awaits += covered.points;
      pairs += covered.pairs;
      console.log(`${scenario.name}: ${covered.points} awaits, ${covered.pairs} pairs, by ${covered.runs} histories`);
      expect(covered.failures.slice(0, 1).join()).toBe('');
      expect(covered.points).toBeGreaterThan(20);
    });
  });
}
