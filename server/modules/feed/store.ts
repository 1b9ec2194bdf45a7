/** Reads the rows of a feed table, in pages. */
import { rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';
import { seenOf } from './reader.ts';
import type { Cursor, FeedReader, FeedTable, Place } from './reader.ts';
import { all, selectionOf, storage, unseenBy } from './selection-store.ts';
import type { Snapshot } from './snapshot.ts';

/** A page returns at most this many rows of a table. */
export const pageRows = 1000;

/** A page gets no more rows of a table after this many bytes: some treatments have a hundred times the bytes of others. */
const enoughBytes = 4_000_000;

/**
 * Rows are read in so many at once: how large they are shows when the first few are there. Few different numbers, because each is
 * a statement of its own.
 */
const rowsAtOnce = [10, 100, pageRows - 10] as const;

export interface FeedRow {
  xid: string;
  id: string;
  row: unknown;
}

/** A row with the bytes of its JSON. */
type MeasuredRow = FeedRow & { bytes: number };

/** The next rows of a table. */
export interface TablePage {
  rows: FeedRow[];
  /** True if the page has no room for more rows, of which there may be some. */
  isFull: boolean;
}

/** The tables whose rows are large or change with every sale. Each row has nothing but what its transaction wrote. */
const sharedTables: readonly FeedTable[] = ['orders', 'stock'];

interface Asked {
  table: FeedTable;
  until: Snapshot;
  /** The place after which the rows are. */
  place: Place;
}

/** Returns the rows of a table after a place that `until` sees and the cursor does not. Callers hold a snapshot. */
export async function readTable(sql: Sql, reader: FeedReader, cursor: Cursor, asked: Asked): Promise<TablePage> {
  const rows: FeedRow[] = [];
  let bytes = 0;
  let { place } = asked;
  for (;;) {
    const limit = nextRows(rows.length, bytes);
    const found = await readRows(sql, reader, cursor, { ...asked, place, limit });
    for (const { bytes: own, ...row } of found) {
      rows.push(row);
      bytes += own;
      if (rows.length === pageRows || bytes >= enoughBytes) return { rows, isFull: true };
    }
    const last = found.at(-1);
    if (!last || found.length < limit) return { rows, isFull: false };
    place = [last.xid, last.id];
  }
}

/** Returns how many rows to read, so that they have hardly more bytes than the page has room for. */
function nextRows(count: number, bytes: number): number {
  const fitting = bytes === 0 ? 0 : ((enoughBytes - bytes) * count) / bytes;
  const most = Math.min(fitting, pageRows - count);
  return rowsAtOnce.findLast((rows) => rows <= most) ?? rowsAtOnce[0];
}

async function readRows(
  sql: Sql,
  reader: FeedReader,
  cursor: Cursor,
  { table, until, place: [xid, id], limit }: Asked & { limit: number },
): Promise<MeasuredRow[]> {
  const { from, key } = storage[table];
  const { select, alias, extra, values } = selectionOf(reader, cursor, table);
  const seen = seenOf(reader, cursor, table);
  const name = `feed ${table} ${cursor.floor === null} ${extra === all.extra} ${limit}`;
  const page = `where ${alias}.clinic_id = $1 and (${alias}.xid, ${alias}.${key.column}) > ($2::xid8, $3::${key.type})
       and ${unseenBy(alias, '$4')} and pg_visible_in_snapshot(${alias}.xid, $5::pg_snapshot) and ${extra}
       order by ${alias}.xid, ${alias}.${key.column} limit ${limit}`;
  const parameters = [reader.clinicId, xid, id === '' ? key.lowest : id, seen, until, ...values];
  const { known, clinicId } = reader;
  // What only a new tablet reads is not asked for again.
  if (!known || cursor.floor !== null || !sharedTables.includes(table))
    return rowsOf<MeasuredRow>(sql, name, measured(`${select} ${page}`), parameters);

  const keys = `select ${alias}.xid::text as xid, ${alias}.${key.column}::text as id from ${from} ${alias}`;
  const found = await rowsOf<Omit<FeedRow, 'row'>>(sql, `${name} keys`, `${keys} ${page}`, parameters);
  const nameOf = (one: Omit<FeedRow, 'row'>) => `${clinicId} ${cursor.epoch} ${table} ${one.xid} ${one.id}`;
  const rows = new Map(found.map((one) => [one.id, known.get(nameOf(one))]));
  const missing = found.filter((one) => rows.get(one.id) === undefined).map((one) => one.id);
  if (missing.length > 0) {
    const byId = `${select} where ${alias}.clinic_id = $1 and ${alias}.${key.column} = any($2::${key.type}[])`;
    for (const one of await rowsOf<MeasuredRow>(sql, `feed ${table} by id`, measured(byId), [clinicId, missing])) {
      rows.set(one.id, one);
      known.keep(nameOf(one), one);
    }
  }
  return found.map((one) => ({ ...one, row: rows.get(one.id)!.row, bytes: rows.get(one.id)!.bytes }));
}

/** SQL: the rows of a query with the bytes of their JSON. */
const measured = (query: string): string =>
  `select q.xid, q.id, q.row, coalesce(octet_length(q.row::text), 0) as bytes from (${query}) q`;
