import { Decrypter, Encrypter } from 'age-encryption';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { sealed, unsealed, WrongPassphrase } from '#server/db/backup/passphrase.ts';

const passphrase = 'correct horse';
const chunk = Buffer.alloc(65_536, 'x');

/** Counts the pieces that its reader has asked for. */
class Source {
  given = 0;
  async *pieces(all: readonly Buffer[]): AsyncGenerator<Buffer> {
    for (const piece of all) {
      this.given += 1;
      yield piece;
    }
  }
}

async function firstOf(bytes: AsyncIterable<unknown>): Promise<void> {
  const reader = bytes[Symbol.asyncIterator]();
  for (let piece = 0; piece < 4; piece++) await reader.next();
}

test('sealing and opening run no further ahead than their reader', async () => {
  const all = Array.from({ length: 100 }, () => chunk);
  const plain = new Source();
  await firstOf(sealed(plain.pieces(all), passphrase));
  // Time for a stream to run ahead.
  await delay(100);
  expect(plain.given).toBeLessThan(30);

  const closed = await buffer(sealed(Readable.from(all), passphrase));
  const source = new Source();
  const parts = Array.from({ length: 100 }, (_, part) => closed.subarray(part * 65_536, (part + 1) * 65_536));
  await firstOf(await unsealed(Readable.from(source.pieces(parts), { objectMode: false }), passphrase));
  await delay(100);
  expect(source.given).toBeLessThan(30);
});

test('the format is that of age: its own passphrases open our files, and ours open its', async () => {
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  const ours = await buffer(sealed(Readable.from([chunk]), passphrase));
  expect(Buffer.from(await decrypter.decrypt(ours)).equals(chunk)).toBe(true);

  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  encrypter.setScryptWorkFactor(12);
  const theirs = Readable.from([Buffer.from(await encrypter.encrypt(chunk))], { objectMode: false });
  expect((await buffer(await unsealed(theirs, passphrase))).equals(chunk)).toBe(true);
});

test('a passphrase that opens nothing is told from a file that is damaged', async () => {
  const file = await buffer(sealed(Readable.from([chunk]), passphrase));
  const open = async (bytes: Buffer, word: string) =>
    buffer(await unsealed(Readable.from([bytes], { objectMode: false }), word));
  await expect(open(file, 'wrong horse')).rejects.toThrow(WrongPassphrase);
  const damaged = Buffer.from(file);
  damaged[damaged.length - 100]! ^= 1;
  await expect(open(damaged, passphrase)).rejects.not.toThrow(WrongPassphrase);
});
