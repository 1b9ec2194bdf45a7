/** The ledger's rows. */
import { wordsOf } from '#domain/search-key.ts';
import type { StockMovement } from '#domain/stock/ledger.ts';
import { insertInto } from '#server/db/insert.ts';
import { stockTransactions } from '#server/db/schema/catalogue.ts';
import { rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';

export interface LedgerEntry {
  stockId: number;
  type: 'usage' | 'stock_in' | 'stock_out' | 'manual_adjustment' | 'purchase';
  movement: StockMovement;
  referenceType: 'order' | 'adjustment' | 'purchase_order';
  referenceId: string | null;
  /** Cost of one unit of a delivery; defaults to the item's cost. */
  unitCostMinor?: number | undefined;
  /** The lot that a positive delta fills, created when it is new. `expiresOn` is a day, YYYY-MM-DD. */
  lot?: { number: string; expiresOn: string | null } | undefined;
  notes: string;
  userId: number;
  deviceId: number | null;
  opId: string;
  lineId: string | null;
}

export interface WrittenEntry {
  entry: LedgerEntry;
  /** The item's at that time. */
  unit: string;
  effectMilli: number;
  previousMilli: number;
  newMilli: number;
  costMinor: number;
}

const insertTransactions = insertInto(stockTransactions, { leaves: ['status', 'createdAt'] });

export async function insertEntries(
  sql: Sql,
  clinicId: number,
  receivedAtMs: number,
  written: readonly WrittenEntry[],
): Promise<void> {
  await insertTransactions(
    sql,
    written.map(({ entry, unit, effectMilli, previousMilli, newMilli, costMinor }) => ({
      clinicId,
      stockId: entry.stockId,
      type: entry.type,
      isCount: entry.movement.type === 'count',
      unit,
      quantityMilli: entry.movement.type === 'count' ? entry.movement.quantityMilli : entry.movement.changeMilli,
      effectMilli,
      previousMilli,
      newMilli,
      costMinor: Math.round((Math.abs(effectMilli) * costMinor) / 1000),
      referenceType: entry.referenceType,
      referenceId: entry.referenceId,
      notes: entry.notes,
      userId: entry.userId,
      deviceId: entry.deviceId,
      opId: entry.opId,
      lineId: entry.lineId,
      effectiveAt: entry.movement.effectiveAtMs,
      receivedAt: receivedAtMs,
    })),
  );
  await insertWords(
    sql,
    clinicId,
    written.map(({ entry }) => entry).filter(({ type, notes }) => type !== 'usage' && notes !== ''),
  );
}

/** Indexes the words of notes. The unique key of a movement finds its row. */
async function insertWords(sql: Sql, clinicId: number, entries: readonly LedgerEntry[]): Promise<void> {
  const rows = entries.flatMap(({ opId, stockId, lineId, notes }) =>
    wordsOf(notes).map((word) => ({ op_id: opId, stock_id: stockId, line_id: lineId, word })),
  );
  if (rows.length === 0) return;
  await sql.query({
    name: 'insert note words',
    text: `insert into stock_note_words (clinic_id, transaction_id, word, type, effective_at)
           select $1, t.id, r.word, t.type, t.effective_at from json_to_recordset($2::json) as r(op_id uuid, stock_id int, line_id uuid, word text)
           join stock_transactions t
             on t.clinic_id = $1 and t.op_id = r.op_id and t.stock_id = r.stock_id and t.line_id is not distinct from r.line_id`,
    values: [clinicId, JSON.stringify(rows)],
  });
}

/** Returns the names of items. */
export async function stockNames(sql: Sql, clinicId: number, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await rowsOf<{ id: number; name: string }>(
    sql,
    'names of stock items',
    'select id, name from stock_items where clinic_id = $1 and id = any($2::int[])',
    [clinicId, ids],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

interface People {
  of: (userId: number, deviceId: number | null) => { actor: string | undefined; device: string | undefined };
}

/** Returns the names of those who made these entries, and the codes of their devices. */
export async function peopleOf(
  sql: Sql,
  clinicId: number,
  entries: readonly Pick<LedgerEntry, 'userId' | 'deviceId'>[],
): Promise<People> {
  const rows = await rowsOf<{ kind: 'user' | 'device'; id: number; name: string }>(
    sql,
    'people of entries',
    `select 'user' as kind, id, name from users where clinic_id = $1 and id = any($2::int[])
     union all select 'device', id, code from devices where clinic_id = $1 and id = any($3::int[])`,
    [clinicId, entries.map(({ userId }) => userId), entries.flatMap(({ deviceId }) => deviceId ?? [])],
  );
  const names = new Map(rows.map(({ kind, id, name }) => [`${kind} ${id}`, name]));
  return {
    of: (userId, deviceId) => ({ actor: names.get(`user ${userId}`), device: names.get(`device ${deviceId}`) }),
  };
}
