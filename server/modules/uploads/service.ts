/** Uploads as other modules use them. */
import { uuidSchema } from '#domain/wire/schemas.ts';
import type { Sql } from '#server/db/sql.ts';
import { findUpload } from './store.ts';

export { PictureShelf } from './drawn-pictures.ts';
export { holdUploads } from './store.ts';
export { takeInPicture } from './take-in-picture.ts';

/** More than a head of a page has room for, at the resolution of a printer. */
const longestSide = 600;

/** Returns the picture of an address as PNG, for files that cannot contain WebP, such as PDF; null for an empty address, and for a picture that is not there. */
export async function pictureAsPng(sql: Sql, clinicId: number, url: string): Promise<Uint8Array | null> {
  const id = uuidSchema.safeParse(/([0-9a-f-]{36})\.webp$/.exec(url)?.[1]).data;
  const picture = id && (await findUpload(sql, { clinicId, id, purpose: 'picture' }));
  if (!picture) return null;
  const { default: sharp } = await import('sharp');
  const side = { width: longestSide, height: longestSide, fit: 'inside', withoutEnlargement: true } as const;
  return new Uint8Array(await sharp(picture.content).resize(side).png().toBuffer());
}
