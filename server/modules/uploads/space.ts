/**
 * The room that uploads may take. They are stored in the database, beside what the counter sells, so each clinic and each person
 * has a quota, and uploads stop while the disk of PostgreSQL still has room for sales.
 */
import { statfs } from 'node:fs/promises';
import { dayMs } from '#domain/durations.ts';
import type { ErrorCode } from '#domain/protocol/errors.ts';
import type { UploadSpace } from '#domain/uploads.ts';
import type { Config } from '#server/config.ts';
import { acrossClinics } from '#server/db/database.ts';
import type { Database } from '#server/db/database.ts';
import type { Sql } from '#server/db/sql.ts';
import { dataFolder, storedBytes } from './store.ts';

/** What one person may upload in a day: forty receipts of five megabytes, or some hundred photographs. */
const mostOfPersonADay = 200 * 1024 * 1024;

/** Returns the free bytes of PostgreSQL's disk; null where this process cannot see it. */
export type FreeSpace = () => Promise<number | null>;

type Uploader = { clinicId: number; userId: number };
type Limits = Pick<Config, 'clinicStorageBytes' | 'keepFreeBytes'>;

/** What decides whether there is room. */
export interface Space {
  limits: Limits;
  freeSpace: FreeSpace;
}

/** The ports that tell of room. */
interface Told {
  config: Config;
  database: Database;
  freeSpace?: FreeSpace;
}

export const spaceOf = (ports: Told): Space => ({
  limits: ports.config,
  freeSpace: ports.freeSpace ?? freeSpaceOf(ports),
});

/** A filesystem is asked no more often: to fill what is kept free takes longer. */
const askedEveryMs = 2000;

/** Looks at the disk of the embedded PostgreSQL, or of another on this machine that tells where its files are. */
function freeSpaceOf({ config, database }: Told): FreeSpace {
  let last: { atMs: number; free: Promise<number | null> } | undefined;
  return () => {
    const atMs = performance.now();
    if (!last || atMs - last.atMs > askedEveryMs) last = { atMs, free: look(config, database) };
    return last.free;
  };
}

async function look({ databaseUrl, dataDir }: Config, database: Database): Promise<number | null> {
  try {
    const folder = databaseUrl === null ? dataDir : await dataFolder(acrossClinics(database));
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    // Elsewhere, or not told: the operator watches it.
    return null;
  }
}

/** Returns why an upload may not be stored; null when it may. */
export async function refusalOfUpload(
  sql: Sql,
  { clinicId, userId }: Uploader,
  { limits, freeSpace, atMs, bytes }: Space & { atMs: number; bytes: number },
): Promise<ErrorCode | null> {
  if (await isShort(limits, freeSpace)) return 'DISK_SHORT';
  const { ofClinic, ofPerson } = await storedBytes(sql, { clinicId, userId, sinceMs: atMs - dayMs });
  if (ofClinic + bytes > limits.clinicStorageBytes) return 'FILES_FULL';
  return ofPerson + bytes > mostOfPersonADay ? 'UPLOADS_OF_DAY' : null;
}

/** Returns what a clinic and a person have stored, and may. */
export async function uploadSpace(
  sql: Sql,
  { clinicId, userId }: Uploader,
  { limits, freeSpace, atMs }: Space & { atMs: number },
): Promise<UploadSpace> {
  const { ofClinic, ofPerson } = await storedBytes(sql, { clinicId, userId, sinceMs: atMs - dayMs });
  return {
    used: ofClinic,
    limit: limits.clinicStorageBytes,
    used_today: ofPerson,
    limit_a_day: mostOfPersonADay,
    is_disk_short: await isShort(limits, freeSpace),
  };
}

async function isShort({ keepFreeBytes }: Limits, freeSpace: FreeSpace): Promise<boolean> {
  const free = await freeSpace();
  return free !== null && free < keepFreeBytes;
}
