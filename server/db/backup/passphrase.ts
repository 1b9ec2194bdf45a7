/**
 * Opens and seals backups by a passphrase, in the format of age. The key is derived by Node.js itself: the package's own derivation
 * holds up the process for a second and leaves its memory behind.
 */
import { Decrypter, Encrypter, Stanza } from 'age-encryption';
import type { Identity, Recipient } from 'age-encryption';
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { promisify } from 'node:util';

/** 128 MB for each attempt: OWASP's first choice for scrypt. https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html */
const workFactor = 17;
/** A file may ask for a gigabyte, not for more. */
const mostWork = 20;
const saltBytes = 16;
const blockSize = 8;
const cipher = { name: 'chacha20-poly1305', nonce: Buffer.alloc(12), tagBytes: 16 } as const;

/** The passphrase opens nothing in the file. */
export class WrongPassphrase extends Error {
  override name = 'WrongPassphrase';
}

const derive = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(scrypt);

function keyOf(passphrase: string, salt: Buffer, logN: number): Promise<Buffer> {
  const n = 2 ** logN;
  const labelled = Buffer.concat([Buffer.from('age-encryption.org/v1/scrypt'), salt]);
  return derive(passphrase, labelled, 32, { N: n, r: blockSize, p: 1, maxmem: 128 * blockSize * n + (1 << 20) });
}

const recipient = (passphrase: string): Recipient => ({
  async wrapFileKey(fileKey) {
    const salt = randomBytes(saltBytes);
    const key = await keyOf(passphrase, salt, workFactor);
    const sealing = createCipheriv(cipher.name, key, cipher.nonce, { authTagLength: cipher.tagBytes });
    const body = Buffer.concat([sealing.update(fileKey), sealing.final(), sealing.getAuthTag()]);
    return [new Stanza(['scrypt', salt.toString('base64').replaceAll('=', ''), String(workFactor)], body)];
  },
});

const identity = (passphrase: string): Identity => ({
  async unwrapFileKey(stanzas) {
    const [only] = stanzas;
    const [, salt = '', logN = ''] = only?.args ?? [];
    const bytes = Buffer.from(salt, 'base64');
    const isRead =
      stanzas.length === 1 && only?.args.length === 3 && only.args[0] === 'scrypt' && only.body.length === 32;
    if (!isRead || bytes.length !== saltBytes || !/^[1-9]\d?$/.test(logN) || Number(logN) > mostWork)
      throw new Error('It was not encrypted by a passphrase of this program.');
    const key = await keyOf(passphrase, bytes, Number(logN));
    const opening = createDecipheriv(cipher.name, key, cipher.nonce, { authTagLength: cipher.tagBytes });
    opening.setAuthTag(only.body.subarray(-cipher.tagBytes));
    try {
      return Buffer.concat([opening.update(only.body.subarray(0, -cipher.tagBytes)), opening.final()]);
    } catch {
      throw new WrongPassphrase();
    }
  },
});

/** The stream of the web counts pieces unless it is told to count bytes, and would hold all of a file. */
const inBytes = { strategy: new ByteLengthQueuingStrategy({ highWaterMark: 1 << 18 }) };

const webStream = (bytes: Readable) => Readable.toWeb(bytes, inBytes) as globalThis.ReadableStream<Uint8Array>;

/** Returns the bytes of a sealed file. */
export async function* sealed(packed: AsyncIterable<Buffer>, passphrase: string): AsyncGenerator<Uint8Array> {
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient(passphrase));
  const bytes = await encrypter.encrypt(webStream(Readable.from(packed, { objectMode: false })));
  yield* bytes as ReadableStream<Uint8Array>;
}

/**
 * Returns the bytes in a sealed file.
 *
 * @throws WrongPassphrase
 */
export async function unsealed(file: Readable, passphrase: string): Promise<Readable> {
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity(passphrase));
  return Readable.fromWeb((await decrypter.decrypt(webStream(file))) as ReadableStream);
}
