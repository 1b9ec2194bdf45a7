/**
 * The change feed (SYNC-9). Each row of a feed table carries the transaction that last wrote it, and the cursor is a
 * snapshot. A page returns the rows that are committed now and were not visible to the cursor. So the feed never skips
 * a transaction that commits late, a long transaction delays no other rows, and a row arrives with the receipts of its
 * operations, because one commit wrote both.
 *
 * Changes that exceed one page are read in rounds. A round ends at the snapshot of its first page; rows that are
 * written during the round belong to the next round. The pull is complete after a round of one page, because that page
 * has one snapshot.
 *
 * Every reader gets the tables and columns of their role (`domain/column-permissions.ts`). A cursor remembers the tables
 * of which its reader did not get all, and up to where the device has them whole. So the next reader of the same tablet
 * gets what the one before did not: a manager after a clerk, or a person after their session was only locked.
 *
 * During the first pull the cursor carries `floor`, the snapshot of the first page. The reader has nothing of what
 * `floor` sees, so treatments that were closed long before are left out. All later changes are returned. A device may
 * have the patients left out too, and reads them in the order of their ids (`GET /sync/patients`): a patient who is new or
 * changes during that comes with the feed.
 */
import type { Pool } from 'pg';
import { shownTo } from '#domain/column-permissions.ts';
import { drawerRowResource } from '#domain/drawer/resource.ts';
import type { DrawerRow } from '#domain/drawer/resource.ts';
import { asShown } from '#domain/order/without-names.ts';
import type { Order } from '#domain/order/order.ts';
import { feedParts } from '#domain/protocol/sync.ts';
import type { AttentionResource, ChangesPage, FeedPart, ReceiptResource } from '#domain/protocol/sync.ts';
import type { StockResource } from '#domain/stock/resources.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import { isoOf } from '#domain/instant.ts';
import { KnownRows } from './known-rows.ts';
import { isReadWhole, omitsPatients, placeBefore, placesBefore, seesPatients, tables, wholeUpTo } from './reader.ts';
import type { Cursor, FeedReader, FeedTable, Place, Places } from './reader.ts';
import { readBounds, readPageBounds } from './bounds-store.ts';
import type { Bounds } from './bounds-store.ts';
import { readTable } from './store.ts';
import type { FeedRow, TablePage } from './store.ts';
import { emptySnapshot, endingWith, isAhead, isSnapshot } from './snapshot.ts';
import type { Snapshot } from './snapshot.ts';
import { publishChange } from '#server/events/pokes.ts';
import { withinClinic } from '#server/db/database.ts';
import type { Ports, Pull } from '#server/ports.ts';
import type { Session } from '#server/context.ts';
import { recordReport } from '../devices/service.ts';
import type { Sql } from '#server/db/sql.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { signedAgain } from '#server/operations/proof.ts';
import { loadClinic } from '#server/operations/store.ts';

/** False for a locked tablet, which reads only what the counter shows. */
export const readsFully = ({ scope, isUnlocked }: Pick<Session, 'scope' | 'isUnlocked'>): boolean =>
  scope !== 'sync' || isUnlocked;

/** With each pull a device reports how many of its operations wait. */
export const pullFrom =
  ({ database, clock }: Ports, known = new KnownRows()): Pull =>
  async (session, { cursor, lacks, waiting, later }, options) => {
    const { clinicId, deviceId, role } = session;
    const pool = withinClinic(database, clinicId);
    const completes =
      waiting !== undefined &&
      deviceId !== null &&
      (await recordReport(pool, { clinicId, deviceId, waiting, atMs: clock() }));
    if (completes) publishChange(pool, clinicId);
    const reader = {
      clinicId,
      deviceId,
      known,
      role,
      isFull: readsFully(session),
      readsPatientsLater: later === 'patients',
      nowMs: clock(),
    };
    return readChanges(pool, reader, cursor, { lacks, ...options });
  };

/**
 * Returns the page after the cursor, or null when the cursor is of another epoch or ahead of this server. The reader
 * then starts over.
 *
 * @param isChanged true when the caller knows of a change, so that the tables need not be asked first
 */
