import type { Page } from '@playwright/test';
import type { ServerProcess } from '../support/server-process.ts';
import { scan } from '../support/scan.ts';
import { expect, test } from './desk.ts';
import { lock, locked, pins, setPin } from './pins.ts';

const unknownCode = '7501031311309';

interface Scannable {
  name: string;
  barcode: string;
}

/** Returns a service that the counter sells, and its code. */
async function scannable(clinic: ServerProcess): Promise<Scannable> {
  const { stocks } = await clinic.api<{ stocks: { name: string; barcode: string | null; is_available: boolean }[] }>(
    '/stock',
  );
  const { name, barcode } = stocks.find((item) => item.barcode && item.is_available)!;
  return { name, barcode: barcode! };
}

const inPlan = (page: Page) => page.getByRole('list', { name: 'Treatment plan' }).getByRole('listitem');
const nothingAdded = (page: Page) => page.getByText('Nothing was added.').last();

test('a scan adds its service and leaves the text of every field of the plan as it was', async ({ desk, clinic }) => {
  const { barcode, name } = await scannable(clinic);
  const tablet = await desk('counter', '/');
  const { page } = tablet;
  await tablet.counterReady();
  await tablet.service('Dental cleaning').click();
  await inPlan(page).getByRole('button', { expanded: false }).click();
  const quantity = page.getByLabel('Quantity of Dental cleaning');
  const search = page.getByLabel('Search services');
  await quantity.fill('3');
  await search.fill('crown');

  for (const field of [quantity, search]) {
    const before = await field.inputValue();
    await field.focus();
    await scan(page, unknownCode);
    await expect(page.getByText(`No service has the barcode ${unknownCode}.`).last()).toBeVisible();
    await expect(field).toHaveValue(before);
    // A scanner without a key at its end is known by the check digit.
    await scan(page, unknownCode, null);
    await expect(field).toHaveValue(before);
  }
  await expect(inPlan(page)).toHaveCount(1);
  await quantity.focus();
  await scan(page, barcode, 'Tab');
  await expect(inPlan(page).filter({ hasText: name })).toHaveCount(1);
  await expect(quantity).toHaveValue('3');
  // What was selected stays so, and what is typed next takes its place.
  await page.keyboard.press('4');
  await expect(quantity).toHaveValue('4');
});

test('a scan at the payment, in a dialog and in a drawer changes nothing there, and nothing in the next plan', async ({
  desk,
  clinic,
}) => {
  const { barcode } = await scannable(clinic);
  const tablet = await desk('counter', '/');
  const { page } = tablet;
  await tablet.openPayment('Dental cleaning');
  const amount = page.getByLabel('Amount', { exact: true });
  const before = await amount.inputValue();
  await amount.focus();
  for (const code of [barcode, unknownCode, '+A123BJC5D6E71/$$52001510X3G', '96385074']) {
    await scan(page, code);
    await expect(nothingAdded(page)).toBeVisible();
    await page.getByRole('button', { name: 'Dismiss' }).last().click();
    await expect(amount).toHaveValue(before);
  }
  await page.getByRole('button', { name: 'Recent sales' }).focus();
  await scan(page, 'A/1B2C3 D4/');
  await expect(nothingAdded(page)).toBeVisible();
  await expect(amount).toBeVisible();
  await page.getByRole('tab', { name: 'Create treatment' }).click();
  await expect(inPlan(page)).toHaveCount(0);

  await tablet.service('Dental cleaning').click();
  await page.getByRole('button', { name: 'Discount' }).click();
  const percent = page.getByRole('dialog').getByRole('textbox').first();
  await percent.fill('5');
  await scan(page, barcode);
  await expect(nothingAdded(page)).toBeVisible();
  await expect(percent).toHaveValue('5');
  await page.keyboard.press('Escape');
  await expect(inPlan(page)).toHaveCount(1);

  await page.goto('/drawer');
  const opening = page.getByRole('main').getByRole('textbox').first();
  await opening.fill('150');
  await scan(page, '96385074');
  await expect(nothingAdded(page)).toBeVisible();
  await expect(opening).toHaveValue('150');
});

test('a scan is no PIN and no password', async ({ desk }) => {
  const tablet = await desk('counter', '/');
  const { page } = tablet;
  await tablet.counterReady();
  await setPin(page, 'counter');
  await lock(page);
  for (let round = 0; round < 6; round += 1) await scan(page, unknownCode);
  await page.keyboard.type(pins.counter);
  await expect(locked(page)).toHaveCount(0);
});

test('what is typed as fast as by a machine reaches every field', async ({ tablet }) => {
  const { page } = tablet;
  await page.goto('/login');
  for (const label of ['Email', 'Password']) {
    const field = page.getByLabel(label, { exact: true });
    await field.focus();
    await scan(page, 'counter7@demo.test', null);
    await expect(field).toHaveValue('counter7@demo.test');
    await scan(page, unknownCode);
    await expect(field).toHaveValue('counter7@demo.test');
  }
});
