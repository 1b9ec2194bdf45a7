/**
 * The change feed (SYNC-9). Every feed table's rows carry the transaction that last wrote them, and the cursor is a snapshot:
 * a page tells what is committed now and was not then. So a transaction that commits late is never skipped, a long one
 * holds nobody's news back, and a row comes with the receipts of all that is in it, because one commit made both.
 *
 * What does not fit one page is told in rounds. A round has an end, the snapshot of its first page, and is read on from
 * place to place; rows that were written meanwhile belong to the next one. The pull is complete with a round of one page,
 * for that page is of one moment.
 *
 * The first pages carry `floor`: of what it sees the reader knows nothing, so treatments that are long closed are spared;
 * from there on it gets everything.
 */
import type { Pool } from 'pg';
import { drawerRowResource } from '../../../domain/drawer/resource.ts';
import type { DrawerRow } from '../../../domain/drawer/resource.ts';
import type { OrderResource } from '../../../domain/order/resource.ts';
import { orderResource } from '../../../domain/order/resource.ts';
import type { Order } from '../../../domain/order/order.ts';
import type { AttentionResource, ChangesPage, ReceiptResource } from '../../../domain/protocol/sync.ts';
import type { ClinicSettings } from '../../../domain/settings/settings.ts';
import { homes, lookAround, lookClosely, source, tables, unseenBy } from './tables.ts';
import type { Cursor, FeedReader, FeedTable, Look, Place, Places } from './tables.ts';
import { emptySnapshot, endingWith, isAhead, isSnapshot, lowestUnseen } from './snapshot.ts';
import type { Snapshot } from './snapshot.ts';
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
export async function readChanges(
  pool: Pool,
  reader: FeedReader,
  cursorText: string | undefined,
): Promise<ChangesPage | null> {
  const asked = cursorText ? decode(cursorText) : beginning;
  if (!asked) return null;
  // At the beginning and within a round nobody need look whether there is something to tell.
  const glance = asked === beginning || asked.round ? null : await lookAround(pool, reader, asked);
  // Where there is, all of it is read as of one moment, and that is a new one.
  if (!glance || glance.changed.length > 0)
    return inTransaction(pool, (sql) => readPage(sql, reader, asked), 'snapshot');
  return isCurrent(asked, glance) ? pageOf(reader, asked, { ...glance, snapshot: asked.seen }, {}) : null;
}

async function readPage(sql: Sql, reader: FeedReader, asked: Cursor): Promise<ChangesPage | null> {
  const now = await lookClosely(sql, reader, asked);
  if (!isCurrent(asked, now)) return null;
  const look = { ...now, snapshot: endingWith(now.lastWriter, now.snapshot) };
  const cursor = asked === beginning ? { ...beginning, floor: look.snapshot } : asked;
  const { until, places } = cursor.round ?? { until: look.snapshot, places: placesBefore(cursor.seen) };
  const found: Found = {};
  for (const table of look.changed)
    found[table] = await readTable(sql, reader, cursor, table, { until, place: places[table] });
  return pageOf(reader, cursor, look, found);
}

/** By table; what has nothing to tell is left out. */
type Found = Partial<Record<FeedTable, FeedRow[]>>;

function pageOf(reader: FeedReader, cursor: Cursor, look: Look, found: Found): ChangesPage {
  const { epoch, counters } = look;
  const next = cursorAfter(cursor, look, found);
  const more = next.round !== null || cursor.round !== null;
  const live = <T>(table: FeedTable) =>
    (found[table] ?? []).filter(({ row }) => row !== null).map(({ row }) => row as T);
  const gone = (table: FeedTable) => (found[table] ?? []).filter(({ row }) => row === null).map(({ id }) => Number(id));
  return {
    epoch,
    cursor: encode(more ? next : { ...next, floor: null }),
    more,
    server_time: isoOf(reader.nowMs),
    rows: {
      orders: live<Order>('orders').map((order): OrderResource => orderResource(order)),
      stock: live('stock'),
      products: live('products'),
      categories: live('categories'),
      attention: live<AttentionResource>('attention'),
      drawers: live<DrawerRow>('drawers').map(drawerRowResource),
      patients: live('patients'),
      rooms: live('rooms'),
      settings: live<ClinicSettings>('settings').at(-1) ?? null,
    },
    tombstones: {
      stock: gone('stock'),
      products: gone('products'),
      categories: gone('categories'),
      rooms: gone('rooms'),
    },
    receipts: live<ReceiptResource>('receipts'),
    counters,
  };
}

