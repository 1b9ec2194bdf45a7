/** Who reads the change feed: which tables, and up to where they have them. */
import { readsAll, tableActions } from '#domain/column-permissions.ts';
import { may } from '#domain/permissions.ts';
import type { Action } from '#domain/permissions.ts';
import { feedParts } from '#domain/protocol/sync.ts';
import type { FeedPart } from '#domain/protocol/sync.ts';
import type { Role } from '#domain/staff/roles.ts';
import type { KnownRows } from './known-rows.ts';
import { emptySnapshot, lowestUnseen } from './snapshot.ts';
import type { Snapshot } from './snapshot.ts';

/** A place in one table: the last row that was returned, by transaction and key. */
export type Place = [xid: string, id: string];

export const tables = [
  'orders',
  'stock',
  'products',
  'categories',
  'attention',
  'drawers',
  'rooms',
  'patients',
  'patient_details',
  'settings',
  'receipts',
] as const;
export type FeedTable = (typeof tables)[number];

export type Places = Record<FeedTable, Place>;

export interface Cursor {
  epoch: string;
  /** The reader has every row that this snapshot sees. */
  seen: Snapshot;
  /** The tables of which the reader did not get all, each with the snapshot up to which the device has whole rows. */
  unread: Partial<Record<FeedPart, Snapshot>>;
  /** Set while the changes need several pages: the snapshot at which the round ends, and the places reached so far. */
  round: { until: Snapshot; places: Places } | null;
  /** The snapshot of the first page; null once the first pull is complete. */
  floor: Snapshot | null;
  /**
   * False when a person read who may not see patients. The next one on the device who may starts over, because rows
   * came without names.
   */
  patients: boolean;
}

export const isPart = (table: FeedTable): table is FeedPart => (feedParts as readonly FeedTable[]).includes(table);

/** Returns the snapshot up to which the device has whole rows of a table. */
export const wholeUpTo = ({ seen, unread }: Cursor, part: FeedPart): Snapshot => unread[part] ?? seen;

/** Returns the snapshot up to which the device has what the reader may read of a table. */
export const seenOf = (reader: FeedReader, cursor: Cursor, table: FeedTable): Snapshot =>
  isPart(table) && (isReadWhole(reader, table) || !isRead(reader, table)) ? wholeUpTo(cursor, table) : cursor.seen;

/** Returns a place for each table. The reader has all rows before it. */
export const placesBefore = (reader: FeedReader, cursor: Cursor): Places =>
  Object.fromEntries(tables.map((table) => [table, placeBefore(seenOf(reader, cursor, table))])) as Places;

export const placeBefore = (seen: Snapshot): Place => [lowestUnseen(seen), ''];

export interface FeedReader {
  clinicId: number;
  deviceId: number | null;
  known?: KnownRows;
  role: Role;
  /** False for a token that lies on a locked tablet: it reads only what the counter shows. */
  isFull: boolean;
  /** True for a device that reads the first patients page by page (`sw/sync/patients.ts`). */
  readsPatientsLater: boolean;
  nowMs: number;
}

const actions: Partial<Record<FeedTable, Action>> = tableActions;

export function isRead({ role, isFull, deviceId }: FeedReader, table: FeedTable): boolean {
  const action = actions[table];
  if (action && !may(role, action)) return false;
  // The counter of a locked tablet shows neither.
  if (table === 'attention' || table === 'patient_details') return isFull;
  return table !== 'receipts' || deviceId !== null;
}

/** Returns true when the reader gets all rows of a table with all their columns. */
export const isReadWhole = (reader: FeedReader, part: FeedPart): boolean =>
  isRead(reader, part) &&
  (part !== 'stock' || readsAll(reader.role, 'stock')) &&
  (part !== 'orders' || readsAll(reader.role, 'order'));

export const seesPatients = (reader: FeedReader): boolean => isRead(reader, 'patients');

/** True while a device that reads the first patients page by page has not ended the first round of its first pull. */
export const omitsPatients = (reader: FeedReader, { seen }: Cursor): boolean =>
  seesPatients(reader) && reader.readsPatientsLater && seen === emptySnapshot;
