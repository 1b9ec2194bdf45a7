/** What may be uploaded, as both ends check it: the screen by what the browser says of a file, the server by its bytes. */
import { accept, refuse } from './result.ts';
import type { Result } from './result.ts';

/** A picture of something the counter sells, or the receipt of an expense. */
export const uploadPurposes = ['picture', 'receipt'] as const;
export type UploadPurpose = (typeof uploadPurposes)[number];

export const maxUploadBytes = 10 * 1024 * 1024;
/** Of a table of stock items or services. */
export const maxTableBytes = 2 * 1024 * 1024;

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

/** The endings of the names that a purpose accepts, for a file dialogue: `.png`, `.jpg` … */
export function uploadExtensions(purpose: UploadPurpose): string[] {
  return uploadMediaTypes[purpose].flatMap((mediaType) => extensions[mediaType].map((extension) => `.${extension}`));
}

/** A file as offered. */
export interface OfferedFile {
  name: string;
  /** What the browser calls it, or what its bytes are; null when that cannot be told. */
  mediaType: string | null;
  size: number;
  /** Without one an image is a picture, and anything else a receipt. */
  purpose?: UploadPurpose | undefined;
}

/**
 * Name and kind must each be acceptable. They need not agree: phones call a JPEG `.png`, and what is served goes by the
 * bytes.
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
