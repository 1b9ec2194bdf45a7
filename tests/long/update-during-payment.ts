/** An update that another tab starts while a payment is under way. */
import type { Page } from '@playwright/test';
import { rm } from 'node:fs/promises';
import { copyBuild, release, ServerProcess } from '../support/server-process.ts';
import { Tablet, invoiceNumber } from '../support/tablet.ts';
import { expect } from '../e2e/fixtures.ts';

/** Pays the exact amount. Returns the window of the invoice. */
export async function pay({ page, context }: Tablet): Promise<Page> {
  const [invoice] = await Promise.all([
    context.waitForEvent('page', { timeout: 10_000 }),
    page.getByRole('button', { name: 'Process Payment' }).click(),
  ]);
  return invoice;
}

/** Expects that the update waits for the payment and its invoice. @param paid pays, and returns the window of the invoice */
export async function updateDuringPayment(
  newTablet: (clinic: ServerProcess) => Promise<Tablet>,
  paid: (tablet: Tablet) => Promise<Page>,
): Promise<void> {
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
}
