import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { byUse, drawFromLots } from '#domain/stock/lots.ts';
import type { Lot } from '#domain/stock/lots.ts';

const lot = (id: number, expiresOn: string | null, remainingMilli: number, receivedAtMs = 0): Lot => ({
  id,
  expiresOn,
  remainingMilli,
  receivedAtMs,
});

const someLots = fc
  .array(
    fc.record({
      expiresOn: fc.option(fc.constantFrom('2026-01-31', '2026-06-30', '2027-01-01')),
      receivedAtMs: fc.integer({ min: 0, max: 3 }),
      remainingMilli: fc.integer({ min: 0, max: 5000 }),
    }),
    { maxLength: 8 },
  )
  .map((lots): Lot[] => lots.map((one, id) => ({ ...one, id })));

const someDay = fc.option(fc.constantFrom('2026-01-31', '2026-02-01', '2026-12-31'));

describe('drawing from lots', () => {
  test('uses the first to expire among those that have not expired on the day, and expired lots after all others', () => {
    const lots = [
      lot(1, '2026-01-31', 1000),
      lot(2, '2026-06-30', 1000),
      lot(3, null, 1000),
      lot(4, '2025-12-31', 500),
    ];
    const ids = (usedOn: string | null) => drawFromLots(lots, 9000, usedOn).map(({ lotId }) => lotId);
    expect(ids('2026-01-31')).toEqual([1, 2, 3, 4]);
    expect(ids('2026-02-01')).toEqual([2, 3, 4, 1]);
    expect(ids('2027-01-01')).toEqual([3, 4, 1, 2]);
  });

  test('writes off what has expired first', () => {
    const lots = [lot(1, '2026-01-31', 1000), lot(2, '2026-06-30', 1000)];
    expect(drawFromLots(lots, 1000, null)).toEqual([{ lotId: 1, quantityMilli: 1000 }]);
  });

  test('continues with the next lot when one does not suffice, and uses lots without expiry date last', () => {
    const lots = [lot(1, null, 9000), lot(2, '2026-09-30', 3000), lot(3, '2026-05-31', 1000)];
    expect(drawFromLots(lots, 5000, null)).toEqual([
      { lotId: 3, quantityMilli: 1000 },
      { lotId: 2, quantityMilli: 3000 },
      { lotId: 1, quantityMilli: 1000 },
    ]);
  });

  test('draws from the lot received first when two expire on the same day', () => {
    expect(drawFromLots([lot(1, '2026-05-31', 1000, 20), lot(2, '2026-05-31', 1000, 10)], 500, null)).toEqual([
      { lotId: 2, quantityMilli: 500 },
    ]);
    expect(drawFromLots([lot(1, null, 1000, 20), lot(2, null, 1000, 10)], 500, null)).toEqual([
      { lotId: 2, quantityMilli: 500 },
    ]);
  });

  test('draws at most the remaining quantity, and empties earlier lots first', () => {
    fc.assert(
      fc.property(someLots, fc.integer({ min: 0, max: 30_000 }), someDay, (lots, quantity, usedOn) => {
        const draws = drawFromLots(lots, quantity, usedOn);
        const drawn = new Map(draws.map((draw) => [draw.lotId, draw.quantityMilli]));
        const held = lots.reduce((sum, { remainingMilli }) => sum + remainingMilli, 0);
        expect(draws.reduce((sum, { quantityMilli }) => sum + quantityMilli, 0)).toBe(Math.min(quantity, held));
        const inOrder = [...lots].sort(byUse(usedOn));
        const lastDrawn = inOrder.findLastIndex(({ id }) => drawn.has(id));
        inOrder
          .slice(0, Math.max(0, lastDrawn))
          .forEach(({ id, remainingMilli }) => expect(drawn.get(id) ?? 0).toBe(remainingMilli));
        inOrder.forEach(({ id, remainingMilli }) => expect(drawn.get(id) ?? 0).toBeLessThanOrEqual(remainingMilli));
      }),
      { seed: 20_261_121 },
    );
  });
});
