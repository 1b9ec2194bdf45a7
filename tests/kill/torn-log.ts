/** Leaves in a killed browser's profile what a crash in the middle of a write leaves. */
import { appendFile, readdir, stat } from 'node:fs/promises';
import path from 'node:path';

// The form of LevelDB's log: blocks, filled with records that begin with a checksum (4 bytes), a length (2) and a type (1).
// Source: https://github.com/google/leveldb/blob/main/doc/log_format.md
const blockSize = 32_768;
const headerSize = 7;
const fullRecord = 1;

/** Appends a record that claims the rest of its block and breaks off after one byte. Returns the path of the log. */
export async function tearLog(profile: string): Promise<string> {
  const log = await newestLog(path.join(profile, 'Default', 'IndexedDB'));
  const left = blockSize - ((await stat(log)).size % blockSize);
  // A block whose rest holds no record ends in zeros.
  const filling = left > headerSize ? 0 : left;
  const length = (left > headerSize ? left : blockSize) - headerSize;
  const header = Buffer.alloc(headerSize);
  header.writeUInt16LE(length, 4);
  header.writeUInt8(fullRecord, 6);
  await appendFile(log, Buffer.concat([Buffer.alloc(filling), header, Buffer.from([1])]));
  return log;
}

async function newestLog(folder: string): Promise<string> {
  const [origin] = (await readdir(folder)).filter((name) => name.endsWith('.leveldb'));
  const logs = (await readdir(path.join(folder, origin!))).filter((name) => name.endsWith('.log'));
  return path.join(folder, origin!, logs.sort().at(-1)!);
}
