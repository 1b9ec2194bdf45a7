/**
 * Encodes uploads for storage. Images are decoded and encoded again, so metadata such as the location, and any hidden
 * content, is lost and the size fits the purpose.
 */
import type { UploadMediaType, UploadPurpose } from '#domain/uploads.ts';
import { accept, refuse } from '#domain/result.ts';
import type { Result } from '#domain/result.ts';

/** The longest side in pixels: a picture fills a tile, a receipt stays readable. */
const longestSide: Record<UploadPurpose, number> = { picture: 800, receipt: 1600 };
/** More than a phone's camera makes, and small enough to decode in memory. */
const maxPixels = 64_000_000;
const timeoutSeconds = 20;

export interface KeptFile {
  mediaType: string;
  content: Buffer;
}

/** Encodes an upload. Refuses a damaged image, and one with too many pixels. */
export async function encodeUpload(
  content: Buffer,
  { purpose, mediaType }: { purpose: UploadPurpose; mediaType: UploadMediaType },
): Promise<Result<KeptFile>> {
  if (mediaType === 'application/pdf') return accept({ mediaType, content });
  // Loaded with the first image: most processes never need the library.
  const { default: sharp } = await import('sharp');
  const side = longestSide[purpose];
  const image = sharp(content, { limitInputPixels: maxPixels, failOn: 'error' })
    .timeout({ seconds: timeoutSeconds })
    .rotate()
    .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true });
  try {
    return purpose === 'picture'
      ? accept({ mediaType: 'image/webp', content: await image.webp({ quality: 80 }).toBuffer() })
      : accept({
          mediaType: 'image/jpeg',
          content: await image.flatten({ background: '#ffffff' }).jpeg({ quality: 85 }).toBuffer(),
        });
  } catch {
    // The library has no error types. The same bytes would fail again.
    return refuse('IMAGE_BROKEN');
  }
}
