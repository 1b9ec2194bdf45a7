import { rm } from 'node:fs/promises';
import { FaultProxy } from '../support/fault-proxy.ts';
import { copyBuild, release, ServerProcess } from '../support/server-process.ts';
import { slowness } from '../support/quiet-time.ts';
import { invoiceNumber, ordersInvoiced } from '../support/tablet.ts';
import { expect, test } from './fixtures.ts';

test('a new version waits for an empty plan and a tap, and the outbox survives it', async ({ newTablet }) => {
  const build = await copyBuild();
  const clinic = await ServerProcess.create({}, build);
  try {
    const tablet = await newTablet(clinic);
    const { page, context } = tablet;
    await tablet.signIn();
    await context.setOffline(true);
    const invoice = await tablet.sellForCash();
    const number = await invoiceNumber(invoice);
    await invoice.close();
    await tablet.service('Dental cleaning').click();
    await clinic.stop();
    await release(build);

    // The app's files are reachable and the API is not, so the outbox keeps its operations during the update.
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
    // The page may be reloading itself, which aborts this reload.
    await expect(() => page.reload({ timeout: 20_000 })).toPass();
    await expect.poll(async () => (await ordersInvoiced(clinic, number)).length).toBe(1);
  } finally {
    await clinic.destroy();
    await rm(build, { recursive: true, force: true });
  }
});

test('a new version takes over at once while the server answers nothing @long', async ({ newTablet }) => {
  const build = await copyBuild();
  const clinic = await ServerProcess.create({}, build);
  const connection = await FaultProxy.before(clinic.port);
  try {
    const tablet = await newTablet(clinic, connection.url);
    const { page } = tablet;
    await tablet.signIn();
    await page.evaluate(() => navigator.serviceWorker.ready);
    await release(build);
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
    await expect(page.getByText('A new version is ready')).toBeVisible();
    connection.mode = { type: 'swallow' };
    await (await tablet.sellForCash()).close();
    await page.getByRole('button', { name: 'Update now' }).click();
    await page.waitForEvent('load', { timeout: 5000 * slowness() });
    await expect(page.locator('meta[name=release]')).toHaveAttribute('content', 'next');
  } finally {
    await connection.close();
    await clinic.destroy();
    await rm(build, { recursive: true, force: true });
  }
});
