import fc from 'fast-check';
import { expect, test } from 'vitest';
import { moveStock } from '#domain/stock/ledger.ts';
import type { StockLevel, StockMovement } from '#domain/stock/ledger.ts';

const seeded = { seed: 20_260_512, numRuns: 300 };

const movement: fc.Arbitrary<StockMovement> = fc.oneof(
  fc.record({
    type: fc.constant('delta' as const),
    changeMilli: fc.integer({ min: -9000, max: 9000 }),
    effectiveAtMs: fc.integer({ min: 0, max: 50 }),
  }),
  fc.record({
    type: fc.constant('count' as const),
    quantityMilli: fc.integer({ min: 0, max: 9000 }),
    effectiveAtMs: fc.integer({ min: 0, max: 50 }),
  }),
);

/** Returns the quantity when all movements are applied by time, and in the order of arrival at equal times. */
function audited(startMilli: number, movements: StockMovement[]): number {
  const byTime = movements.map((entry, arrival) => ({ entry, arrival }));
  byTime.sort((a, b) => a.entry.effectiveAtMs - b.entry.effectiveAtMs || a.arrival - b.arrival);
  return byTime.reduce(
    (sum, { entry }) => (entry.type === 'count' ? entry.quantityMilli : sum + entry.changeMilli),
    startMilli,
  );
}

test('SYNC-10 the quantity is the last count plus the deltas after it, in whatever order they arrive', () => {
  fc.assert(
    fc.property(fc.array(movement, { maxLength: 20 }), (movements) => {
      let level: StockLevel = { quantityMilli: 5000, countedAtMs: null };
      let effects = 0;
      movements.forEach((entry, arrival) => {
        const later = movements
          .slice(0, arrival)
          .filter((other) => other.type === 'delta' && other.effectiveAtMs > entry.effectiveAtMs)
          .reduce((sum, other) => sum + (other.type === 'delta' ? other.changeMilli : 0), 0);
        const moved = moveStock(level, entry, later);
        expect(moved.level.quantityMilli - level.quantityMilli).toBe(moved.effectMilli);
        effects += moved.effectMilli;
        level = moved.level;
      });
      expect(level.quantityMilli).toBe(audited(5000, movements));
      expect(effects).toBe(level.quantityMilli - 5000);
    }),
    seeded,
  );
});
