/** Stores pictures of the library (`domain/stock/pictures.ts`) as uploads, which every tablet keeps for work without a network. */
import { svgOf } from '#domain/stock/pictures.ts';
import type { Drawing } from '#domain/stock/pictures.ts';
import type { Sql } from '#server/db/sql.ts';
import { insertUpload, pictureAddress } from './store.ts';

/** Returns a picture of the library as WebP. */
export async function drawPicture(drawing: Drawing, color: string): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  return sharp(Buffer.from(svgOf(drawing, color)))
    .webp({ quality: 80 })
    .toBuffer();
}

/** Those of the starter list and the demo are drawn once per process. */
const drawn = new Map<string, Promise<Buffer>>();

function drawOnce(drawing: Drawing, color: string): Promise<Buffer> {
  const key = `${drawing} ${color}`;
  const picture = drawn.get(key) ?? drawPicture(drawing, color);
  drawn.set(key, picture);
  return picture;
}

/** The pictures of one transaction: services that look alike share one upload. */
export class PictureShelf {
  private readonly stored = new Map<string, Promise<string>>();

  constructor(
    private readonly sql: Sql,
    private readonly by: { clinicId: number; userId: number; atMs: number },
  ) {}

  addressOf(drawing: Drawing, color: string): Promise<string> {
    const key = `${drawing} ${color}`;
    const address = this.stored.get(key) ?? this.store(drawing, color);
    this.stored.set(key, address);
    return address;
  }

  private async store(drawing: Drawing, color: string): Promise<string> {
    const { clinicId, userId, atMs } = this.by;
    const content = await drawOnce(drawing, color);
    const upload = { purpose: 'picture', mediaType: 'image/webp', content } as const;
    const id = await insertUpload(this.sql, { clinicId, uploadedBy: userId, createdAtMs: atMs, ...upload });
    return pictureAddress(clinicId, id);
  }
}
