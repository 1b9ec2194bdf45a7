import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { TestProject } from 'vitest/node';
import setup from '#tests/support/global-setup.ts';
import { memoryFolder } from '#tests/support/memory-folder.ts';
import { query, startProcess } from './scratch.ts';

test('a test run removes the files of a killed run, and its own at its end', async () => {
  const running = await mkdtemp(join(memoryFolder(), 'embedded-'));
  const killed = startProcess(running);
  const left = await killed.first((event) => event.connectionString);
  await killed.kill();
  // From here on any test run on this machine may remove the folder, because its owner is dead.
  const deadPid = spawnSync('true').pid;
  const abandoned = join(memoryFolder(), `dental-counter-tests-${deadPid}-abandoned`);
  await rename(running, abandoned);
  onTestFinished(() => rm(abandoned, { recursive: true, force: true }));

  let provided = '';
  const project = { provide: (_: string, value: string) => (provided = value) } as unknown as TestProject;
  const teardown = await setup(project);
  expect(await query(provided, 'select 1 as one')).toEqual([{ one: 1 }]);
  await expect(stat(abandoned)).rejects.toThrow('ENOENT');
  await expect(query(left, 'select')).rejects.toThrow('ENOENT');

  const before = await ownFolders();
  await teardown();
  expect(await ownFolders()).toHaveLength(before.length - 1);
});

async function ownFolders(): Promise<string[]> {
  return (await readdir(memoryFolder())).filter((name) => name.startsWith(`dental-counter-tests-${process.pid}-`));
}
