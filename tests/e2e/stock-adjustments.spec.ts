import type { Page } from '@playwright/test';
import { draftSavedMs } from '../support/tablet.ts';
import { expect, test } from './desk.ts';
import { addItem, openStockTab, panel, picker } from './stock-elements.ts';

const update = (page: Page) => page.getByRole('button', { name: 'Update', exact: true });
const amount = (page: Page) => page.getByLabel(/^(Amount|Cantidad)$/);
const preview = (page: Page) => page.getByRole('region', { name: 'Preview' });
const recent = (page: Page) => page.getByRole('list', { name: 'Adjusted on this device' }).getByRole('listitem');

async function choose(page: Page, name: string): Promise<void> {
  await picker(page).fill(name);
  await page
    .getByRole('option', { name: new RegExp(name) })
    .first()
    .click();
}

test('an adjustment made while the server is down is sent when it returns, with its author and device', async ({
  desk,
  clinic,
}) => {
  const { name } = await addItem(clinic, 'Offline gauze', { is_available: false });
  const tablet = await desk('manager', '/stock?tab=stock-management');
  const { page } = tablet;
  await picker(page).fill(name.toLowerCase());
  await expect(page.getByRole('option', { name: new RegExp(name) })).toBeVisible();
  await clinic.stop();
  await picker(page).press('Enter');
  await expect(picker(page)).toHaveValue(name);
  await amount(page).fill('5');
  await page.getByLabel('Reason').fill('Delivery without a paper');
  await expect(preview(page)).toContainText('Current10 boxes');
  await expect(preview(page)).toContainText('Change+5 boxes');
  await expect(preview(page)).toContainText('New total15 boxes');
  await update(page).click();
  await expect(page.getByText(`${name}: 5 boxes added`)).toBeVisible();
  await expect(page.getByText('Saved here. It will be sent to the server.')).toBeVisible();

  // The form is empty again, and the stock level on this device includes the adjustment.
  await expect(picker(page)).toHaveValue('');
  await expect(amount(page)).toHaveValue('0');
  await expect(page.getByLabel('Reason')).toHaveValue('');
  await expect(page.getByRole('radio', { name: 'Add', exact: true })).toBeChecked();
  await expect(recent(page).first()).toContainText(`${name}+5 boxes`);
  await expect(recent(page).first()).toContainText('On this device');
  await choose(page, name);
  await expect(preview(page)).toContainText('Current15 boxes');
  await expect(preview(page)).toContainText('Without them: 10 boxes');

  await clinic.start();
  await expect(recent(page).first()).toContainText('On the server', { timeout: 30_000 });
  const where = await recent(page).first().textContent();
  const device = /Device (\w+)/.exec(where!)![1]!;
  await openStockTab(tablet, 'transactions');
  await panel(page).getByRole('searchbox', { name: 'Search items and notes' }).fill(name);
  const row = page.getByRole('row').filter({ hasText: 'Delivery without a paper' });
  for (const text of [name, 'Stock in', '10 → 15 boxes', 'Completed', 'Tomás Ibarra', `Device ${device}`, 'EUR 20,00'])
    await expect(row).toContainText(text);
});

test('an adjustment requires an item and an amount, warns of a low result, and accepts a count of 0 @long', async ({
  desk,
  clinic,
}) => {
  const { name } = await addItem(clinic, 'Warned gauze', { unit: 'kg' });
  const { page } = await desk('manager', '/stock?tab=stock-management');
  await expect(update(page)).toBeDisabled();
  await amount(page).fill('3');
  await expect(update(page)).toBeDisabled();
  await choose(page, name);
  await expect(update(page)).toBeEnabled();
  await page.getByRole('button', { name: 'More' }).click();
  await expect(amount(page)).toHaveValue('3,01');
  await amount(page).fill('0');
  await expect(update(page)).toBeDisabled();

  await page.getByRole('radio', { name: 'Subtract' }).click();
  await amount(page).fill('8.5');
  await expect(preview(page)).toContainText('Low stock: at or below the threshold of 2 kg.');
  await amount(page).fill('12');
  await expect(preview(page)).toContainText('New total-2 kg');
  await expect(preview(page)).toContainText('Negative stock');
  await expect(update(page)).toBeEnabled();
  for (const [typed, problem] of [
    ['-1', 'Quantity must be 0 or greater'],
    ['0.0001', 'Use at most 3 decimals after the comma.'],
  ] as const) {
    await amount(page).fill(typed);
    await amount(page).blur();
    await expect(page.getByText(problem)).toBeVisible();
    await expect(update(page)).toBeDisabled();
  }

  await amount(page).fill('0');
  await page.getByRole('radio', { name: 'Set' }).click();
  await expect(amount(page)).toHaveValue('');
  await expect(update(page)).toBeDisabled();
  await amount(page).fill('0');
  await expect(preview(page)).toContainText('Out of stock: nothing would be left.');
  await update(page).click();
  await expect(page.getByText(`${name}: set to 0 kg`)).toBeVisible();

  // The item is out of stock now, and its button in the list fills the form.
  await page.getByRole('radio', { name: /^Out/ }).click();
  await page.getByRole('button', { name: `Adjust ${name}` }).click();
  await expect(picker(page)).toHaveValue(name);
  await expect(amount(page)).toBeFocused();
});

