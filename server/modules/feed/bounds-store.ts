/** Reads what has changed for a reader of the feed, and what else every reply states. */
import type { NumberCounters, Series } from '#domain/order/numbers.ts';
import { largestInteger } from '#domain/wire/schemas.ts';
import { feedParts } from '#domain/protocol/sync.ts';
import { epochOf, isoText, rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';
import { isPart, isRead, seenOf, tables } from './reader.ts';
import type { Cursor, FeedReader, FeedTable } from './reader.ts';
import { storage, unseenBy } from './selection-store.ts';
import type { Snapshot } from './snapshot.ts';

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
