/** Runs crash scenarios as tests. Each test file takes a part of the scenarios, so that two Vitest workers share them. */
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

  describe('SYNC-7 a crash at any await, or at any pair of awaits, loses and doubles nothing', () => {
    test.each(scenarios)('$name', { timeout: 300_000 }, async (scenario) => {
      const covered = await crashEverywhere(cluster, scenario);
      awaits += covered.points;
      pairs += covered.pairs;
      console.log(`${scenario.name}: ${covered.points} awaits, ${covered.pairs} pairs, in ${covered.runs} histories`);
      expect(covered.failures.slice(0, 1).join()).toBe('');
      expect(covered.points).toBeGreaterThan(20);
    });
  });
}
