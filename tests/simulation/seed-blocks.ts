/** Histories as tests: blocks of seeds, so that a failing one says where it lies. Each file takes a part, so that two workers share them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshDatabase } from '../support/database.ts';
import { fates, incidents, rareIncidents } from './faults.ts';
import { addCounts } from './history.ts';
import type { Counts } from './history.ts';
import { openHouse } from './house.ts';
import type { House } from './house.ts';
import { jobs, rareJobs } from './clerk.ts';
import { runSeeds, tellCounts } from './seeds.ts';
import { sightings } from './sightings.ts';

const blockSize = 100;

export function describeSeeds({ from, count }: { from: number; count: number }): void {
  let house: House;
  const counts: Counts = new Map();
  beforeAll(async () => {
    house = await openHouse((await freshDatabase()).connectionString);
  });
  afterAll(() => house.close());

  const blocks = Array.from({ length: count / blockSize }, (_, index) => from + index * blockSize);
  describe('SYNC-1 to SYNC-16 hold in every history', () => {
    test.each(blocks.map((first) => [first, first + blockSize - 1]))(
      'seeds %i to %i',
      { timeout: 300_000 },
      async (first) => {
        const outcome = await runSeeds(house, { from: first, count: blockSize });
        addCounts(counts, outcome.counts);
        expect(outcome.failure ?? '').toBe('');
      },
    );

    test('every trouble and every kind of work really happened', () => {
      console.log(tellCounts(counts));
      const happened = [...counts.keys()].sort();
      const expected = [
        ...fates.map((fate) => `network ${fate}`),
        ...[...incidents, ...rareIncidents].map((incident) => `incident ${incident}`),
        ...[...Object.keys(jobs), ...rareJobs].map((job) => `work ${job}`),
        ...sightings.map((sight) => `seen ${sight}`),
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
