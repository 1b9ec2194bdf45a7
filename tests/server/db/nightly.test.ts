import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backUpIfDue, outlived } from '#server/db/backup/nightly.ts';
import { verifyBackup } from '#server/db/backup/take.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';

let server: TestServer;
let folder: string;
beforeAll(async () => {
  server = await startTestServer({ demo: true });
  folder = await mkdtemp(path.join(tmpdir(), 'dental-counter-nightly-'));
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const at = (time: string) =>
  backUpIfDue({
    connectionString: server.connectionString,
    folder,
    passphrase: null,
    timeZone: 'Europe/Madrid',
    nowMs: Date.parse(time),
  });

test('makes one backup a night, after 03:00 in the clinic’s time zone, when several processes try', async () => {
  const files = await Promise.all([at('2026-07-01T23:30:00Z'), at('2026-07-01T23:30:00Z'), at('2026-07-01T23:30:00Z')]);
  expect(files.filter(Boolean)).toEqual([path.join(folder, 'dental-counter-2026-07-01.backup')]);
  expect((await verifyBackup(files.find(Boolean)!, null)).rows).toBeGreaterThan(1000);
  expect(await at('2026-07-02T00:59:00Z')).toBeNull();
  expect(await at('2026-07-02T01:00:00Z')).toBe(path.join(folder, 'dental-counter-2026-07-02.backup'));
  expect(await at('2026-07-02T22:00:00Z')).toBeNull();
});

test('keeps the backups of the last fourteen nights, and other files in the folder', async () => {
  for (let day = 10; day < 30; day++) await writeFile(path.join(folder, `dental-counter-2026-06-${day}.backup`), '');
  await writeFile(path.join(folder, 'dental-counter-2026-06-01.backup.kept'), '');
  await at('2026-07-03T10:00:00Z');
  const names = (await readdir(folder)).toSorted();
  expect(names).toHaveLength(15);
  expect(names[0]).toBe('dental-counter-2026-06-01.backup.kept');
  expect(names[1]).toBe('dental-counter-2026-06-19.backup');
  expect(names.at(-1)).toBe('dental-counter-2026-07-03.backup');
});

test('a clock that is ahead removes no backup, and what it has taken takes no place of the true ones', async () => {
  const nameOf = (day: string) => `dental-counter-${day}.backup`;
  const june = Array.from({ length: 14 }, (_, day) => nameOf(`2026-06-${day + 10}`));
  const ahead = Array.from({ length: 20 }, (_, day) => nameOf(`2027-07-${day + 10}`));
  expect(outlived([...june, ahead[0]!], ahead[0]!)).toEqual([]);
  const tonight = nameOf('2026-06-24');
  expect(outlived([...june, tonight, ...ahead], tonight)).toEqual([june[0]]);
});
