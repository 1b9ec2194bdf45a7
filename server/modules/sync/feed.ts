/**
 * The change feed (SYNC-9). Every feed table's rows carry the transaction that last wrote them. A page ends below the
 * oldest transaction still running, so a transaction that commits late is never skipped, and nobody has to wait for
 * anybody to keep the order.
 *
 * The cursor says for each table how far the reader is. The first pages carry `floor`: up to there the reader knows
 * nothing, so treatments that are long closed are spared; from there on it gets everything.
 */
import type { Pool } from 'pg';
import { drawerRowDocument } from '../../../domain/drawer/document.ts';
import type { DrawerRow } from '../../../domain/drawer/document.ts';
import type { OrderDocument } from '../../../domain/order/document.ts';
import { orderDocument } from '../../../domain/order/document.ts';
import type { Order } from '../../../domain/order/order.ts';
import type { AttentionDocument, ChangesPage, ReceiptDocument } from '../../../domain/protocol/sync.ts';
import type { ClinicSettings } from '../../../domain/settings/settings.ts';
import { homes, lookAround, source, tables } from './feed-tables.ts';
import type { Cursor, FeedReader, FeedTable, Look, Place } from './feed-tables.ts';
import { isoOf, rowsOf } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { inTransaction } from '../../db/transaction.ts';

const pageRows = 500;
interface FeedRow {
  xid: string;
  id: string;
  row: unknown;
}

/**
 * One page after the cursor.
 *
 * @returns null when the cursor is of another epoch or ahead of this server: the reader starts over
 */
export async function readChanges(pool: Pool, reader: FeedReader, cursorText: string | undefined): Promise<ChangesPage | null> {
  const asked = cursorText ? decode(cursorText) : beginning;
  if (!asked) return null;
  const glance = await lookAround(pool, reader, asked);
  // Where there is something to tell, all of it is read as of one moment, and that is a new one.
  if (glance.changed.length > 0) return inTransaction(pool, (sql) => readPage(sql, reader, asked), 'snapshot');
  return isCurrent(asked, glance) ? pageOf(reader, asked, glance, {}) : null;
}

async function readPage(sql: Sql, reader: FeedReader, asked: Cursor): Promise<ChangesPage | null> {
  const look = await lookAround(sql, reader, asked);
  if (!isCurrent(asked, look)) return null;
  const cursor = asked === beginning ? { ...beginning, floor: look.horizon } : asked;
  const found: Found = {};
  for (const table of look.changed) found[table] = await readTable(sql, reader, cursor, table, look.horizon);
  return pageOf(reader, cursor, look, found);
}

/** By table; what has nothing to tell is left out. */
type Found = Partial<Record<FeedTable, FeedRow[]>>;

function pageOf(reader: FeedReader, cursor: Cursor, { epoch, counters }: Look, found: Found): ChangesPage {
  const more = tables.some((table) => found[table]?.length === pageRows);
  const places = { ...cursor.places };
  for (const table of tables) {
    const last = found[table]?.at(-1);
    if (last) places[table] = [last.xid, last.id];
  }
  const live = <T>(table: FeedTable) => (found[table] ?? []).filter(({ row }) => row !== null).map(({ row }) => row as T);
  const gone = (table: FeedTable) => (found[table] ?? []).filter(({ row }) => row === null).map(({ id }) => Number(id));
  return {
    epoch,
    cursor: encode({ epoch, places, floor: more ? cursor.floor : null }),
    more,
    server_time: isoOf(reader.nowMs),
    rows: {
      orders: live<Order>('orders').map((order): OrderDocument => orderDocument(order)),
      stock: live('stock'),
      products: live('products'),
      categories: live('categories'),
      attention: live<AttentionDocument>('attention'),
      drawers: live<DrawerRow>('drawers').map(drawerRowDocument),
      patients: live('patients'),
      rooms: live('rooms'),
      settings: live<ClinicSettings>('settings').at(-1) ?? null,
    },
    tombstones: { stock: gone('stock'), products: gone('products'), categories: gone('categories'), rooms: gone('rooms') },
    receipts: live<ReceiptDocument>('receipts'),
    counters,
  };
}

async function readTable(sql: Sql, reader: FeedReader, cursor: Cursor, table: FeedTable, horizon: string): Promise<FeedRow[]> {
  const [xid, id] = cursor.places[table];
  const { key } = homes[table];
  const { select, alias, extra, values } = source(reader, cursor, table);
  return rowsOf<FeedRow>(
    sql,
    `feed ${table} ${cursor.floor === null}`,
    `${select} where ${alias}.clinic_id = $1 and (${alias}.xid, ${alias}.${key.column}) > ($2::xid8, $3::${key.type})
       and ${alias}.xid < $4::xid8 and ${extra} order by ${alias}.xid, ${alias}.${key.column} limit ${pageRows}`,
    [reader.clinicId, xid, id === '' ? key.lowest : id, horizon, ...values],
  );
}

/** Of a reader that knows nothing. */
const beginning: Cursor = {
  epoch: '',
  places: Object.fromEntries(tables.map((table) => [table, ['0', ''] satisfies Place])) as Record<FeedTable, Place>,
  floor: null,
};

/** It is of this server's present life, and not ahead of it. */
function isCurrent(cursor: Cursor, { epoch, next }: Look): boolean {
  if (cursor === beginning) return true;
  return cursor.epoch === epoch && tables.every((table) => BigInt(cursor.places[table][0]) < BigInt(next));
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
