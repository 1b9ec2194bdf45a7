/**
 * Where uploads lie: in the database, so that processes stay stateless and one backup holds everything. This is all that
 * the rest of the server knows of that.
 */
import type { UploadPurpose } from '../../../domain/uploads.ts';
import { isoOf, rowsOf } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';

export interface NewUpload {
  clinicId: number;
  purpose: UploadPurpose;
  mediaType: string;
  content: Buffer;
  uploadedBy: number;
  createdAtMs: number;
}

/** @returns its id, which is random */
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

export interface StoredUpload {
  mediaType: string;
  content: Buffer;
}

/** What was uploaded for this purpose under this id; undefined when there is no such thing in the clinic. */
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

/** The id of an upload in its address, as a regular expression of JavaScript and of PostgreSQL alike. */
export const uploadIdPattern = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/** Keeps the uploads of these addresses from being removed until the transaction that names them has ended. */
export async function holdUploads(sql: Sql, clinicId: number, urls: readonly (string | null)[]): Promise<void> {
  const ids = urls.flatMap((url) => new RegExp(uploadIdPattern).exec(url ?? '')?.[0] ?? []);
  if (ids.length === 0) return;
  await sql.query({
    name: 'hold uploads',
    text: 'select 1 from uploads where clinic_id = $1 and id = any($2::uuid[]) for key share',
    values: [clinicId, ids],
  });
}
