import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { decodePicture } from '#server/modules/uploads/picture-process.ts';

/** Its decoder keeps all of a progressive picture in memory, before it is reduced. */
let progressive: Buffer;
beforeAll(async () => {
  const size = { width: 6000, height: 5000, channels: 3, background: '#2f9e8f' } as const;
  progressive = await sharp({ create: size }).jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).toBuffer();
});

const residentMb = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))![1]) / 1024;

describe('SECURITY a progressive picture of thirty megapixels', () => {
  test('is decoded outside the memory of the server', async () => {
    const before = residentMb();
    const picture = await decodePicture(progressive, 'picture');
    expect(await sharp(picture!).metadata()).toMatchObject({ format: 'webp', width: 800, height: 667 });
    expect(residentMb() - before).toBeLessThan(60);
  });

  test('is not decoded beyond the limit of memory, and the next picture is', async () => {
    const small = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#fff' } })
      .png()
      .toBuffer();
    const both = [decodePicture(progressive, 'picture', 120), decodePicture(small, 'receipt', 120)];
    expect((await Promise.all(both)).map((picture) => picture !== null)).toEqual([false, true]);
  });
});
