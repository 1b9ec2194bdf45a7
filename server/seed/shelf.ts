import { milliFromWire } from '#domain/quantity.ts';
import { uuidV7 } from '#domain/uuid.ts';
import type { LedgerEntry, LedgerWork } from '../modules/ledger/service.ts';
import { demoItems } from './catalogue.ts';
import type { DemoPurchasing } from './purchasing.ts';
import type { SeededRandom } from './random.ts';
import type { Say } from './words.ts';

/** The stock room: opening stock and weekly use. */
export class Shelf {
  constructor(
    private readonly stockIds: ReadonlyMap<string, number>,
    private readonly purchasing: DemoPurchasing,
    private readonly say: Say,
    private readonly by: { userId: number; deviceId: number; random: SeededRandom },
  ) {}

  opening(atMs: number): LedgerWork {
    const entries = demoItems
      .filter(({ isStocked }) => isStocked)
      .map(({ name, opening }) => ({
        ...this.entry(name, { type: 'stock_in', change: opening, atMs, notes: 'Opening stock' }),
        lot: this.purchasing.openingLot(name),
      }));
    return { entries, reservations: new Map() };
  }

  weeklyUse(atMs: number): LedgerEntry[] {
    return demoItems
      .filter(({ weeklyUse }) => weeklyUse > 0)
      .map(({ name, weeklyUse }) =>
        this.entry(name, { type: 'stock_out', change: -weeklyUse, atMs, notes: 'Used in the surgery' }),
      );
  }

  private entry(
    name: string,
    { type, change, atMs, notes }: { type: 'stock_in' | 'stock_out'; change: number; atMs: number; notes: string },
  ): LedgerEntry {
    const { userId, deviceId, random } = this.by;
    return {
      stockId: this.stockIds.get(name)!,
      type,
      movement: { type: 'delta', changeMilli: milliFromWire(change), effectiveAtMs: atMs },
      referenceType: 'adjustment',
      referenceId: null,
      notes: this.say(notes),
      userId,
      deviceId,
      opId: uuidV7(atMs, random.bytes(10)),
      lineId: null,
    };
  }
}