function cursorAfter(cursor: Cursor, { epoch, snapshot }: Look, found: Found): Cursor {
  const { until, places } = cursor.round ?? { until: snapshot, places: placesBefore(cursor.seen) };
  const isFull = tables.some((table) => found[table]?.length === pageRows);
  if (!isFull) return { ...cursor, epoch, seen: until, round: null };
  const reached = { ...places };
  for (const table of tables) {
    const last = found[table]?.at(-1);
    if (last) reached[table] = [last.xid, last.id];
  }
  return { ...cursor, epoch, round: { until, places: reached } };
}

const everywhere = (place: Place): Places => Object.fromEntries(tables.map((table) => [table, place])) as Places;

/** Nothing that the snapshot does not see lies before them. */
const placesBefore = (seen: Snapshot): Places => everywhere([lowestUnseen(seen), '']);

async function readTable(
  sql: Sql,
  reader: FeedReader,
  { seen, floor }: Cursor,
  table: FeedTable,
  { until, place: [xid, id] }: { until: Snapshot; place: Place },
): Promise<FeedRow[]> {
  const { key } = homes[table];
  const { select, alias, extra, values } = source(reader, floor, table);
  return rowsOf<FeedRow>(
    sql,
    `feed ${table} ${floor === null}`,
    `${select} where ${alias}.clinic_id = $1 and (${alias}.xid, ${alias}.${key.column}) > ($2::xid8, $3::${key.type})
       and ${unseenBy(alias, '$4')} and pg_visible_in_snapshot(${alias}.xid, $5::pg_snapshot) and ${extra}
       order by ${alias}.xid, ${alias}.${key.column} limit ${pageRows}`,
    [reader.clinicId, xid, id === '' ? key.lowest : id, seen, until, ...values],
  );
}

/** Of a reader that knows nothing. */
const beginning: Cursor = { epoch: '', seen: emptySnapshot, round: null, floor: null };

/** It is of this server's present life, and not ahead of it. */
function isCurrent(cursor: Cursor, { epoch, snapshot }: Look): boolean {
  if (cursor === beginning) return true;
  const told = [cursor.seen, ...(cursor.round ? [cursor.round.until] : [])];
  return cursor.epoch === epoch && !told.some((one) => isAhead(one, snapshot));
}

function encode({ epoch, seen, round, floor }: Cursor): string {
  const places = round && tables.map((table) => round.places[table]);
  return Buffer.from(JSON.stringify([epoch, seen, floor, round && [round.until, places]])).toString('base64url');
}

/** Null when the text is no cursor of ours. */
function decode(text: string): Cursor | null {
  try {
    const [epoch, seen, floor, round] = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[];
    if (typeof epoch !== 'string' || !isSnapshot(seen) || (floor !== null && !isSnapshot(floor))) return null;
    const decoded = round === null ? null : decodeRound(round);
    return decoded === undefined ? null : { epoch, seen, floor, round: decoded };
  } catch {
    return null;
  }
}

/** Undefined when it is none. */
function decodeRound(value: unknown): Cursor['round'] | undefined {
  const [until, places] = value as [unknown, unknown];
  if (!isSnapshot(until) || !Array.isArray(places) || places.length !== tables.length || !places.every(isPlace))
    return undefined;
  return { until, places: Object.fromEntries(tables.map((table, index) => [table, places[index]])) as Places };
}

const isPlace = (place: unknown): place is Place =>
  Array.isArray(place) &&
  isXid(place[0]) &&
  typeof place[1] === 'string' &&
  /^([0-9]{0,18}|[0-9a-f-]{36})$/.test(place[1]);

const isXid = (value: unknown): value is string => typeof value === 'string' && /^\d{1,18}$/.test(value);
