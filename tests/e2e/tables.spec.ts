/** Tables of the back office on a tablet, upright and lying on its side. */
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

const pages = {
  staff: 'staff',
  stock: 'stock?tab=inventory',
  transactions: 'stock?tab=transactions',
  lots: 'stock?tab=lots',
  'purchase orders': 'stock?tab=purchase-orders',
  services: 'stock?tab=menu-management',
  categories: 'categories',
  expenses: 'expenses',
  drawers: 'drawer',
  'audit log': 'audit',
};

/** Returns a complaint for each table that is wider than its place, and each cell narrower than its text. */
const cutTables = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('table')]
      .filter((table) => table.checkVisibility())
      .flatMap((table) => {
        const place = table.parentElement!;
        const faults = place.scrollWidth > place.clientWidth ? [`${place.scrollWidth} in ${place.clientWidth} px`] : [];
        for (const row of table.querySelectorAll('tbody tr')) {
          const first = [...row.querySelectorAll('td')].find((cell) => cell.checkVisibility());
          if (first && first.getBoundingClientRect().height > 120) faults.push(`a tall row: ${first.textContent}`);
        }
        return faults;
      }),
  );

for (const viewport of [
  { width: 820, height: 1180 },
  { width: 1180, height: 820 },
]) {
  test(`no table is cut at ${viewport.width} px`, async ({ tablet }) => {
    const { page } = tablet;
    await page.setViewportSize(viewport);
    await tablet.signIn('admin');
    for (const [name, address] of Object.entries(pages)) {
      await page.goto(`/admin/${address}`);
      const content = page.getByRole('table').or(page.getByRole('main').getByRole('listitem'));
      await expect(content.filter({ visible: true }).first()).toBeVisible();
      expect(await cutTables(page), name).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBeLessThanOrEqual(viewport.width);
    }
  });
}
