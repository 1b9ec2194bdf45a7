/** Proves that the ledger finds faults: each is planted into the product for one test, and the same days are clean without it. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Replacement } from '#tests/support/replaceable.ts';
import { inLongRun } from '#tests/support/long-run.ts';
import { seededRandom } from '#tests/support/random.ts';
import { Audit } from './audit.ts';
import { plantedFaults } from './planted.ts';
import type { PlantedFault } from './planted.ts';

/** The functions of the planted fault. */
const replacements = vi.hoisted(() => ({}) as Record<string, Replacement>);
const mutable = vi.hoisted(() => async (real: () => Promise<object>) => {
  const { replaceable } = await import('#tests/support/replaceable.ts');
  return replaceable(replacements, await real());
});

vi.mock('#domain/drawer/discount-effects.ts', mutable);
vi.mock('#domain/order/flags.ts', mutable);
vi.mock('#domain/order/refund-terms.ts', mutable);
vi.mock('#domain/order/totals.ts', mutable);
vi.mock('#domain/report/sums.ts', mutable);
vi.mock('#domain/tax/profile.ts', mutable);
vi.mock('#domain/tax/tax.ts', mutable);
vi.mock('#server/db/sql.ts', mutable);

/** Days in which each of the faults shows. */
const seed = 5;
const workload = { days: 2, treatments: 130 };

/** A fault that shows while people work needs days of its own. One of these is enough to see that the ledger looks. */
const chosen = inLongRun(plantedFaults, {
  otherwise: plantedFaults.filter((fault, index) => fault.while === 'reading' || index === 0),
});

let clean: Audit;
let firstFaults: string[];

beforeAll(async () => {
  clean = await Audit.open(seededRandom(seed, 'planted'), { isTaxed: true });
  firstFaults = await clean.work(workload);
}, 120_000);
afterAll(() => clean.close());

async function faultsWith({ functions, while: when }: PlantedFault): Promise<string[]> {
  Object.assign(replacements, functions);
  try {
    if (when === 'reading') return await clean.compare();
    const audit = await Audit.open(seededRandom(seed, 'planted'), { isTaxed: true });
    try {
      return [...(await audit.work(workload)), ...(await audit.compare())];
    } finally {
      await audit.close();
    }
  } finally {
    for (const name of Object.keys(replacements)) delete replacements[name];
  }
}

describe('the ledger', () => {
  test('finds no fault where none is planted', async () => {
    expect([...firstFaults, ...(await clean.compare())]).toEqual([]);
  }, 120_000);

  test.each(chosen)(
    'finds that $name',
    async (fault) => {
      const faults = await faultsWith(fault);
      expect(faults.filter((text) => fault.caughtBy.test(text)).length, faults.slice(0, 5).join('\n')).toBeGreaterThan(
        0,
      );
    },
    120_000,
  );
});
