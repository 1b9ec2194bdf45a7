/** Histories as tests: blocks of seeds, so that a failing one says where it lies. Each file takes a part, so that two workers share them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshDatabase } from '../../support/database.ts';
import { networkFaults, incidents, rareIncidents } from '../faults/profile.ts';
import { addCounts } from '../runtime/history.ts';
import type { Counts } from '../runtime/history.ts';
import { openCluster } from '../cluster/cluster.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { actions, rareActions } from '../clients/workload.ts';
import { runSeeds, formatCounts } from './run-seeds.ts';
import { coverageMarks } from '../checkers/coverage-marks.ts';

const blockSize = 100;

export function describeSeeds({ from, count }: { from: number; count: number }): void {
  let cluster: Cluster;
  const counts: Counts = new Map();
  beforeAll(async () => {
    cluster = await openCluster((await freshDatabase()).connectionString);
  });
  afterAll(() => cluster.close());

  const blocks = Array.from({ length: count / blockSize }, (_, index) => from + index * blockSize);
  describe('SYNC-1 to SYNC-16 hold in every history', () => {
    test.each(blocks.map((first) => [first, first + blockSize - 1]))(
      'seeds %i to %i',
      { timeout: 300_000 },
      async (first) => {
        const outcome = await runSeeds(cluster, { from: first, count: blockSize });
        addCounts(counts, outcome.counts);
        expect(outcome.failure ?? '').toBe('');
      },
    );

    test('every fault and every kind of work really happened', () => {
      console.log(formatCounts(counts));
      const happened = [...counts.keys()].sort();
      const expected = [
        ...networkFaults.map((fault) => `network ${fault}`),
        ...[...incidents, ...rareIncidents].map((incident) => `incident ${incident}`),
        ...[...Object.keys(actions), ...rareActions].map((action) => `work ${action}`),
        ...coverageMarks.map((mark) => `reached ${mark}`),
        'server one of several killed',
        'server upgraded one by one',
        'operations',
      ];
      expect(happened).toEqual(expected.sort());
      const often = [...counts].filter(
        ([kind]) => kind.startsWith('network ') || incidents.some((incident) => kind === `incident ${incident}`),
      );
      expect(Math.min(...often.map(([, times]) => times))).toBeGreaterThan(count / 200);
    });
  });
}
