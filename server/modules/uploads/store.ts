/**
 * Where uploads lie: in the database, so that processes stay stateless and one backup holds everything. This is all that
 * the rest of the server knows of that.
 */
import { and, eq } from 'drizzle-orm';
import type { UploadPurpose } from '../../../domain/uploads.ts';
import type { Executor } from '../../db/database.ts';
import { uploads } from '../../db/schema/uploads.ts';

export interface NewUpload {
  clinicId: number;
  purpose: UploadPurpose;
  mediaType: string;
  content: Buffer;
  uploadedBy: number;
  createdAt: number;
}

/** @returns its id, which is random */
export async function saveUpload(database: Executor, upload: NewUpload): Promise<string> {
  const [row] = await database
    .insert(uploads)
    .values({ ...upload, size: upload.content.length })
    .returning({ id: uploads.id });
  return row!.id;
}

export interface StoredUpload {
  mediaType: string;
  content: Buffer;
}

/** What was uploaded for this purpose under this id; undefined when there is no such thing in the clinic. */
export async function findUpload(
  database: Executor,
  { clinicId, id, purpose }: { clinicId: number; id: string; purpose: UploadPurpose },
): Promise<StoredUpload | undefined> {
  const [row] = await database
    .select({ mediaType: uploads.mediaType, content: uploads.content })
    .from(uploads)
    .where(and(eq(uploads.clinicId, clinicId), eq(uploads.id, id), eq(uploads.purpose, purpose)));
  return row;
}
