/** Uploads: checked by their bytes, encoded again, and stored under a random address. */
import { fileTypeFromBuffer } from 'file-type';
import { accept, refuse } from '#domain/result.ts';
import type { Result } from '#domain/result.ts';
import { decideUpload } from '#domain/uploads.ts';
import type { UploadPurpose } from '#domain/uploads.ts';
import type { Sql } from '#server/db/sql.ts';
import { recordAudit } from '../audit/service.ts';
import type { Actor } from '../audit/service.ts';
import { encodeUpload } from './encode.ts';
import type { KeptFile } from './encode.ts';
import type { UploadForm } from './form.ts';
import { refusalOfUpload } from './space.ts';
import type { Space } from './space.ts';
import { insertUpload, pictureAddress } from './store.ts';

export type PreparedUpload = KeptFile & { purpose: UploadPurpose };

/** Checks and encodes a file. No database connection is held meanwhile. */
export async function prepareUpload({ name, content, purpose }: UploadForm): Promise<Result<PreparedUpload>> {
  const mediaType = (await fileTypeFromBuffer(content))?.mime ?? null;
  const agreed = decideUpload({ name, mediaType, size: content.length, purpose });
  if (!agreed.ok) return agreed;
  const kept = await encodeUpload(content, agreed.value);
  return kept.ok ? accept({ ...kept.value, purpose: agreed.value.purpose }) : kept;
}

/** @returns the address that items and expenses store; a refusal where there is no room */
export async function keepUpload(
  sql: Sql,
  actor: Actor & { userId: number },
  { purpose, mediaType, content }: PreparedUpload,
  { atMs, ...space }: Space & { atMs: number },
): Promise<Result<{ url: string }>> {
  const { clinicId, userId } = actor;
  const refusal = await refusalOfUpload(sql, { clinicId, userId }, { ...space, atMs, bytes: content.length });
  if (refusal) return refuse(refusal);
  const id = await insertUpload(sql, { clinicId, purpose, mediaType, content, uploadedBy: userId, createdAtMs: atMs });
  await recordAudit(sql, actor, {
    action: 'upload.create',
    subject: id,
    details: { purpose, mediaType, size: content.length },
    at: atMs,
  });
  return accept({ url: purpose === 'picture' ? pictureAddress(clinicId, id) : `/api/uploads/${id}` });
}
