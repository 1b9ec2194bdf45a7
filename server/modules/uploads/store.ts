/**
 * Uploads in SQL. They are stored in the database, so that processes stay stateless and one backup contains everything.
 */
import type { UploadPurpose } from '#domain/uploads.ts';
import { isoOf } from '#domain/instant.ts';
import { rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';

export interface NewUpload {
  clinicId: number;
  purpose: UploadPurpose;
  mediaType: string;
  content: Buffer;
  uploadedBy: number;
  createdAtMs: number;
}

/** @returns the random id */
export async function insertUpload(sql: Sql, upload: NewUpload): Promise<string> {
  const { clinicId, purpose, mediaType, content, uploadedBy, createdAtMs } = upload;
  const [row] = await rowsOf<{ id: string }>(
    sql,
    'insert upload',
    `insert into uploads (clinic_id, purpose, media_type, content, size, uploaded_by, created_at)
     values ($1, $2, $3, $4, $5, $6, $7) returning id`,
    [clinicId, purpose, mediaType, content, content.length, uploadedBy, isoOf(createdAtMs)],
  );
  return row!.id;
}

/** The address at which everybody reads a picture. */
export const pictureAddress = (clinicId: number, id: string): string => `/uploads/${clinicId}/${id}.webp`;

export interface StoredUpload {
  mediaType: string;
  content: Buffer;
}

/** Returns an upload of this purpose; undefined when the clinic has none of that id. */
export async function findUpload(
  sql: Sql,
  { clinicId, id, purpose }: { clinicId: number; id: string; purpose: UploadPurpose },
): Promise<StoredUpload | undefined> {
  const [row] = await rowsOf<StoredUpload>(
    sql,
    'upload',
    'select media_type as "mediaType", content from uploads where clinic_id = $1 and id = $2 and purpose = $3',
    [clinicId, id, purpose],
  );
  return row;
}

/** Returns the folder of PostgreSQL's files. @throws where it is on another machine, or may not be told */
export async function dataFolder(sql: Sql): Promise<string> {
  const [row] = await rowsOf<{ folder: string | null }>(
    sql,
    'folder of the data',
    `select case when coalesce(inet_server_addr() <<= inet '127.0.0.0/8' or inet_server_addr() = inet '::1', true)
       then current_setting('data_directory') end as folder`,
    [],
  );
  if (!row?.folder) throw new Error('PostgreSQL is on another machine');
  return row.folder;
}

/** Returns the bytes that a clinic has stored, and those that a person has since a time. */
export async function storedBytes(
  sql: Sql,
  { clinicId, userId, sinceMs }: { clinicId: number; userId: number; sinceMs: number },
): Promise<{ ofClinic: number; ofPerson: number }> {
  const [row] = await rowsOf<{ ofClinic: number; ofPerson: number }>(
    sql,
    'stored bytes',
    `select coalesce(sum(size), 0)::float8 as "ofClinic",
       coalesce(sum(size) filter (where uploaded_by = $2 and created_at > $3), 0)::float8 as "ofPerson"
     from uploads where clinic_id = $1`,
    [clinicId, userId, isoOf(sinceMs)],
  );
  return row!;
}

/** Matches the id in an upload's address, in PostgreSQL too. */
const uploadId = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

/** Locks the uploads of these addresses, so that none is removed before the transaction that refers to them ends. */
export async function holdUploads(sql: Sql, clinicId: number, urls: readonly (string | null)[]): Promise<void> {
  const ids = urls.flatMap((url) => uploadId.exec(url ?? '')?.[0] ?? []);
  if (ids.length === 0) return;
  await sql.query({
    name: 'hold uploads',
    text: 'select 1 from uploads where clinic_id = $1 and id = any($2::uuid[]) for key share',
    values: [clinicId, ids],
  });
}

/** Selects the ids of uploads that rows refer to. Deleted rows count, because they remain evidence. */
const named = `select substring(url from '${uploadId.source}')::uuid from (
    select image_url as url from stock_items where clinic_id = $1 union all
    select image_url from products where clinic_id = $1 union all
    select image_url from categories where clinic_id = $1 union all
    select receipt_url from expenses where clinic_id = $1 union all
    select data ->> 'logo_url' from settings where clinic_id = $1) addresses
  where url ~ '${uploadId.source}'`;

/**
 * Removes unused uploads that are older than `beforeMs`, at most `limit` of them. Rows that another transaction locks are
 * skipped; the others are checked again under their lock.
 *
 * @returns the number of removed uploads
 */
export async function removeUnused(
  sql: Sql,
  clinicId: number,
  { beforeMs, limit }: { beforeMs: number; limit: number },
): Promise<number> {
  const unused = await rowsOf<{ id: string }>(
    sql,
    'unused uploads',
    `select id from uploads where clinic_id = $1 and created_at < $2 and id not in (${named}) order by created_at limit $3 for update skip locked`,
    [clinicId, isoOf(beforeMs), limit],
  );
  const removed = await rowsOf(
    sql,
    'remove uploads',
    `delete from uploads where clinic_id = $1 and id = any($2::uuid[]) and id not in (${named}) returning id`,
    [clinicId, unused.map(({ id }) => id)],
  );
  return removed.length;
}

export async function clinicsWithUploads(sql: Sql): Promise<number[]> {
  const rows = await rowsOf<{ id: number }>(
    sql,
    'clinics with uploads',
    'select distinct clinic_id as id from uploads order by 1',
    [],
  );
  return rows.map(({ id }) => id);
}
