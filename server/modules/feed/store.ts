/** The tables of the change feed in SQL: where their rows are stored, which of them a reader gets, and in what form. */
import { dayMs } from '#domain/durations.ts';
import type { NumberCounters, Series } from '#domain/order/numbers.ts';
import { largestInteger } from '#domain/wire/schemas.ts';
import { feedAttention, openOrderConcerns } from '../attention/service.ts';
import { feedDrawers, recentDrawers } from '../drawers/service.ts';
import { documentIssuedBy, feedOrders } from '../orders/service.ts';
import { feedPatientDetails, feedPatients, hasHadDetails } from '../patients/service.ts';
import { feedRooms } from '../rooms/service.ts';
import { feedCatalogue } from '../stock/service.ts';
import { closedDrawerDays } from '#domain/drawer/drawer.ts';
import { feedParts } from '#domain/protocol/sync.ts';
import { storedApproval } from '#server/operations/receipts.ts';
import { epochOf, isoOf, isoText, rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';
import { isPart, isRead, seenOf, tables } from './reader.ts';
import type { Cursor, FeedReader, FeedTable, Place } from './reader.ts';
import { emptySnapshot } from './snapshot.ts';
import type { Snapshot } from './snapshot.ts';

/** A tablet that starts with nothing gets treatments that were closed at most this long ago. */
const recentDays = 2;
/**
 * Treatments since the opening of an open or recent drawer are included, but at most of this many days. Tablets delete
 * older ones themselves.
 */
const drawerOrderDays = 7;
/**
 * Devices keep settled operations for at most 30 days (SYNC-16), so older receipts match nothing on a device that starts over.
 */
const receiptDays = 31;

const integerKey = { column: 'id', type: 'bigint', lowest: '-1' };
const uuidKey = (column: string) => ({ column, type: 'uuid', lowest: '00000000-0000-0000-0000-000000000000' });

/** Each feed table's name in the database, and the key that orders its rows within a transaction. */
const storage: Record<FeedTable, { from: string; key: ReturnType<typeof uuidKey> }> = {
  orders: { from: 'orders', key: uuidKey('id') },
  stock: { from: 'stock_items', key: integerKey },
  products: { from: 'products', key: integerKey },
  categories: { from: 'categories', key: integerKey },
  attention: { from: 'attention_items', key: integerKey },
  drawers: { from: 'drawers', key: uuidKey('id') },
  patients: { from: 'patients', key: uuidKey('id') },
  patient_details: { from: 'patients', key: uuidKey('id') },
  rooms: { from: 'rooms', key: integerKey },
  settings: { from: 'settings', key: { ...integerKey, column: 'clinic_id' } },
  receipts: { from: 'sync_ops', key: uuidKey('op_id') },
};

/** Returns the condition for rows that a snapshot does not see. The first half is there for the index. */
const unseenBy = (alias: string, snapshot: string): string =>
  `${alias}.xid >= pg_snapshot_xmin(${snapshot}::pg_snapshot) and not pg_visible_in_snapshot(${alias}.xid, ${snapshot}::pg_snapshot)`;

/** Returns the parameter with the snapshot up to which the reader has the rows of a table. */
const seenParameter = (table: FeedTable): string => (isPart(table) ? `$${4 + feedParts.indexOf(table)}` : '$3');

const ownReceipts = (table: FeedTable): string => (table === 'receipts' ? 'and t.device_id = $2::int' : '');

/** A retired code has no numbers left, so its device asks for another. */
const usedNumber = (of: Series): string => `case when retired_at is null then ${of} else ${largestInteger} end`;

/**
 * Returns the query for the state of one moment: the current snapshot, the tables with rows that the reader has not
 * seen, and the highest numbers under each code of the device.
 *
 * @param more further columns
 */
const boundsSelect = (
  more = '',
): string => `select ${epochOf('c.epoch')} as epoch, pg_current_snapshot()::text as snapshot, ${more}
  array_remove(array[${tables
    .map(
      (table) =>
        `case when exists (select from ${storage[table].from} t where t.clinic_id = $1 ${ownReceipts(table)} and ${unseenBy('t', seenParameter(table))}) then '${table}' end`,
    )
    .join(', ')}], null) as changed,
  (select json_object_agg(code, json_build_object(${(['treatment', 'invoice', 'credit_note'] as const).map((of) => `'${of}', ${usedNumber(of)}`).join(', ')})::jsonb
     || case when full_invoice > 0 then jsonb_build_object('full_invoice', full_invoice) else '{}' end
     || case when full_credit_note > 0 then jsonb_build_object('full_credit_note', full_credit_note) else '{}' end)
   from device_codes where clinic_id = $1 and device_id = $2::int) as counters,
  (select count(*)::int from fiscal_sendings where clinic_id = $1 and state = 'unsent') as "unsentRecords",
  (select ${isoText('lock_asked_at')} from devices where clinic_id = $1 and id = $2::int) as "lockAskedAt"
  from clinics c where c.id = $1`;

const boundsQuery = boundsSelect();

const pageBoundsQuery = boundsSelect(
  `coalesce(greatest(${tables
    .map(
      (table) =>
        `(select t.xid from ${storage[table].from} t where t.clinic_id = $1 ${ownReceipts(table)} order by t.xid desc limit 1)`,
    )
    .join(', ')}), '0')::text as "lastWriter",`,
);

const all = { extra: 'true', values: [] as unknown[] };

function selectionOf(reader: FeedReader, cursor: Cursor, table: FeedTable) {
  const { floor } = cursor;
  // Empty when somebody comes to a tablet that has no rows of the table.
  const seen = seenOf(reader, cursor, table);
  switch (table) {
    case 'orders': {
      const select = feedOrders;
      if (floor === null) return { select, alias: 'o', ...all };
      return {
        select,
        alias: 'o',
        // A manager needs the treatments of open attention items, however old they are.
        extra: `(not pg_visible_in_snapshot(o.xid, $6::pg_snapshot) or o.status = 'confirmed' or o.updated_at >= ${recentSince} or o.id in (${openOrderConcerns}))`,
        values: [floor, daysAgo(reader, recentDays), daysAgo(reader, drawerOrderDays)],
      };
    }
    case 'drawers': {
      if (floor === null && seen !== emptySnapshot) return { select: feedDrawers, alias: 'w', ...all };
      if (floor === null)
        return {
          select: feedDrawers,
          alias: 'w',
          extra: `w.id in (${recentDrawers('$6')})`,
          values: [daysAgo(reader, closedDrawerDays)],
        };
      const extra = `(not pg_visible_in_snapshot(w.xid, $6::pg_snapshot) or w.id in (${recentDrawers('$7')}))`;
      return { select: feedDrawers, alias: 'w', extra, values: [floor, daysAgo(reader, closedDrawerDays)] };
    }
    case 'attention':
      // A manager returns: the tablet needs the open ones only.
      if (floor === null && seen === emptySnapshot)
        return { select: feedAttention, alias: 'a', ...all, extra: 'a.settled_at is null' };
      return { select: feedAttention, alias: 'a', ...all };
    case 'patients':
      return { select: feedPatients, alias: 'p', ...all };
    case 'patient_details':
      return { select: feedPatientDetails, alias: 'p', ...all, extra: hasHadDetails };
    case 'receipts': {
      const since = isoOf(floor === null ? 0 : reader.nowMs - receiptDays * dayMs);
      return {
        select: feedReceipts,
        alias: 'r',
        extra: 'r.device_id = $6 and r.received_at >= $7',
        values: [reader.deviceId, since],
      };
    }
    case 'rooms':
      return { select: feedRooms, alias: 'r', ...all };
    case 'settings':
      return { select: feedSettings, alias: 's', ...all };
    default:
      return { select: feedCatalogue[table], alias: 't', ...all };
  }
}

const daysAgo = ({ nowMs }: FeedReader, days: number): string => isoOf(nowMs - days * dayMs);

/** The time from which the feed has closed treatments: recent ones, and the treatments of open or recent drawers. */
const recentSince = `greatest($8::timestamptz, least($7::timestamptz, (select min(w.opened_at) from drawers w
  where w.clinic_id = $1 and w.id in (${recentDrawers('$7::timestamptz')}))))`;

const feedSettings = `select s.xid::text as xid, s.clinic_id::text as id, s.data as row from settings s`;

/**
 * A rewritten operation, with the document that it issued, so that a restored server can get it back complete. A call over REST
 * has no place in the sequence of its device, which never had the operation.
 */
const rewrittenOperation = `jsonb_build_object('op_id', r.op_id, 'device_id', r.device_id, 'device_seq', r.device_seq,
  'aggregate', r.aggregate, 'depends_on', '[]'::jsonb, 'kind', r.kind, 'v', r.v, 'payload', r.payload::jsonb || ${documentIssuedBy('r')},
  'actor_id', r.actor_id, 'occurred_at', ${isoText('r.occurred_at')}, 'clock_offset_ms', r.clock_offset_ms)
  || case when r.supersedes is null then '{}' else jsonb_build_object('supersedes', r.supersedes) end
  || case when r.approved_by is null then '{}' else jsonb_build_object('approval', ${storedApproval('r.')}) end`;

const feedReceipts = `select r.xid::text as xid, r.op_id::text as id, json_build_object(
  'op_id', r.op_id, 'device_seq', r.device_seq, 'status', r.status, 'code', r.reply::json ->> 'code',
  'message', r.reply::json ->> 'message', 'details', r.reply::json -> 'details', 'superseded_by', r.superseded_by, 'operation', case when r.rewritten and r.device_seq > 0 then ${rewrittenOperation} end) as row from sync_ops r`;

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

export interface Bounds {
  epoch: string;
  /** Sees what is committed. */
  snapshot: Snapshot;
  /** The tables with changes for the reader. */
  changed: FeedTable[];
  counters: Record<string, NumberCounters> | null;
  /** The fiscal records that wait for the tax agency. */
  unsentRecords: number;
  /** When the reader's device was asked to lock. */
  lockAskedAt: string | null;
}

/** Asks all tables for changes in one statement, because most pulls find none. */
export async function readBounds(sql: Sql, reader: FeedReader, cursor: Cursor): Promise<Bounds> {
  return readBy<Bounds>(sql, reader, cursor, { name: 'feed bounds', text: boundsQuery });
}

/** The bounds of a page. */
interface PageBounds extends Bounds {
  /** The last transaction that wrote a row of one of the tables; '0' when there is none. */
  lastWriter: string;
}

export async function readPageBounds(sql: Sql, reader: FeedReader, cursor: Cursor): Promise<PageBounds> {
  return readBy<PageBounds>(sql, reader, cursor, { name: 'feed page bounds', text: pageBoundsQuery });
}

async function readBy<T extends Bounds>(
  sql: Sql,
  reader: FeedReader,
  cursor: Cursor,
  { name, text }: { name: string; text: string },
): Promise<T> {
  const seen = [cursor.seen, ...feedParts.map((part) => seenOf(reader, cursor, part))];
  const [found] = await rowsOf<T>(sql, name, text, [reader.clinicId, reader.deviceId, ...seen]);
  return { ...found!, changed: found!.changed.filter((table) => isRead(reader, table)) };
}
