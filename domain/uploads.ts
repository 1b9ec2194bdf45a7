/**
 * The rules of uploads. The screen checks the media type that the browser reports, the server the type detected in the
 * bytes.
 */
import { accept, refuse } from './result.ts';
import type { Result } from './result.ts';

/** The picture of a service, or the receipt of an expense. */
export const uploadPurposes = ['picture', 'receipt'] as const;
export type UploadPurpose = (typeof uploadPurposes)[number];

export const maxUploadBytes = 10 * 1024 * 1024;
/** The limit for an imported table of stock items or services. */
export const maxTableBytes = 2 * 1024 * 1024;

/** What files take of a clinic's storage, in bytes. */
export interface UploadSpace {
  used: number;
  limit: number;
  /** Of the person who asks, within the last 24 hours. */
  used_today: number;
  limit_a_day: number;
  /** True while uploads wait because the disk of the database is nearly full. */
  is_disk_short: boolean;
}

const uploadMediaTypes = {
  picture: ['image/png', 'image/jpeg', 'image/gif'],
  receipt: ['image/png', 'image/jpeg', 'application/pdf'],
} as const satisfies Record<UploadPurpose, readonly string[]>;
export type UploadMediaType = (typeof uploadMediaTypes)[UploadPurpose][number];

const extensions: Record<UploadMediaType, readonly string[]> = {
  'image/png': ['png'],
  'image/jpeg': ['jpg', 'jpeg'],
  'image/gif': ['gif'],
  'application/pdf': ['pdf'],
};

/** Returns the accepted file extensions of a purpose, such as `.png`. */
export function uploadExtensions(purpose: UploadPurpose): string[] {
  return uploadMediaTypes[purpose].flatMap((mediaType) => extensions[mediaType].map((extension) => `.${extension}`));
}

export interface OfferedFile {
  name: string;
  /** The media type reported by the browser or detected in the bytes; null when unknown. */
  mediaType: string | null;
  size: number;
  /** Use of the file. By default an image is a picture, and any other file a receipt. */
  purpose?: UploadPurpose | undefined;
}

/**
 * Accepts a file by its name and its media type. The two need not agree: some phones name a JPEG `.png`, and downloads
 * use the detected type.
 */
export function decideUpload({
  name,
  mediaType,
  size,
  purpose,
}: OfferedFile): Result<{ purpose: UploadPurpose; mediaType: UploadMediaType }> {
  if (size > maxUploadBytes) return refuse('FILE_TOO_LARGE');
  if (size === 0) return refuse('FILE_MISSING');
  const meant = purpose ?? (mediaType?.startsWith('image/') ? 'picture' : 'receipt');
  const known = uploadMediaTypes[meant].find((accepted) => accepted === mediaType);
  const isNamed = uploadExtensions(meant).some((extension) => name.toLowerCase().endsWith(extension));
  return known && isNamed
    ? accept({ purpose: meant, mediaType: known })
    : refuse('FILE_TYPE_REFUSED', { accepted: uploadExtensions(meant).join(', ') });
}
