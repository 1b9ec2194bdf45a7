/**
 * The file of a backup: frames of one type byte, four length bytes and a content, through gzip, and with a passphrase
 * through age (age-encryption.org, whose own tools open it as well). It begins with a header, carries each table as a
 * title and chunks of PostgreSQL's COPY text, and ends with a SHA-256 over all that came before: what lacks its end is
 * no backup.
 */
import { Decrypter, Encrypter } from 'age-encryption';
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable, pipeline as joined } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { createGunzip, createGzip } from 'node:zlib';

const formatVersion = 1;
const ageIntroduction = 'age-encryption.org/';
/** Far above what one chunk of COPY has; a length beyond it is damage, not data. */
const maxFrameBytes = 1 << 28;

export interface Header {
  format: number;
  takenAt: string;
  /** The hashes of the migrations whose schema the tables have, in their order. */
  migrations: string[];
}

export interface TableTitle {
  table: string;
  columns: string[];
}

export type Part =
  | { type: 'header'; value: Header }
  /** The chunks that follow, up to the next table, are its rows. */
  | { type: 'table'; value: TableTitle }
  | { type: 'rows'; value: Buffer };

/** The backup cannot be read: damaged, cut off, of another format, or closed by another passphrase. */
export class BackupUnreadable extends Error {
  override name = 'BackupUnreadable';
}

const frameTypes = { header: 'H', table: 'T', rows: 'R', end: 'E' } as const;
type FrameType = (typeof frameTypes)[keyof typeof frameTypes];

export function newHeader(takenAtMs: number, migrations: string[]): Header {
  return { format: formatVersion, takenAt: new Date(takenAtMs).toISOString(), migrations };
}

/**
 * Writes beside the file and moves the whole backup into place when it is on disk, so that a name never stands for half of one.
 *
 * @returns its size in bytes
 */
export async function writeArchive(
  file: string,
  parts: AsyncIterable<Part>,
  passphrase: string | null,
): Promise<number> {
  const draft = `${file}.part`;
  try {
    const sealing = (packed: AsyncIterable<Buffer>) => keyedHash(packed, passphrase);
    // Whoever may read it reads every patient's name.
    await pipeline(framesOf(parts), createGzip(), sealing, createWriteStream(draft, { mode: 0o600 }));
    const size = await flushed(draft);
    await rename(draft, file);
    await flushed(path.dirname(file));
    return size;
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** @throws BackupUnreadable, at the latest at the end: what came until then must not be kept before that is reached */
export async function* readArchive(file: string, passphrase: string | null): AsyncGenerator<Part> {
  const digest = createHash('sha256');
  try {
    const unpacked = joined(await opened(file, passphrase), createGunzip(), atTheReader);
    let isFirst = true;
    for await (const frame of framesIn(unpacked)) {
      if (frame.type === 'E') {
        if (frame.content.toString() !== digest.digest('hex'))
          throw new BackupUnreadable('The backup is damaged: its checksum is another.');
        return;
      }
      digest.update(frame.bytes);
      const part = partOf(frame);
      if (isFirst !== (part.type === 'header'))
        throw new BackupUnreadable('The backup is damaged: it does not begin as one.');
      isFirst = false;
      yield part;
    }
  } catch (error) {
    if (error instanceof BackupUnreadable || isMissing(error)) throw error;
    throw new BackupUnreadable(`The backup cannot be read: ${(error as Error).message}`, { cause: error });
  }
  throw new BackupUnreadable('The backup is not complete.');
}

/** What goes wrong in the streams before the last is thrown where the last is read. */
const atTheReader = (): void => undefined;

async function* keyedHash(packed: AsyncIterable<Buffer>, passphrase: string | null): AsyncGenerator<Uint8Array> {
  if (passphrase === null) return yield* packed;
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  const source = Readable.toWeb(Readable.from(packed, { objectMode: false })) as globalThis.ReadableStream<Uint8Array>;
  yield* (await encrypter.encrypt(source)) as ReadableStream<Uint8Array>;
}

async function opened(file: string, passphrase: string | null): Promise<Readable> {
  if (!(await isSealed(file))) return createReadStream(file);
  if (passphrase === null) throw new BackupUnreadable('The backup is encrypted: it needs its passphrase.');
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  const sealedBytes = Readable.toWeb(createReadStream(file)) as globalThis.ReadableStream<Uint8Array>;
  return Readable.fromWeb((await decrypter.decrypt(sealedBytes)) as ReadableStream);
}

async function isSealed(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { buffer } = await handle.read({ buffer: Buffer.alloc(ageIntroduction.length), position: 0 });
    return buffer.toString('latin1') === ageIntroduction;
  } finally {
    await handle.close();
  }
}

interface Frame {
  type: FrameType;
  content: Buffer;
  /** With type and length: what the checksum runs over. */
  bytes: Buffer;
}

async function* framesOf(parts: AsyncIterable<Part>): AsyncGenerator<Buffer> {
  const digest = createHash('sha256');
  for await (const { type, value } of parts) {
    const bytes = frameBytes(frameTypes[type], Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value)));
    digest.update(bytes);
    yield bytes;
  }
  yield frameBytes(frameTypes.end, Buffer.from(digest.digest('hex')));
}

function frameBytes(type: FrameType, content: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type, 'latin1');
  head.writeUInt32BE(content.length, 1);
  return Buffer.concat([head, content]);
}

async function* framesIn(stream: AsyncIterable<Buffer>): AsyncGenerator<Frame> {
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of stream) {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    while (held.length >= 5) {
      const end = 5 + held.readUInt32BE(1);
      if (end > maxFrameBytes) throw new BackupUnreadable('The backup is damaged: it has an impossible length.');
      if (held.length < end) break;
      const bytes = held.subarray(0, end);
      yield { type: bytes.toString('latin1', 0, 1) as FrameType, content: bytes.subarray(5), bytes };
      held = held.subarray(end);
    }
  }
}

function partOf({ type, content }: Frame): Part {
  if (type === 'R') return { type: 'rows', value: content };
  const value: unknown = JSON.parse(content.toString());
  if (type === 'T') return { type: 'table', value: value as TableTitle };
  if (type !== 'H') throw new BackupUnreadable('The backup is damaged: it has a part of no known kind.');
  const header = value as Header;
  if (header.format !== formatVersion)
    throw new BackupUnreadable('The backup was written by another version of this program.');
  return { type: 'header', value: header };
}

/** Sees to it that a file, or the entry of a file in its folder, is on disk. */
async function flushed(place: string): Promise<number> {
  const handle = await open(place);
  try {
    await handle.sync();
    return (await handle.stat()).size;
  } finally {
    await handle.close();
  }
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';
