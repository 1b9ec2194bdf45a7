/** Lots and their movements in SQL. */
import type { Lot } from '#domain/stock/lots.ts';
import { insertInto } from '#server/db/insert.ts';
import { jsonFields } from '#server/db/read.ts';
import type { JsonFields } from '#server/db/read.ts';
import { stockLots } from '#server/db/schema/supply.ts';
import { rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';
import type { LedgerEntry } from './store.ts';

export interface StoredLot extends Lot {
  stockId: number;
  number: string;
}

/** A change of a lot by a ledger entry; op, item and line are the entry's unique key. */
interface LotMovementRow {
  lot_id: number;
  op_id: string;
  stock_id: number;
  line_id: string | null;
  change_milli: number;
  order_id: string | null;
}

const lotFields: JsonFields<StoredLot> = jsonFields(
  stockLots,
  'l',
  ['id', 'stockId', 'expiresOn', 'receivedAt', 'remainingMilli'],
  { number: 'lotNumber' },
);

const insertLots = insertInto(stockLots, { existing: 'stays' });

/** Creates empty lots, which the entries that name them fill. */
export async function createLots(
  sql: Sql,
  clinicId: number,
  atMs: number,
  filling: readonly LedgerEntry[],
): Promise<void> {
  await insertLots(
    sql,
    filling.map(({ stockId, lot }) => ({
      clinicId,
      stockId,
      lotNumber: lot!.number,
      expiresOn: lot!.expiresOn,
      receivedMilli: 0,
      remainingMilli: 0,
      receivedAt: atMs,
    })),
  );
}

export async function loadLots(
  sql: Sql,
  clinicId: number,
  stockIds: readonly number[],
  filled: readonly string[],
): Promise<StoredLot[]> {
  const rows = await rowsOf<{ lot: StoredLot }>(
    sql,
    `shelved lots ${filled.length > 0}`,
    `select json_build_object(${lotFields}) as lot
     from stock_lots l where clinic_id = $1 and stock_id = any($2::int[])
       and (remaining_milli > 0 ${filled.length > 0 ? 'or lot_number = any($3::text[])' : ''})`,
    [clinicId, stockIds, ...(filled.length > 0 ? [filled] : [])],
  );
  return rows.map(({ lot }) => lot);
}

/** Writes movements of lots and the lots' new quantities; the entries must be written before. */
export async function moveLots(sql: Sql, clinicId: number, rows: readonly LotMovementRow[]): Promise<void> {
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
