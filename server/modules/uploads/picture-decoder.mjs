/** The process that `picture-process.ts` starts: reads a picture, and writes it as its purpose, an argument, needs it. */
import { writeFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';

/** The longest side in pixels: a picture fills a tile, a receipt stays readable. */
const longestSide = { picture: 800, receipt: 1600 };
/** More than a phone's camera makes. */
const maxPixels = 64_000_000;
const timeoutSeconds = 20;
const lookEveryMs = 5;

const [purpose, mostMemoryMb] = /** @type {['picture' | 'receipt', string]} */ (process.argv.slice(2));

// Decoding runs beside this thread, which can look at it.
setInterval(
  () => process.memoryUsage.rss() > Number(mostMemoryMb) * 1024 * 1024 && process.exit(1),
  lookEveryMs,
).unref();
try {
  // Where memory is short nevertheless, Linux ends this process and not the server.
  writeFileSync('/proc/self/oom_score_adj', '1000');
} catch {
  // Other systems have no such file.
}
sharp.cache(false);
sharp.concurrency(1);

const side = longestSide[purpose];
const image = sharp(await buffer(process.stdin), { limitInputPixels: maxPixels, failOn: 'error' })
  .timeout({ seconds: timeoutSeconds })
  .rotate()
  .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true });
const encoded =
  purpose === 'picture' ? image.webp({ quality: 80 }) : image.flatten({ background: '#ffffff' }).jpeg({ quality: 85 });
process.stdout.write(await encoded.toBuffer());
