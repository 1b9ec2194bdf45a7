/** Runs histories as tests, in blocks of seeds. Each test file takes a part of the seeds, so that two Vitest workers share them. */
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

    test('the histories cover every fault, action and coverage mark', () => {
      console.log(formatCounts(counts));
      const covered = [...counts.keys()].sort();
      const expected = [
        ...networkFaults.map((fault) => `network ${fault}`),
        ...[...incidents, ...rareIncidents].map((incident) => `incident ${incident}`),
        ...[...Object.keys(actions), ...rareActions].map((action) => `work ${action}`),
        ...coverageMarks.map((mark) => `reached ${mark}`),
        'server one of several killed',
        'server upgraded one by one',
        'operations',
      ];
      expect(covered).toEqual(expected.sort());
      const frequent = [...counts].filter(
        ([kind]) => kind.startsWith('network ') || incidents.some((incident) => kind === `incident ${incident}`),
      );
      expect(Math.min(...frequent.map(([, times]) => times))).toBeGreaterThan(count / 200);
    });
  });
}
