import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from '../e2e/clinic.ts';
import type { ServerProcess } from '../support/server-process.ts';
import { ask, drained } from './audit.ts';
import { Clerk } from './clerk.ts';
import { Machine } from './machine.ts';
import { test } from './scene.ts';

/** The command as a person gives it, beside the running server. */
async function tool(clinic: ServerProcess, ...words: string[]): Promise<string> {
  const env = { ...process.env, DATA_DIR: clinic.dataDir, BACKUP_PASSPHRASE: 'a passphrase of the clinic' };
  const { stdout } = await promisify(execFile)(process.execPath, [path.resolve('dist/server/tools.js'), ...words], { env });
  return stdout;
}

const backupOf = (clinic: ServerProcess): string => path.join(clinic.dataDir, 'backup.age');

/** The invoices of these papers that the server has. */
async function booked(clinic: ServerProcess, papers: readonly string[]): Promise<string[]> {
  const rows = await ask<{ number: string }>(clinic, 'select number from invoices where number = any($1) order by 1', [papers]);
  return rows.map(({ number }) => number);
}

test('SYNC-16 the running server is restored from before the sales: every one of them is there again, once', async ({ scene, clinic, line }) => {
  test.slow();
  const { machine, clerk, settle } = scene;
  await clerk.sell(machine.tablet);
  await settle();
  expect(await tool(clinic, 'backup', backupOf(clinic))).toContain('read back and complete');

  for (let sale = 0; sale < 2; sale++) await clerk.sell(machine.tablet);
  await settle();
  line.mode = { type: 'swallow' };
  await clerk.sell(machine.tablet);
  await tool(clinic, 'restore', backupOf(clinic));
  expect(await booked(clinic, clerk.papers)).toEqual(clerk.papers.slice(0, 1));

  line.mode = { type: 'pass' };
  line.cut();
  await clerk.sell(machine.tablet);
  await expect.poll(() => booked(clinic, clerk.papers), { timeout: 60_000 }).toEqual(clerk.papers);
  await settle();
});

test('SYNC-16 a tablet that was enrolled after the backup signs in again, and delivers what it has', async ({ clinic, line, launchOptions }) => {
  test.slow();
  await tool(clinic, 'backup', backupOf(clinic));
  const machine = await Machine.create(clinic, launchOptions, line.url);
  try {
    const clerk = new Clerk();
    const { tablet } = machine;
    for (let sale = 0; sale < 2; sale++) await clerk.sell(tablet);
    await drained(tablet.page);
    await tool(clinic, 'restore', backupOf(clinic));
    await clerk.sell(tablet);
    await expect(tablet.pill).toContainText('Sign in', { timeout: 30_000 });
    await tablet.signInAgain();
    await clerk.sell(tablet);
    await expect.poll(() => booked(clinic, clerk.papers), { timeout: 60_000 }).toEqual(clerk.papers.toSorted());
    await drained(tablet.page);
  } finally {
    await machine.destroy();
  }
});
