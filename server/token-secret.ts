import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { rowsOf } from './db/sql.ts';
import type { Sql } from './db/sql.ts';

const secretBytes = 32;

/** Returns the secret that signs session tokens. The first start creates its file, readable by this user only. */
export async function secretInFolder(dataDir: string): Promise<Uint8Array> {
  const file = path.join(dataDir, 'token-secret');
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const known = await readFile(file, 'utf8').catch(unless('ENOENT'));
  if (known !== undefined) return decode(known);
  // The file gets its name when it is complete: another process, or the next start after a crash, never reads a part of it.
  const draft = `${file}.${randomBytes(8).toString('hex')}`;
  try {
    await writeFile(draft, randomBytes(secretBytes).toString('hex'), { mode: 0o600, flag: 'wx', flush: true });
    await link(draft, file).catch(unless('EEXIST'));
  } finally {
    await rm(draft, { force: true });
  }
  return decode(await readFile(file, 'utf8'));
}

/** Ignores the expected error. */
const unless =
  (expected: string) =>
  (error: NodeJS.ErrnoException): undefined => {
    if (error.code !== expected) throw error;
  };

/** Returns the secret from the database, which processes share when they have no common data folder. */
export async function secretInDatabase(sql: Sql): Promise<Uint8Array> {
  await sql.query('insert into installation (token_secret) values ($1) on conflict do nothing', [
    randomBytes(secretBytes).toString('hex'),
  ]);
  const [row] = await rowsOf<{ tokenSecret: string }>(
    sql,
    'token secret',
    'select token_secret as "tokenSecret" from installation',
    [],
  );
  return decode(row!.tokenSecret);
}

function decode(hex: string): Uint8Array {
  const secret = Buffer.from(hex.trim(), 'hex');
  if (secret.length !== secretBytes)
    throw new Error('The token secret is damaged; remove it to make a new one, which ends all sessions');
  return secret;
}