test('an item is found by barcode and by keyboard, a search without results says so, and the form keeps its values after a reload @long', async ({
  desk,
  clinic,
}) => {
  const barcode = String(Date.now());
  const { name } = await addItem(clinic, 'Scanned gauze', { barcode });
  const { page } = await desk('manager', '/stock?tab=stock-management');
  await picker(page).focus();
  await page.keyboard.type(barcode, { delay: 4 });
  await page.keyboard.press('Enter');
  await expect(picker(page)).toHaveValue(name);
  await expect(amount(page)).toBeFocused();
  await page.keyboard.type('2');
  await page.keyboard.press('Enter');
  await expect(page.getByText(`${name}: 2 boxes added`)).toBeVisible();
  await expect(picker(page)).toBeFocused();

  await page.keyboard.type('nitrile');
  await expect(page.getByRole('option')).toHaveCount(2);
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('option', { name: /Nitrile gloves S/ })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(picker(page)).toHaveValue('Nitrile gloves S');

  // Keys that are faster than the list choose the item under the arrow, not the first one.
  await picker(page).fill('nitrile');
  await expect(page.getByRole('option')).toHaveCount(2);
  await picker(page).evaluate(async (field: HTMLInputElement) => {
    // The native setter, because React ignores values set through its own.
    Reflect.set(HTMLInputElement.prototype, 'value', 'nitrile g', field);
    const keys = ['ArrowDown', 'Enter'].map(
      (key) => new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
    );
    for (const event of [new InputEvent('input', { bubbles: true }), ...keys]) {
      field.dispatchEvent(event);
      // The page renders before the next key, but the database has not answered yet.
      await Promise.resolve();
    }
  });
  await expect(picker(page)).toHaveValue('Nitrile gloves S');

  await picker(page).fill('nothing like it');
  await expect(page.getByText('No stock item starts with “nothing like it” or has this barcode.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(picker(page)).toHaveValue('Nitrile gloves S');

  await amount(page).fill('7');
  await page.getByLabel('Reason').fill('Half counted');
  await page.waitForTimeout(draftSavedMs);
  await page.reload();
  await expect(page.getByText('Your earlier entries are still here.')).toBeVisible();
  await expect(picker(page)).toHaveValue('Nitrile gloves S');
  await expect(amount(page)).toHaveValue('7');
  await page.getByRole('button', { name: 'Start over' }).click();
  await expect(picker(page)).toHaveValue('');
});

test('SYNC-10 an adjustment older than a count shows that it had no effect', async ({ desk, clinic }) => {
  const { name, id } = await addItem(clinic, 'Counted gauze');
  const tablet = await desk('manager', '/stock?tab=stock-management');
  const { page, context } = tablet;
  await choose(page, name);
  await context.setOffline(true);
  await page.getByRole('radio', { name: 'Subtract' }).click();
  await amount(page).fill('4');
  await update(page).click();
  await expect(recent(page).first()).toContainText('On this device');
  await clinic.api(`/stock/stock/update/${id}`, { amount: 6 });
  await context.setOffline(false);
  await expect(recent(page).first()).toContainText('On the server', { timeout: 30_000 });
  await openStockTab(tablet, 'transactions');
  await panel(page).getByRole('searchbox').fill(name);
  const row = page.getByRole('row').filter({ hasText: 'Stock out' }).filter({ hasText: name });
  await expect(row).toContainText('No effect: a later count already includes this.');
});
