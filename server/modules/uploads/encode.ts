/**
 * Encodes uploads for storage. Images are decoded and encoded again, so metadata such as the location, and any hidden
 * content, is lost and the size fits the purpose.
 */
import type { UploadMediaType, UploadPurpose } from '#domain/uploads.ts';
import { accept, refuse } from '#domain/result.ts';
import type { Result } from '#domain/result.ts';
import { decodePicture } from './picture-process.ts';

const mediaTypes = { picture: 'image/webp', receipt: 'image/jpeg' } as const satisfies Record<UploadPurpose, string>;

export interface KeptFile {
  mediaType: string;
  content: Buffer;
}

/** Encodes an upload. Refuses a damaged image, and one that takes too much time or memory: the same bytes would do so again. */
export async function encodeUpload(
  content: Buffer,
  { purpose, mediaType }: { purpose: UploadPurpose; mediaType: UploadMediaType },
): Promise<Result<KeptFile>> {
  if (mediaType === 'application/pdf') return accept({ mediaType, content });
  const picture = await decodePicture(content, purpose);
  return picture ? accept({ mediaType: mediaTypes[purpose], content: picture }) : refuse('IMAGE_BROKEN');
}
