import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ServerProcess, copyBuild } from '../support/server-process.ts';
import { expect, invoiceNumber, ordersInvoiced, test } from './clinic.ts';

/** A release: the worker and the page differ from what the tablet has. */
async function release(build: string): Promise<void> {
  const app = path.join(build, 'dist/app');
  const change = async (file: string, from: string | RegExp, to: string) => {
    const text = await readFile(path.join(app, file), 'utf8');
    const changed = text.replace(from, to);
    if (changed === text) throw new Error(`${file} does not hold what a release changes.`);
    await writeFile(path.join(app, file), changed);
    for (const packed of ['br', 'gz']) await rm(path.join(app, `${file}.${packed}`), { force: true });
  };
  await change('index.html', '<title>', '<meta name="release" content="next"><title>');
  await change('sw.js', /(\{revision:")[0-9a-f]+(",url:"index\.html"\})/, '$1ffffffffffffffffffffffffffffffff$2');
}

test('a new version waits for an empty plan and a tap, and the queue outlives it', async ({ newTablet }) => {
  const build = await copyBuild();
  const clinic = await ServerProcess.create({}, build);
  try {
    const tablet = await newTablet(clinic);
    const { page, context } = tablet;
    await tablet.signIn();
    await context.setOffline(true);
    const paper = await tablet.sellForCash();
    const number = await invoiceNumber(paper);
    await paper.close();
    await tablet.service('Dental cleaning').click();
    await clinic.stop();
    await release(build);

    // The shell is reachable again, the API is not: what is queued stays queued while the app is replaced.
    await context.route('**/api/**', (route) => route.abort());
    await clinic.start();
    await context.setOffline(false);
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
    await page.waitForFunction(async () => Boolean((await navigator.serviceWorker.getRegistration())?.waiting));
    const apply = page.getByRole('button', { name: 'Update now' });
    await expect(apply).toBeHidden();
    await page.getByRole('button', { name: 'Remove Dental cleaning' }).last().click();
    await expect(page.getByText('A new version is ready')).toBeVisible();
    await Promise.all([page.waitForEvent('load'), apply.click()]);
    await expect(page.locator('meta[name=release]')).toHaveAttribute('content', 'next');

    await context.unroute('**/api/**');
    // The page may be starting afresh at this very moment, which would break off a reload of ours.
    await expect(() => page.reload()).toPass();
    await expect.poll(async () => (await ordersInvoiced(clinic, number)).length, { timeout: 30_000 }).toBe(1);
  } finally {
    await clinic.destroy();
    await rm(build, { recursive: true, force: true });
  }
});
