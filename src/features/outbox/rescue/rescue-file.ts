/**
 * The rescue file: the unsent work of a device, encrypted with a passphrase, for the day when the device cannot send it
 * itself. Anybody may carry it; only the passphrase opens it.
 *
 *     bytes   0..7    "DCRESCUE"
 *             8       version of this layout
 *             9..12   iterations of PBKDF2-SHA-256, big endian
 *             13..28  salt
 *             29..40  nonce of AES-256-GCM
 *             41..72  SHA-256 of what follows, to tell a damaged file from a wrong passphrase
 *             73..    the content as encrypted JSON; everything before the checksum is authenticated with it
 */
import type { OutboxEntry } from '../../../db/dependants.ts';

export interface RescueContent {
  /** Milliseconds since 1970 by the device's clock. */
  saved_at: number;
  /** The clinic's life that the device knew (SYNC-16). */
  epoch: string | null;
  /** Who the device is; never its key, with which somebody could speak in its name. */
  device: { device_id: number; code: string; next_seq: number };
  /** In the order of sending. */
  entries: OutboxEntry[];
}

export type RescueFault = 'not_rescue' | 'newer' | 'damaged' | 'passphrase';
export type Opened = { ok: true; content: RescueContent } | { ok: false; fault: RescueFault };

export const minPassphraseLength = 10;

const magic = new TextEncoder().encode('DCRESCUE');
const layout = 1;
const iterations = 600_000;
/** A file that asks for more would keep the browser busy for minutes. */
const mostIterations = 10_000_000;
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
  const fault = await faultOf(file);
  if (fault) return { ok: false, fault };
  const header = file.slice(0, checksumAt);
  let plain: ArrayBuffer;
  try {
    plain = await crypto.subtle.decrypt(cipherOf(header), await keyOf(passphrase, header), file.slice(contentAt));
  } catch {
    // The bytes are as they were written, so it is the passphrase.
    return { ok: false, fault: 'passphrase' };
  }
  const content = JSON.parse(new TextDecoder().decode(plain)) as RescueContent;
  return Array.isArray(content.entries) ? { ok: true, content } : { ok: false, fault: 'damaged' };
}

/** What can be said of a file without the passphrase. */
export async function faultOf(file: Bytes): Promise<RescueFault | null> {
  if (file.length < magic.length || magic.some((byte, index) => file[index] !== byte)) return 'not_rescue';
  if ((file[magic.length] ?? 0) > layout) return 'newer';
  if (file.length <= contentAt) return 'damaged';
  const rounds = roundsOf(file);
  if (rounds < iterations || rounds > mostIterations) return 'damaged';
  const sum = await digest(file.slice(contentAt));
  return sum.every((byte, index) => file[checksumAt + index] === byte) ? null : 'damaged';
}

const roundsOf = (file: Bytes): number => new DataView(file.buffer, file.byteOffset).getUint32(iterationsAt);

const digest = async (bytes: Bytes): Promise<Bytes> => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));

const cipherOf = (header: Bytes): AesGcmParams => ({
  name: 'AES-GCM',
  iv: header.slice(nonceAt, checksumAt),
  additionalData: header,
});

async function keyOf(passphrase: string, header: Bytes): Promise<CryptoKey> {
  // The same letters may be typed as one character or as two.
  const bytes = new TextEncoder().encode(passphrase.normalize('NFC'));
  const base = await crypto.subtle.importKey('raw', bytes, 'PBKDF2', false, ['deriveKey']);
  const derivation = {
    name: 'PBKDF2',
    hash: 'SHA-256',
    salt: header.slice(saltAt, nonceAt),
    iterations: roundsOf(header),
  };
  return crypto.subtle.deriveKey(derivation, base, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
}
