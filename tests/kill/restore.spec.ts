import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from '@playwright/test';
import { copyBuild, release, ServerProcess } from '../support/server-process.ts';
import { ask, audit, drained } from './audit.ts';
import { Clerk } from './clerk.ts';
import { Machine } from './machine.ts';
import { test } from './scene.ts';

/** The command as a person gives it, beside the running server. */
async function tool(clinic: ServerProcess, ...words: string[]): Promise<string> {
  const env = { ...process.env, DATA_DIR: clinic.dataDir, BACKUP_PASSPHRASE: 'a passphrase of the clinic' };
  const { stdout } = await promisify(execFile)(process.execPath, [path.resolve('dist/server/tools.js'), ...words], {
    env,
  });
  return stdout;
}

const backupOf = (clinic: ServerProcess): string => path.join(clinic.dataDir, 'backup.age');

/** The invoices of these papers that the server has. */
async function booked(clinic: ServerProcess, papers: readonly string[]): Promise<string[]> {
  const rows = await ask<{ number: string }>(clinic, 'select number from invoices where number = any($1) order by 1', [
    papers,
  ]);
  return rows.map(({ number }) => number);
}

test('SYNC-16 the running server is restored from before the sales: every one of them is there again, once', async ({
  scene,
  clinic,
  line,
}) => {
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

test('SYNC-16 a tablet that was enrolled after the backup signs in again, and delivers what it has', async ({
  clinic,
  line,
  launchOptions,
}) => {
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

test('SYNC-8 SYNC-16 offline through a restore, an app update and a new password: every sale is delivered once', async ({
  launchOptions,
}) => {
  test.slow();
  const build = await copyBuild();
  const clinic = await ServerProcess.create({}, build);
  const machine = await Machine.create(clinic, launchOptions);
  try {
    const clerk = new Clerk();
    const { tablet } = machine;
    const { page, context } = tablet;
    await clerk.sell(tablet);
    await drained(page);
    await tool(clinic, 'backup', backupOf(clinic));

    // This one was delivered and heard of; the restore makes the server forget it, as it does the sale of somebody at the desk.
    await clerk.sell(tablet);
    await drained(page);
    await context.setOffline(true);
    await clerk.sell(tablet);
    const desk = await clinic.api<{ data: { id: string } }>('/orders', {
      items: [{ stock_id: 1, quantity: 1 }],
      order_type: 'walk_in',
    });

    await tool(clinic, 'restore', backupOf(clinic));
    expect(await ask(clinic, 'select id from orders where id = $1', [desk.data.id])).toEqual([]);
    await clinic.stop();
    await release(build);
    await clinic.start();
    const { data: staff } = await clinic.api<{ data: { id: number }[] }>('/users?search=counter@demo.test');
    await clinic.api(`/users/${staff[0]!.id}`, { password: 'another-word-at-the-counter' }, 'PUT');
    await clerk.sell(tablet);

    // By the old session nothing goes: the server knows what its backup knew, and the counter sells on.
    await context.setOffline(false);
    await expect(tablet.pill).toContainText('Sign in', { timeout: 30_000 });
    await clerk.sell(tablet);
    expect(await booked(clinic, clerk.papers)).toEqual(clerk.papers.slice(0, 1));

    await tablet.signInAgain('counter', 'another-word-at-the-counter');
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
    await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Update now' }).click()]);
    await expect(page.locator('meta[name=release]')).toHaveAttribute('content', 'next');
    await tablet.counterReady();
    await clerk.sell(tablet);

    await expect.poll(() => booked(clinic, clerk.papers), { timeout: 60_000 }).toEqual(clerk.papers);
    await drained(page);
    await audit(clinic, page, clerk.papers);
  } finally {
    await machine.destroy();
    await clinic.destroy();
    await rm(build, { recursive: true, force: true });
  }
});