async function readChanges(
  pool: Pool,
  reader: FeedReader,
  cursorText: string | undefined,
  { lacks = [], isChanged = false }: { lacks?: readonly FeedPart[] | undefined; isChanged?: boolean } = {},
): Promise<ChangesPage | null> {
  const known = cursorText ? decode(cursorText) : startCursor;
  if (!known || (seesPatients(reader) && !known.patients)) return null;
  const asked = known === startCursor ? known : withoutParts(known, lacks);
  // A first page and a page within a round are read without asking first whether there is a change.
  const bounds = isChanged || asked === startCursor || asked.round ? null : await readBounds(pool, reader, asked);
  // The page is read in a snapshot of its own, which is newer than the one above.
  if (!bounds || bounds.changed.length > 0)
    return inTransaction(pool, (sql) => readPage(sql, reader, asked), 'snapshot');
  return isCurrent(asked, bounds) ? pageOf(reader, asked, { ...bounds, snapshot: asked.seen }, {}) : null;
}

/** Returns the cursor of a reader that has none of these parts. */
function withoutParts(cursor: Cursor, lacks: readonly FeedPart[]): Cursor {
  const nothing = <T>(value: T) => Object.fromEntries(lacks.map((part) => [part, value]));
  const { unread, round } = cursor;
  return {
    ...cursor,
    unread: { ...unread, ...nothing(emptySnapshot) },
    round: round && { ...round, places: { ...round.places, ...nothing(placeBefore(emptySnapshot)) } },
  };
}

async function readPage(sql: Sql, reader: FeedReader, asked: Cursor): Promise<ChangesPage | null> {
  const now = await readPageBounds(sql, reader, asked);
  if (!isCurrent(asked, now)) return null;
  const look = { ...now, snapshot: endingWith(now.lastWriter, now.snapshot) };
  const cursor = asked === startCursor ? { ...startCursor, floor: look.snapshot } : asked;
  const { until, places } = cursor.round ?? { until: look.snapshot, places: placesBefore(reader, cursor) };
  const isOmitted = (table: FeedTable) =>
    (table === 'patients' || table === 'patient_details') && omitsPatients(reader, cursor);
  const read = look.changed
    .filter((table) => !isOmitted(table))
    .map(async (table) => [table, await readTable(sql, reader, cursor, { table, until, place: places[table] })]);
  const found = Object.fromEntries(await Promise.all(read)) as Found;
  if (found.receipts) await signRewritten(sql, reader, found.receipts.rows);
  return pageOf(reader, cursor, look, found);
}

/** Signs rewritten operations, because the proof of the operation that the device sent does not cover them. */
async function signRewritten(sql: Sql, { clinicId }: FeedReader, receipts: readonly FeedRow[]): Promise<void> {
  const rewritten = receipts.flatMap(({ row }) => ((row as ReceiptResource).operation ? [row as ReceiptResource] : []));
  if (rewritten.length === 0) return;
  const { actorKeySecret } = await loadClinic(sql, clinicId);
  for (const receipt of rewritten) receipt.operation = signedAgain(actorKeySecret, receipt.operation!);
}

/** Pages by table; tables without changes are left out. */
type Found = Partial<Record<FeedTable, TablePage>>;

