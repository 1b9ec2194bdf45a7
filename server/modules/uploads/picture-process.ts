/**
 * Decodes pictures that somebody sent, in a process of its own: a picture of few bytes may unpack to gigabytes, or use a fault of
 * the decoder. The process has no secrets and ends with its picture, so its memory returns, and beyond a limit only it ends.
 */
import { spawn } from 'node:child_process';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { UploadPurpose } from '#domain/uploads.ts';

/** The decoder is no TypeScript, so that it starts at once from sources too. */
const entry = fileURLToPath(
  new URL(`picture-decoder.${import.meta.url.endsWith('.js') ? 'js' : 'mjs'}`, import.meta.url),
);

/** Half as much again as the largest progressive JPEG takes. */
const usualMostMemoryMb = 768;
/** The decoder ends itself before. */
const longestMs = 40_000;

/** One after the other in a process of the server, because each takes hundreds of megabytes. */
let last: Promise<unknown> = Promise.resolve();

/** Returns the picture encoded again for its purpose; null when it cannot be decoded within time and memory. */
export function decodePicture(
  content: Buffer,
  purpose: UploadPurpose,
  mostMemoryMb = usualMostMemoryMb,
): Promise<Buffer | null> {
  const decoded = last.then(() => decode(content, [purpose, String(mostMemoryMb)]));
  last = decoded.catch(() => undefined);
  return decoded;
}

async function decode(content: Buffer, options: readonly string[]): Promise<Buffer | null> {
  const { PATH, SystemRoot } = process.env;
  const child = spawn(process.execPath, [entry, ...options], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { PATH, SystemRoot },
    timeout: longestMs,
    killSignal: 'SIGKILL',
    windowsHide: true,
  });
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  // A decoder that ends early reads no further.
  child.stdin.on('error', () => undefined).end(content);
  const [code, picture] = await Promise.all([ended, buffer(child.stdout)]);
  return code === 0 && picture.length > 0 ? picture : null;
}
