/**
 * Lots in the ledger. A delivery fills a lot, and usage draws from the lots that expire first among those that have not
 * expired on its business day. The item is locked meanwhile, and remaining = received − drawn holds for every lot after
 * every transaction.
 */
import { businessDay } from '#domain/business-day.ts';
import { drawFromLots, isExpired } from '#domain/stock/lots.ts';
import type { Sql } from '#server/db/sql.ts';
import { clinicSettings } from '../clinics/service.ts';
import { createLots, loadLots, moveLots } from './lots-store.ts';
import type { StoredLot } from './lots-store.ts';
import type { LedgerEntry } from './store.ts';

interface LotMove {
  lot: StoredLot;
  entry: LedgerEntry;
  changeMilli: number;
}

/** What a treatment, or somebody, used of a lot that had expired. */
export interface ExpiredUse {
  entry: LedgerEntry;
  lot: StoredLot;
}

const filledLot = ({ lot, movement }: LedgerEntry) =>
  movement.type === 'delta' && movement.changeMilli > 0 ? lot : undefined;

/** The lots that a transaction may change: read once, changed in memory, written as one set. */
export class LotMovements {
  private readonly byItem = new Map<number, StoredLot[]>();
  private readonly moves: LotMove[] = [];

  private constructor(
    lots: readonly StoredLot[],
    private readonly tracked: ReadonlySet<number>,
    private readonly timeZone: string,
  ) {
    for (const lot of lots) this.byItem.set(lot.stockId, [...(this.byItem.get(lot.stockId) ?? []), lot]);
  }

  /**
   * Loads the lots of the entries' items, which the caller has locked. Returns null when no lot can change, without a
   * statement.
   *
   * @param tracked the items that track lots
   */
  static async open(
    sql: Sql,
    { clinicId, atMs }: { clinicId: number; atMs: number },
    entries: readonly LedgerEntry[],
    tracked: ReadonlySet<number>,
  ): Promise<LotMovements | null> {
    const filling = entries.filter(filledLot);
    const stockIds = new Set([
      ...entries.map(({ stockId }) => stockId).filter((id) => tracked.has(id)),
      ...filling.map(({ stockId }) => stockId),
    ]);
    if (stockIds.size === 0) return null;
    await createLots(sql, clinicId, atMs, filling);
    const { time_zone: timeZone } = await clinicSettings(sql, clinicId);
    return new LotMovements(
      await loadLots(
        sql,
        clinicId,
        [...stockIds],
        filling.map((entry) => entry.lot!.number),
      ),
      tracked,
      timeZone,
    );
  }

  /** Applies an entry with this effect. A delivery fills its lot even when a later count already included it. */
  move(entry: LedgerEntry, effectMilli: number): void {
    const lots = this.byItem.get(entry.stockId) ?? [];
    const named = filledLot(entry);
    if (named) {
      const lot = lots.find(({ number, expiresOn }) => number === named.number && expiresOn === named.expiresOn)!;
      this.change(lot, entry, (entry.movement as { changeMilli: number }).changeMilli);
    } else if (effectMilli < 0 && this.tracked.has(entry.stockId)) {
      for (const { lotId, quantityMilli } of drawFromLots(lots, -effectMilli, this.dayOfUse(entry)))
        this.change(
          lots.find(({ id }) => id === lotId)!,
          entry,
          -quantityMilli,
        );
    }
  }

  /** The clinic's business day of a use; null of what is written off or counted. */
  private dayOfUse({ type, movement }: LedgerEntry): string | null {
    return type === 'usage' ? businessDay(movement.effectiveAtMs, this.timeZone) : null;
  }

  private change(lot: StoredLot, entry: LedgerEntry, changeMilli: number): void {
    lot.remainingMilli += changeMilli;
    this.moves.push({ lot, entry, changeMilli });
  }

  /** The items of which a lot was filled or used up: their alerts may have changed. */
  get affectedItems(): number[] {
    return this.moves
      .filter(({ lot, changeMilli }) => changeMilli > 0 || lot.remainingMilli === 0)
      .map(({ lot }) => lot.stockId);
  }

  get expiredUses(): ExpiredUse[] {
    return this.moves.filter(({ lot, entry }) => {
      const day = this.dayOfUse(entry);
      return day !== null && isExpired(lot, day);
    });
  }

  /** Writes lots and their movements; the entries must be written before. */
  async write(sql: Sql, clinicId: number): Promise<void> {
    if (this.moves.length === 0) return;
    const rows = this.moves.map(
      ({ lot, entry: { opId, stockId, lineId, referenceType, referenceId }, changeMilli }) => ({
        lot_id: lot.id,
        op_id: opId,
        stock_id: stockId,
        line_id: lineId,
        change_milli: changeMilli,
        order_id: referenceType === 'order' ? referenceId : null,
      }),
    );
    await moveLots(sql, clinicId, rows);
  }
}
