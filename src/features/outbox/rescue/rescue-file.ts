/**
 * The rescue file: the unsent operations of a device, encrypted with a passphrase, for when the device cannot send them
 * itself.
 *
 *     bytes   0..7    "DCRESCUE"
 *             8       version of this layout
 *             9..12   iterations of PBKDF2-SHA-256, big endian
 *             13..28  salt
 *             29..40  nonce of AES-256-GCM
 *             41..72  SHA-256 of the rest, which tells a damaged file from a wrong passphrase
 *             73..    the content as encrypted JSON, authenticated together with bytes 0..40
 */
import type { OutboxEntry } from '#src/db/dependants.ts';

export interface RescueContent {
  /** Milliseconds since 1970 by the device's clock. */
  saved_at: number;
  /** The server's epoch that the device knew (SYNC-16). */
  epoch: string | null;
  /** Never includes the device's key, with which somebody could sign operations in its name. */
  device: { device_id: number; code: string; next_seq: number };
  /** Unsent operations in the order of sending. */
  entries: OutboxEntry[];
}

export type RescueFault = 'not_rescue' | 'newer' | 'damaged' | 'passphrase';
export type Opened = { ok: true; content: RescueContent } | { ok: false; fault: RescueFault };

export const minPassphraseLength = 10;

const magic = new TextEncoder().encode('DCRESCUE');
const layout = 1;
const iterations = 600_000;
/** More iterations would block the browser for minutes. */
const maxIterations = 10_000_000;
const [iterationsAt, saltAt, nonceAt, checksumAt, contentAt] = [9, 13, 29, 41, 73] as const;

type Bytes = Uint8Array<ArrayBuffer>;

export async function sealRescue(
  content: RescueContent,
  passphrase: string,
  random: (bytes: number) => Uint8Array,
): Promise<Bytes> {
  const header = new Uint8Array(checksumAt);
  header.set(magic);
  header[magic.length] = layout;
  new DataView(header.buffer).setUint32(iterationsAt, iterations);
  header.set(random(nonceAt - saltAt), saltAt);
  header.set(random(checksumAt - nonceAt), nonceAt);
  const key = await keyOf(passphrase, header);
  const plain = new TextEncoder().encode(JSON.stringify(content));
  const sealed = new Uint8Array(await crypto.subtle.encrypt(cipherOf(header), key, plain));
  const file = new Uint8Array(contentAt + sealed.length);
  file.set(header);
  file.set(await digest(sealed), checksumAt);
  file.set(sealed, contentAt);
  return file;
}

export async function openRescue(file: Bytes, passphrase: string): Promise<Opened> {
  const fault = await checkFile(file);
  if (fault) return { ok: false, fault };
  const header = file.slice(0, checksumAt);
  let plain: ArrayBuffer;
  try {
    plain = await crypto.subtle.decrypt(cipherOf(header), await keyOf(passphrase, header), file.slice(contentAt));
  } catch {
    // The checksum has shown that the bytes are intact, so the passphrase is wrong.
    return { ok: false, fault: 'passphrase' };
  }
  const content = JSON.parse(new TextDecoder().decode(plain)) as RescueContent;
  return Array.isArray(content.entries) ? { ok: true, content } : { ok: false, fault: 'damaged' };
}

/** Returns the fault that shows without the passphrase, or null. */
export async function checkFile(file: Bytes): Promise<RescueFault | null> {
  if (file.length < magic.length || magic.some((byte, index) => file[index] !== byte)) return 'not_rescue';
  if ((file[magic.length] ?? 0) > layout) return 'newer';
  if (file.length <= contentAt) return 'damaged';
  const fileIterations = iterationsOf(file);
  if (fileIterations < iterations || fileIterations > maxIterations) return 'damaged';
  const checksum = await digest(file.slice(contentAt));
  return checksum.every((byte, index) => file[checksumAt + index] === byte) ? null : 'damaged';
}

const iterationsOf = (file: Bytes): number => new DataView(file.buffer, file.byteOffset).getUint32(iterationsAt);

const digest = async (bytes: Bytes): Promise<Bytes> => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));

const cipherOf = (header: Bytes): AesGcmParams => ({
  name: 'AES-GCM',
  iv: header.slice(nonceAt, checksumAt),
  additionalData: header,
});

async function keyOf(passphrase: string, header: Bytes): Promise<CryptoKey> {
  // Keyboards may produce an accented letter as one character or as two.
  const bytes = new TextEncoder().encode(passphrase.normalize('NFC'));
  const base = await crypto.subtle.importKey('raw', bytes, 'PBKDF2', false, ['deriveKey']);
  const derivation = {
    name: 'PBKDF2',
    hash: 'SHA-256',
    salt: header.slice(saltAt, nonceAt),
    iterations: iterationsOf(header),
  };
  return crypto.subtle.deriveKey(derivation, base, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
}
