import type { Page } from '@playwright/test';
import { rm } from 'node:fs/promises';
import { copyBuild, release, ServerProcess } from '../support/server-process.ts';
import { Tablet, invoiceNumber, ordersInvoiced } from '../support/tablet.ts';
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
    await expect(() => page.reload({ timeout: 5000 })).toPass();
    await expect.poll(async () => (await ordersInvoiced(clinic, number)).length, { timeout: 30_000 }).toBe(1);
  } finally {
    await clinic.destroy();
    await rm(build, { recursive: true, force: true });
  }
});

/** Blocks all other writes to the treatments. Returns a function that ends the block. */
async function blockTreatments(page: Page): Promise<() => Promise<void>> {
  const hold = await page.evaluateHandle(async () => {
    const open = indexedDB.open('dental-counter');
    const db = await new Promise<IDBDatabase>((resolve) => (open.onsuccess = () => resolve(open.result)));
    const treatments = db.transaction('orders', 'readwrite').objectStore('orders');
    let isBlocking = true;
    const continueBlocking = () => {
      if (isBlocking) treatments.count().onsuccess = continueBlocking;
      else db.close();
    };
    continueBlocking();
    return { end: () => (isBlocking = false) };
  });
  return () => hold.evaluate(({ end }) => void end());
}

/** Pays the exact amount. Returns the window of the invoice. */
async function pay({ page, context }: Tablet): Promise<Page> {
  const [invoice] = await Promise.all([
    context.waitForEvent('page', { timeout: 10_000 }),
    page.getByRole('button', { name: 'Process Payment' }).click(),
  ]);
  return invoice;
}

/** Pays and leaves the counter before the payment is stored. Returns the window of the invoice. */
async function payAndLeave(tablet: Tablet): Promise<Page> {
  const { page } = tablet;
  const continueBlocking = await blockTreatments(page);
  const invoice = await pay(tablet);
  await page.getByRole('link', { name: 'Cash drawer' }).click();
  await expect(page.getByRole('heading', { name: 'Cash drawer', level: 1 })).toBeVisible();
  await continueBlocking();
  return invoice;
}

for (const [name, paid] of [
  ['a payment', pay],
  ['a payment whose screen was left', payAndLeave],
] as const) {
  test(`an update started by another tab waits for ${name} and its invoice`, async ({ newTablet }) => {
    const build = await copyBuild();
    const clinic = await ServerProcess.create({}, build);
    try {
      const tablet = await newTablet(clinic);
      const { page, context } = tablet;
      await tablet.signIn();
      const other = new Tablet(clinic, context, await context.newPage());
      await other.page.goto('/');
      await other.counterReady();
      await page.bringToFront();
      await tablet.service('Dental cleaning').click();
      await page.getByRole('button', { name: 'Create and take payment' }).click();
      await expect(page.getByRole('button', { name: 'Process Payment' })).toBeVisible();

      await clinic.stop();
      await release(build);
      await clinic.start();
      const taken = await page.evaluateHandle(() => ({
        over: new Promise<void>((resolve) =>
          navigator.serviceWorker.addEventListener('controllerchange', () => resolve(), { once: true }),
        ),
      }));
      await other.page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
      await other.page.getByRole('button', { name: 'Update now' }).click();
      await taken.evaluate(({ over }) => over);

      const invoice = await paid(tablet);
      expect(await invoiceNumber(invoice)).toMatch(/^INV-/);
      await expect.poll(() => invoice.evaluate(() => window.printed)).toBe(1);
      await expect(page.locator('meta[name=release]')).toHaveAttribute('content', 'next');
    } finally {
      await clinic.destroy();
      await rm(build, { recursive: true, force: true });
    }
  });
}
