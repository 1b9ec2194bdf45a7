/**
 * What was uploaded becomes what is kept. An image is decoded and encoded anew: so nothing but pixels survives, neither
 * the place where it was taken nor whatever else was hidden in it, and it weighs what its purpose needs.
 */
import type { UploadMediaType, UploadPurpose } from '../../../domain/uploads.ts';
import { accept, refuse } from '../../../domain/result.ts';
import type { Result } from '../../../domain/result.ts';

/** The longest side in pixels: a picture fills a tile, a receipt stays readable. */
const longestSide: Record<UploadPurpose, number> = { picture: 800, receipt: 1600 };
/** More than a telephone's camera makes, and little enough to be decoded without filling the memory. */
const maxPixels = 64_000_000;
const timeoutSeconds = 20;

export interface KeptFile {
  mediaType: string;
  content: Buffer;
}

/** A damaged image, and one that unpacks to more than the server will hold, is refused. */
export async function encodeUpload(
  content: Buffer,
  { purpose, mediaType }: { purpose: UploadPurpose; mediaType: UploadMediaType },
): Promise<Result<KeptFile>> {
  if (mediaType === 'application/pdf') return accept({ mediaType, content });
  // Loaded by the first image: most starts of the server never need it.
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
    // The library has no kinds of errors; given these bytes it failed, and would fail again.
    return refuse('IMAGE_BROKEN');
  }
}
