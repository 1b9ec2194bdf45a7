import { expect, test } from './fixtures.ts';

test('the counter’s staff see no stock section, and its address redirects to the start page', async ({ tablet }) => {
  const { page } = tablet;
  await tablet.signIn('counter');
  await page.goto('/stock?tab=inventory');
  await expect(page).toHaveURL('/');
  await expect(page.locator('[data-tile]').first()).toBeVisible();
  await expect(page.getByText('Stock', { exact: true })).toHaveCount(0);
});

test('the list is searched, filtered, sorted and paged, and the address contains the tab', async ({
  newTablet,
  freshClinic,
}) => {
  // Other tests on a shared clinic would move items between the pages.
  const tablet = await newTablet(freshClinic);
  const { page } = tablet;
  await tablet.signIn('manager');
  await page.goto('/stock');
  await page.getByRole('tab', { name: 'All Stock' }).click();
  await expect(page).toHaveURL(/tab=inventory/);
  await expect(page.getByText(/^Showing 1 to 10 of \d+ results$/)).toBeVisible();
  await page.getByRole('button', { name: 'Page 2' }).click();
  await expect(page.getByText(/^Showing 11 to 20 of/)).toBeVisible();
  await page.getByRole('button', { name: 'Cost per unit' }).click();
  await page.getByRole('button', { name: 'Cost per unit' }).click();
  await expect(page.getByText(/^Showing 1 to 10 of/)).toBeVisible();
  await expect(page.getByRole('columnheader', { name: 'Cost per unit' })).toHaveAttribute('aria-sort', 'descending');
  await expect(page.getByRole('row').nth(1)).toContainText('Bonding agent');
  await page.getByLabel('Filter by status').selectOption('Out of stock');
  await page.getByLabel('Search stock').fill('Etching');
  await expect(page.getByRole('row').filter({ hasText: 'Etching gel' })).toContainText('Out of stock');
  await page.getByLabel('Search stock').fill('nothing like it');
  await expect(page.getByText('Nothing matches')).toBeVisible();
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(page.getByText(/^Showing 1 to 10 of/)).toBeVisible();
  await page.reload();
  await expect(page.getByRole('tab', { name: 'All Stock' })).toHaveAttribute('aria-selected', 'true');
});

test('the chosen tab is in view on a phone, items are cards, and nothing scrolls sideways', async ({ tablet }) => {
  const { page } = tablet;
  await page.setViewportSize({ width: 390, height: 844 });
  await tablet.signIn('manager');
  const tabs = page.getByRole('tab');
  await page.goto('/stock');
  await expect(tabs.first()).toBeVisible();
  for (const tab of await tabs.all()) {
    await tab.click();
    await expect(tab).toHaveAttribute('aria-selected', 'true');
    await expect(tab).toBeInViewport({ ratio: 1 });
  }
  await page.goto('/stock?tab=inventory');
  await expect(page.getByRole('listitem').filter({ hasText: 'Alginate' })).toContainText('7 packets');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await page.getByRole('button', { name: 'Edit Alginate' }).click();
  await expect(page.locator('dialog[open]').getByLabel('Name', { exact: true })).toHaveValue('Alginate');
  expect(await page.evaluate(() => document.querySelector('dialog[open]')!.scrollWidth)).toBe(390);
});
