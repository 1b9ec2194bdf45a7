/** The tables of the change feed in SQL: where their rows are stored, and which of them a reader gets. */
import { dayMs } from '#domain/durations.ts';
import { feedAttention, openOrderConcerns } from '../attention/service.ts';
import { feedDrawers, recentDrawers } from '../drawers/service.ts';
import { documentIssuedBy, feedOrders } from '../orders/service.ts';
import { feedPatientDetails, feedPatients, hasHadDetails } from '../patients/service.ts';
import { feedRooms } from '../rooms/service.ts';
import { feedCatalogue } from '../stock/service.ts';
import { closedDrawerDays } from '#domain/drawer/drawer.ts';
import { isoOf } from '#domain/instant.ts';
import { storedApproval } from '#server/operations/receipts.ts';
import { isoText } from '#server/db/sql.ts';
import { seenOf } from './reader.ts';
import type { Cursor, FeedReader, FeedTable } from './reader.ts';
import { emptySnapshot } from './snapshot.ts';

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
export const storage: Record<FeedTable, { from: string; key: ReturnType<typeof uuidKey> }> = {
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
export const unseenBy = (alias: string, snapshot: string): string =>
  `${alias}.xid >= pg_snapshot_xmin(${snapshot}::pg_snapshot) and not pg_visible_in_snapshot(${alias}.xid, ${snapshot}::pg_snapshot)`;

/** All rows of a table. */
export const all = { extra: 'true', values: [] as unknown[] };

/** Returns the query for the rows of a table that a reader gets, with the values of its parameters from `$6` on. */
export function selectionOf(reader: FeedReader, cursor: Cursor, table: FeedTable) {
  const { floor } = cursor;
  // Empty when somebody comes to a tablet that has no rows of the table.
  const seen = seenOf(reader, cursor, table);
  switch (table) {
    case 'orders': {
      const select = feedOrders;
      // Somebody comes who may read more than those before: the tablet needs what it shows.
      const shownOnly = floor === null && seen === emptySnapshot;
      if (floor === null && !shownOnly) return { select, alias: 'o', ...all };
      return {
        select,
        alias: 'o',
        // A manager needs the treatments of open attention items, however old they are.
        extra: `(not pg_visible_in_snapshot(o.xid, $6::pg_snapshot) or o.status = 'confirmed' or o.updated_at >= ${recentSince} or o.id in (${openOrderConcerns}))`,
        values: [floor ?? everything, daysAgo(reader, recentDays), daysAgo(reader, drawerOrderDays)],
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

/** A snapshot that sees all rows. */
const everything = '9000000000000000000:9000000000000000000:';

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
