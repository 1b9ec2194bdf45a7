/**
 * The format of a backup file: frames of a type byte, four length bytes and content, compressed by gzip and, with a
 * passphrase, encrypted by age (age-encryption.org, whose tools can open it too). A header comes first, then each table
 * as a title and chunks of PostgreSQL's COPY text, then a SHA-256 of everything before. A file without its end is
 * invalid.
 */
import { isoOf } from '#domain/instant.ts';
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline as joined } from 'node:stream';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { z } from 'zod';
import type { GrantedIds } from './granted-ids.ts';
import { sealed, unsealed, WrongPassphrase } from './passphrase.ts';

const formatVersion = 3;
const ageIntroduction = 'age-encryption.org/';
/** Far above a chunk of COPY; a greater length means damage. */
const maxFrameBytes = 1 << 28;

const headerSchema = z.object({
  format: z.literal(formatVersion),
  takenAt: z.iso.datetime(),
  /** The hashes of the migrations that made the tables' schema, in order. */
  migrations: z.array(z.string()),
  grantedIds: z.record(z.string(), z.int().nonnegative()),
});
const titleSchema = z.object({ table: z.string(), columns: z.array(z.string()) });

export type Header = z.infer<typeof headerSchema>;
/** A table with its columns, in the order of their values. The names are those of the file, so they are not trusted. */
export type TableTitle = z.infer<typeof titleSchema>;

export type Part =
  | { type: 'header'; value: Header }
  /** The chunks up to the next table are its rows. */
  | { type: 'table'; value: TableTitle }
  | { type: 'rows'; value: Buffer };

/** The backup is damaged, incomplete, of another format, with foreign names, or not encrypted with this passphrase. */
export class BackupUnreadable extends Error {
  override name = 'BackupUnreadable';
}

const frameTypes = { header: 'H', table: 'T', rows: 'R', end: 'E' } as const;
type FrameType = (typeof frameTypes)[keyof typeof frameTypes];

export function newHeader(takenAtMs: number, migrations: string[], grantedIds: GrantedIds): Header {
  return { format: formatVersion, takenAt: isoOf(takenAtMs), migrations, grantedIds };
}

/**
 * Writes a temporary file and renames it when it is complete and on disk, so no file name belongs to half a backup.
 *
 * @returns the size in bytes
 */
export async function writeArchive(
  file: string,
  parts: AsyncIterable<Part>,
  passphrase: string | null,
): Promise<number> {
  const draft = `${file}.part`;
  try {
    const sealing = (packed: AsyncIterable<Buffer>) => (passphrase === null ? packed : sealed(packed, passphrase));
    // Readable by this user only: it contains every patient's name.
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

/**
 * Reads a backup frame by frame.
 *
 * @throws BackupUnreadable, possibly only at the end; callers must discard everything read before
 */
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
    if (error instanceof WrongPassphrase)
      throw new BackupUnreadable('The backup was encrypted with another passphrase than BACKUP_PASSPHRASE.');
    throw new BackupUnreadable(`The backup cannot be read: ${(error as Error).message}`, { cause: error });
  }
  throw new BackupUnreadable('The backup is not complete.');
}

/** Errors of earlier streams are thrown where the last stream is read. */
const atTheReader = (): void => undefined;

async function opened(file: string, passphrase: string | null): Promise<Readable> {
  if (!(await isSealed(file))) {
    if (passphrase === null) return createReadStream(file);
    // A program that can write to the folder of the backups could otherwise replace ours by a file of its own.
    throw new BackupUnreadable(
      'The backup is not encrypted, but there is a passphrase: anybody may have written it. Unset BACKUP_PASSPHRASE if you trust it.',
    );
  }
  if (passphrase === null) throw new BackupUnreadable('The backup is encrypted: it needs its passphrase.');
  return unsealed(createReadStream(file), passphrase);
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
  /** The frame with its type and length, as the checksum covers it. */
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
  if (type === 'T') {
    const title = titleSchema.safeParse(value);
    if (!title.success) throw new BackupUnreadable('The backup is damaged: it has a table without names.');
    return { type: 'table', value: title.data };
  }
  if (type !== 'H') throw new BackupUnreadable('The backup is damaged: it has a part of no known kind.');
  const header = headerSchema.safeParse(value);
  if (!header.success) throw new BackupUnreadable('The backup was written by another version of this program.');
  return { type: 'header', value: header.data };
}

/** Flushes a file, or a folder's entry of it, to disk. */
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
