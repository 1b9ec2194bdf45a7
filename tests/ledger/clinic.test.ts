/**
 * Random days of a clinic on a real server, with and without the Spanish tax profile, recomputed from the accepted operations
 * alone. Whatever the API shows, exports and stores of money must be what the ledger says. The seed in a title repeats its days.
 */
import { expect, test } from 'vitest';
import { inLongRun } from '../support/long-run.ts';
import { seededRandom } from '../support/random.ts';
import { Audit } from './clinic/audit.ts';

/** A desk that is asked for 150 treatments makes some 130 of them: its steps are drawn. `atLeast` is for all clinics together. */
const { clinics, days, treatments, atLeast } = inLongRun(
  { clinics: 20, days: 7, treatments: 150, atLeast: 2400 },
  { otherwise: { clinics: 2, days: 6, treatments: 150, atLeast: 240 } },
);
const seeds = Array.from({ length: clinics }, (_, index) => index + 1);
const reached: Record<string, number> = {};

test.each(seeds)(
  'seed %i: a clinic adds up',
  async (seed) => {
    const audit = await Audit.open(seededRandom(seed, 'ledger'), { isTaxed: seed % 2 === 1 });
    try {
      const faults = [
        ...(await audit.work({ days, treatments, rupeesFrom: seed % 4 === 2 ? 3 : undefined })),
        ...(await audit.compare()),
      ];
      expect(faults.slice(0, 20)).toEqual([]);
      for (const [mark, count] of Object.entries(audit.marks())) reached[mark] = (reached[mark] ?? 0) + count;
    } finally {
      await audit.close();
    }
  },
  300_000,
);

test('the clinics have made enough treatments, and reached what could go wrong', () => {
  console.log(
    Object.entries(reached)
      .map(([mark, count]) => `${mark}: ${count}`)
      .join('\n'),
  );
  expect(reached['treatments']).toBeGreaterThanOrEqual(atLeast);
  expect(Object.keys(reached).length).toBeGreaterThan(10);
  expect(Object.entries(reached).flatMap(([mark, count]) => (count === 0 ? mark : []))).toEqual([]);
});
