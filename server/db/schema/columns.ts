import { isoOf } from '#domain/instant.ts';
/**
 * Column types. Money is `*_minor` and quantities are `*_milli`, both safe integers. An instant is a `timestamptz` in
 * the database and milliseconds since 1970 in the program.
 */
import { sql } from 'drizzle-orm';
import { bigint, customType, integer } from 'drizzle-orm/pg-core';

export const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' });

export const clinicId = () => integer().notNull();

export const minor = () => bigint({ mode: 'number' });
export const milli = () => bigint({ mode: 'number' });

/** PostgreSQL's name of the type of an instant. */
export const instantType = 'timestamp with time zone';

export const instant = customType<{ data: number; driverData: string }>({
  dataType: () => instantType,
  toDriver: isoOf,
  fromDriver: (text) => Date.parse(text),
});

const transactionId = customType<{ data: string; driverData: string }>({ dataType: () => 'xid8' });

/**
 * The transaction that last wrote a row of the change feed; a trigger updates it (SYNC-9). Every such table has an
 * index on clinic, `xid` and key: the order of the feed.
 */
export const feedXid = () =>
  transactionId()
    .notNull()
    .default(sql`pg_current_xact_id()`);

export const writtenAt = {
  createdAt: instant()
    .notNull()
    .default(sql`now()`),
  updatedAt: instant()
    .notNull()
    .default(sql`now()`),
};
