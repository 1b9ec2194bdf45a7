import type { Page } from '@playwright/test';
import { expect, test } from '../e2e/fixtures.ts';
import { pay, updateDuringPayment } from './update-during-payment.ts';
import type { Tablet } from '../support/tablet.ts';

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

/** Pays and leaves the counter before the payment is stored. Returns the window of the invoice. */
async function payAndLeave(tablet: Tablet): Promise<Page> {
  const { page, context } = tablet;
  const continueBlocking = await blockTreatments(page);
  // The window opens after the payment is stored, so it opens while another screen is there.
  const opened = context.waitForEvent('page', { timeout: 10_000 });
  await page.getByRole('button', { name: 'Process Payment' }).click();
  await page.getByRole('link', { name: 'Cash drawer' }).click();
  await expect(page.getByRole('heading', { name: 'Cash drawer', level: 1 })).toBeVisible();
  await continueBlocking();
  return opened;
}

test('an update started by another tab waits for a payment whose screen was left and its invoice', async ({
  newTablet,
}) => {
  test.slow();
  await updateDuringPayment(newTablet, payAndLeave);
});

test('an update started by another tab waits for a payment and its invoice', ({ newTablet }) =>
  updateDuringPayment(newTablet, pay));