function pageOf(reader: FeedReader, cursor: Cursor, look: Bounds, found: Found): ChangesPage {
  const { epoch, counters, unsentRecords, lockAskedAt } = look;
  const next = { ...cursorAfter(reader, cursor, look, found), patients: seesPatients(reader) };
  const more = next.round !== null || cursor.round !== null;
  const live = <T>(table: FeedTable) =>
    (found[table]?.rows ?? []).filter(({ row }) => row !== null).map(({ row }) => row as T);
  const gone = (table: FeedTable) =>
    (found[table]?.rows ?? []).filter(({ row }) => row === null).map(({ id }) => Number(id));
  return {
    epoch,
    cursor: encode(more ? next : { ...next, floor: null }),
    more,
    server_time: isoOf(reader.nowMs),
    rows: {
      orders: live<Order>('orders').map((order) => shownTo(reader.role, 'order', asShown(order))),
      stock: live<StockResource>('stock').map((item) => shownTo(reader.role, 'stock', item)),
      products: live('products'),
      categories: live('categories'),
      attention: live<AttentionResource>('attention'),
      drawers: live<DrawerRow>('drawers').map(drawerRowResource),
      patients: live('patients'),
      patient_details: live('patient_details'),
      rooms: live('rooms'),
      settings:
        live<ClinicSettings>('settings')
          .map((row) => shownTo(reader.role, 'settings', row))
          .at(-1) ?? null,
    },
    tombstones: {
      stock: gone('stock'),
      products: gone('products'),
      categories: gone('categories'),
      rooms: gone('rooms'),
    },
    receipts: live<ReceiptResource>('receipts').map((receipt) => shownTo(reader.role, 'receipt', receipt)),
    counters,
    ...(unsentRecords > 0 && { unsent_records: unsentRecords }),
    ...(lockAskedAt !== null && { lock_asked_at: lockAskedAt }),
    ...(omitsPatients(reader, cursor) && { patients_follow: true }),
  };
}

function cursorAfter(reader: FeedReader, cursor: Cursor, { epoch, snapshot }: Bounds, found: Found): Cursor {
  const { until, places } = cursor.round ?? { until: snapshot, places: placesBefore(reader, cursor) };
  const isFull = tables.some((table) => found[table]?.isFull);
  if (!isFull) {
    const kept = feedParts.filter((part) => !isReadWhole(reader, part)).map((part) => [part, wholeUpTo(cursor, part)]);
    return { ...cursor, epoch, seen: until, unread: Object.fromEntries(kept), round: null };
  }
  const reached = { ...places };
  for (const table of tables) {
    const last = found[table]?.rows.at(-1);
    if (last) reached[table] = [last.xid, last.id];
  }
  return { ...cursor, epoch, round: { until, places: reached } };
}

/** The cursor of a reader that has nothing. */
const startCursor: Cursor = { epoch: '', seen: emptySnapshot, unread: {}, round: null, floor: null, patients: true };

/** Returns true when the cursor is of this server's epoch and not ahead of it. */
function isCurrent(cursor: Cursor, { epoch, snapshot }: Bounds): boolean {
  if (cursor === startCursor) return true;
  const snapshots = [cursor.seen, ...(cursor.round ? [cursor.round.until] : [])];
  return cursor.epoch === epoch && !snapshots.some((one) => isAhead(one, snapshot));
}

function encode({ epoch, seen, unread, round, floor, patients }: Cursor): string {
  const places = round && tables.map((table) => round.places[table]);
  return Buffer.from(
    JSON.stringify([
      epoch,
      seen,
      floor,
      round && [round.until, places],
      patients,
      feedParts.map((part) => unread[part]),
    ]),
  ).toString('base64url');
}

/** Returns null when the text is not a cursor. */
function decode(text: string): Cursor | null {
  try {
    const [epoch, seen, floor, round, patients, parts] = JSON.parse(
      Buffer.from(text, 'base64url').toString(),
    ) as unknown[];
    if (typeof epoch !== 'string' || !isSnapshot(seen) || (floor !== null && !isSnapshot(floor))) return null;
    if (typeof patients !== 'boolean') return null;
    const decoded = round === null ? null : decodeRound(round);
    const unread = decodeUnread(parts);
    return decoded === undefined || !unread ? null : { epoch, seen, unread, floor, round: decoded, patients };
  } catch {
    return null;
  }
}

/** Returns null when the value is no list of snapshots by part. A cursor of an earlier version lacks the last ones. */
function decodeUnread(value: unknown): Cursor['unread'] | null {
  if (!Array.isArray(value) || value.length > feedParts.length) return null;
  if (!value.every((snapshot) => snapshot === null || isSnapshot(snapshot))) return null;
  const known = (value as (Snapshot | null)[]).map((snapshot, index) => [feedParts[index], snapshot] as const);
  return Object.fromEntries(known.filter(([, snapshot]) => snapshot !== null));
}

/** Returns undefined when the value is not a round. */
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
