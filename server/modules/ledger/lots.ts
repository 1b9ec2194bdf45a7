/**
 * Lots in the ledger. A delivery fills a lot, and usage draws from the lots that expire first. The item is locked
 * meanwhile, and remaining = received − drawn holds for every lot after every transaction.
 */
import { drawFromLots } from '../../../domain/stock/lots.ts';
import type { Lot } from '../../../domain/stock/lots.ts';
import { insertRows, isoOf, msOf, rowsOf } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import type { LedgerEntry } from './store.ts';

interface StoredLot extends Lot {
  stockId: number;
  number: string;
}

interface LotMove {
  lot: StoredLot;
  entry: LedgerEntry;
  changeMilli: number;
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
    clinicId: number,
    atMs: number,
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
    return new LotMovements(
      await loadLots(
        sql,
        clinicId,
        [...stockIds],
        filling.map((entry) => entry.lot!.number),
      ),
      tracked,
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
      for (const { lotId, quantityMilli } of drawFromLots(lots, -effectMilli))
        this.change(
          lots.find(({ id }) => id === lotId)!,
          entry,
          -quantityMilli,
        );
    }
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
    await sql.query({
      name: 'move lots',
      text: `with moves as (
               select * from json_to_recordset($2::json)
                 as r(lot_id int, op_id uuid, stock_id int, line_id uuid, change_milli bigint, order_id uuid)
             ), sums as (
               select lot_id, sum(change_milli) as change, sum(greatest(change_milli, 0)) as filled from moves group by lot_id
             ), changed as (
               update stock_lots l set received_milli = l.received_milli + s.filled, remaining_milli = l.remaining_milli + s.change
               from sums s where l.clinic_id = $1 and l.id = s.lot_id
             )
             insert into stock_lot_movements (clinic_id, lot_id, transaction_id, change_milli, order_id, line_id)
             select $1, m.lot_id, t.id, m.change_milli, m.order_id, m.line_id from moves m join stock_transactions t
               on t.clinic_id = $1 and t.op_id = m.op_id and t.stock_id = m.stock_id and t.line_id is not distinct from m.line_id`,
      values: [clinicId, JSON.stringify(rows)],
    });
  }
}

/** Creates empty lots, which the entries that name them fill. */
async function createLots(sql: Sql, clinicId: number, atMs: number, filling: readonly LedgerEntry[]): Promise<void> {
  const rows = filling.map(({ stockId, lot }) => ({
    clinic_id: clinicId,
    stock_id: stockId,
    lot_number: lot!.number,
    expires_on: lot!.expiresOn,
    received_milli: 0,
    remaining_milli: 0,
    received_at: isoOf(atMs),
  }));
  await insertRows(
    sql,
    'stock_lots',
    ['clinic_id', 'stock_id', 'lot_number', 'expires_on', 'received_milli', 'remaining_milli', 'received_at'],
    rows,
    'on conflict do nothing',
  );
}

async function loadLots(
  sql: Sql,
  clinicId: number,
  stockIds: readonly number[],
  filled: readonly string[],
): Promise<StoredLot[]> {
  const rows = await rowsOf<{ lot: StoredLot }>(
    sql,
    `shelved lots ${filled.length > 0}`,
    `select json_build_object('id', id, 'stockId', stock_id, 'number', lot_number, 'expiresOn', expires_on,
       'receivedAtMs', ${msOf('received_at')}, 'remainingMilli', remaining_milli) as lot
     from stock_lots where clinic_id = $1 and stock_id = any($2::int[])
       and (remaining_milli > 0 ${filled.length > 0 ? 'or lot_number = any($3::text[])' : ''})`,
    [clinicId, stockIds, ...(filled.length > 0 ? [filled] : [])],
  );
  return rows.map(({ lot }) => lot);
}
