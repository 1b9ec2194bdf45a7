import { rm } from 'node:fs/promises';
import { copyBuild, release, ServerProcess } from '../support/server-process.ts';
import { expect, invoiceNumber, ordersInvoiced, test } from './clinic.ts';

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
    // The page may be starting afresh at this very moment; a reload that meets that is broken off, or never told of.
    await expect(() => page.reload({ timeout: 5000 })).toPass();
    await expect.poll(async () => (await ordersInvoiced(clinic, number)).length, { timeout: 30_000 }).toBe(1);
  } finally {
    await clinic.destroy();
    await rm(build, { recursive: true, force: true });
  }
});
