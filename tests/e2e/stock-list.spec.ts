import type { StockResource } from '#domain/stock/resources.ts';
import { expect, test } from './desk.ts';
import { chooseAction } from './elements.ts';
import { addItem } from './stock-elements.ts';

test('the list is searched, filtered, sorted and paged, and the address contains the tab @long', async ({
  desk,
  clinic,
}) => {
  // Other tests of the worker change the quantities of the demo's items.
  const empty = await addItem(clinic, 'Etching paste', { quantity: 0 });
  const few = await addItem(clinic, 'Alginate', { quantity: 7, unit: 'packets' });
  const { page } = await desk('manager', '/stock');
  const { stocks } = await clinic.api<{ stocks: StockResource[] }>('/stock');
  const dearest = stocks
    .filter(({ is_stocked }) => is_stocked)
    .reduce((most, item) => (item.cost_per_unit > most.cost_per_unit ? item : most));
  await page.getByRole('tab', { name: 'All Stock' }).click();
  await expect(page).toHaveURL(/tab=inventory/);
  await expect(page.getByText(/^Showing 1 to 10 of \d+ results$/)).toBeVisible();
  await page.getByRole('button', { name: 'Page 2' }).click();
  await expect(page.getByText(/^Showing 11 to 20 of/)).toBeVisible();
  await page.getByRole('button', { name: 'Cost per unit' }).click();
  await page.getByRole('button', { name: 'Cost per unit' }).click();
  await expect(page.getByText(/^Showing 1 to 10 of/)).toBeVisible();
  await expect(page.getByRole('columnheader', { name: 'Cost per unit' })).toHaveAttribute('aria-sort', 'descending');
  await expect(page.getByRole('row').nth(1)).toContainText(dearest.name);
  await page.getByLabel('Filter by status').selectOption('Out of stock');
  await page.getByLabel('Search stock').fill(empty.name);
  await expect(page.getByRole('row').filter({ hasText: empty.name })).toContainText('Out of stock');
  await page.getByLabel('Search stock').fill('nothing like it');
  await expect(page.getByText('Nothing matches')).toBeVisible();
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(page.getByText(/^Showing 1 to 10 of/)).toBeVisible();
  await page.reload();
  await expect(page.getByRole('tab', { name: 'All Stock' })).toHaveAttribute('aria-selected', 'true');

  // On a phone the items are cards, and the chosen tab scrolls into view.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByLabel('Search stock').fill(few.name);
  await expect(page.getByRole('listitem').filter({ hasText: few.name })).toContainText('7 packets');
  await chooseAction(page, few.name, 'Edit');
  await expect(page.locator('dialog[open]').getByLabel('Name', { exact: true })).toHaveValue(few.name);
  expect(await page.evaluate(() => document.querySelector('dialog[open]')!.scrollWidth)).toBe(390);
  await page.keyboard.press('Escape');
  for (const tab of await page.getByRole('tab').all()) {
    await tab.click();
    await expect(tab).toHaveAttribute('aria-selected', 'true');
    await expect(tab).toBeInViewport({ ratio: 1 });
  }
});
