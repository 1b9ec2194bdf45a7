/**
 * The change feed (SYNC-9). Every feed table's rows carry the transaction that last wrote them. A page ends below the
 * oldest transaction still running, so a transaction that commits late is never skipped, and nobody has to wait for
 * anybody to keep the order.
 *
 * The cursor says for each table how far the reader is. The first pages carry `floor`: up to there the reader knows
 * nothing, so treatments that are long closed are spared; from there on it gets everything.
 */
import { drawerRowDocument } from '../../../domain/drawer/document.ts';
import type { DrawerRow } from '../../../domain/drawer/document.ts';
import type { OrderDocument } from '../../../domain/order/document.ts';
import { orderDocument } from '../../../domain/order/document.ts';
import type { NumberCounters } from '../../../domain/order/numbers.ts';
import type { Order } from '../../../domain/order/order.ts';
import type { AttentionDocument, ChangesPage, ReceiptDocument } from '../../../domain/protocol/sync.ts';
import type { ClinicSettings } from '../../../domain/settings/settings.ts';
import { homes, source, tables, tablesWithNews } from './feed-tables.ts';
import type { Cursor, FeedReader, FeedTable, Place } from './feed-tables.ts';
import { isoOf, rowsOf } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';

const pageRows = 500;
interface FeedRow {
  xid: string;
  id: string;
  row: unknown;
}

/**
 * One page after the cursor, read in the caller's snapshot transaction.
 *
 * @returns null when the cursor is of another epoch or ahead of this server: the reader starts over
 */
export async function readChanges(sql: Sql, reader: FeedReader, cursorText: string | undefined): Promise<ChangesPage | null> {
  const [bounds] = await rowsOf<{ horizon: string; next: string }>(
    sql,
    'feed bounds',
    `select pg_snapshot_xmin(pg_current_snapshot())::text as horizon, pg_snapshot_xmax(pg_current_snapshot())::text as next`,
    [],
  );
  const { horizon, next } = bounds!;
  const cursor = cursorText ? decode(cursorText) : start(reader.epoch, horizon);
  if (!cursor || cursor.epoch !== reader.epoch || isAhead(cursor, next)) return null;

  const found = {} as Record<FeedTable, FeedRow[]>;
  const changed = await tablesWithNews(sql, reader, cursor, horizon);
  for (const table of tables) found[table] = changed.has(table) ? await readTable(sql, reader, cursor, table, horizon) : [];
  const more = tables.some((table) => found[table].length === pageRows);
  const places = { ...cursor.places };
  for (const table of tables) {
    const last = found[table].at(-1);
    if (last) places[table] = [last.xid, last.id];
  }
  const live = <T>(table: FeedTable) => found[table].filter(({ row }) => row !== null).map(({ row }) => row as T);
  const gone = (table: FeedTable) => found[table].filter(({ row }) => row === null).map(({ id }) => Number(id));
  return {
    epoch: reader.epoch,
    cursor: encode({ epoch: reader.epoch, places, floor: more ? cursor.floor : null }),
    more,
    server_time: isoOf(reader.nowMs),
    rows: {
      orders: live<Order>('orders').map((order): OrderDocument => orderDocument(order)),
      stock: live('stock'),
      products: live('products'),
      categories: live('categories'),
      attention: live<AttentionDocument>('attention'),
      drawers: live<DrawerRow>('drawers').map(drawerRowDocument),
      settings: live<ClinicSettings>('settings').at(-1) ?? null,
    },
    tombstones: { stock: gone('stock'), products: gone('products'), categories: gone('categories') },
    receipts: live<ReceiptDocument>('receipts'),
    counters: await deviceCounters(sql, reader),
  };
}

async function readTable(sql: Sql, reader: FeedReader, cursor: Cursor, table: FeedTable, horizon: string): Promise<FeedRow[]> {
  const [xid, id] = cursor.places[table];
  const { key } = homes[table];
  const { select, alias, extra, values } = source(reader, cursor, table);
  if (extra === 'false') return [];
  return rowsOf<FeedRow>(
    sql,
    `feed ${table} ${cursor.floor === null}`,
    `${select} where ${alias}.clinic_id = $1 and (${alias}.xid, ${alias}.${key.column}) > ($2::xid8, $3::${key.type})
       and ${alias}.xid < $4::xid8 and ${extra} order by ${alias}.xid, ${alias}.${key.column} limit ${pageRows}`,
    [reader.clinicId, xid, id === '' ? key.lowest : id, horizon, ...values],
  );
}

/** What the server has seen under each code of the device. */
async function deviceCounters(sql: Sql, { clinicId, deviceId }: FeedReader): Promise<Record<string, NumberCounters> | null> {
  if (deviceId === null) return null;
  const [row] = await rowsOf<{ counters: Record<string, NumberCounters> | null }>(
    sql,
    'device counters now',
    `select json_object_agg(code, json_build_object('treatment', treatment, 'invoice', invoice, 'credit_note', credit_note)) as counters
     from device_codes where clinic_id = $1 and device_id = $2`,
    [clinicId, deviceId],
  );
  return row?.counters ?? null;
}

function start(epoch: string, horizon: string): Cursor {
  const places = Object.fromEntries(tables.map((table) => [table, ['0', ''] satisfies Place])) as Record<FeedTable, Place>;
  return { epoch, places, floor: horizon };
}

function isAhead(cursor: Cursor, next: string): boolean {
  return tables.some((table) => BigInt(cursor.places[table][0]) >= BigInt(next));
}

function encode(cursor: Cursor): string {
  return Buffer.from(JSON.stringify([cursor.epoch, cursor.floor, tables.map((table) => cursor.places[table])])).toString('base64url');
}

/** Null when the text is no cursor of ours. */
function decode(text: string): Cursor | null {
  try {
    const [epoch, floor, places] = JSON.parse(Buffer.from(text, 'base64url').toString()) as [unknown, unknown, unknown];
    if (typeof epoch !== 'string' || (floor !== null && !isXid(floor)) || !Array.isArray(places) || places.length !== tables.length) return null;
    const isPlace = (place: unknown): place is Place =>
      Array.isArray(place) && isXid(place[0]) && typeof place[1] === 'string' && /^([0-9]{0,18}|[0-9a-f-]{36})$/.test(place[1]);
    if (!places.every(isPlace)) return null;
    const byTable = Object.fromEntries(tables.map((table, index) => [table, places[index]])) as Record<FeedTable, Place>;
    return { epoch, floor, places: byTable };
  } catch {
    return null;
  }
}

const isXid = (value: unknown): value is string => typeof value === 'string' && /^\d{1,19}$/.test(value);
