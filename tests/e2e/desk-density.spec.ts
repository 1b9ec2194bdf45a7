import { expect, test } from './desk.ts';

/** The most pixels between the bar of the app and the first row of data, and of a row. */
const most = { above: 150, row: 41 };

const lists = {
  staff: 'staff',
  'supplies, below the tabs of the stock': 'stock?tab=inventory',
  services: 'services',
  'purchase orders': 'purchase-orders',
};

test('at a desk, lists begin near the top, with rows of 40 px and one heading', async ({ desk }) => {
  const { page } = await desk('admin', '/admin/staff');
  await page.setViewportSize({ width: 1440, height: 900 });
  for (const [name, path] of Object.entries(lists))
    await test.step(name, async () => {
      await page.goto(`/admin/${path}`);
      await expect(page.getByRole('row').nth(1)).toBeVisible();
      const [main, heights, tops] = await Promise.all([
        page.locator('main').evaluate((element) => element.getBoundingClientRect().top),
        page.locator('tbody tr').evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height)),
        page.locator('tbody tr').evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().top)),
      ]);
      expect(tops[0]! - main).toBeLessThanOrEqual(most.above);
      // A long name may take a second line.
      const typical = heights.toSorted((a, b) => a - b)[Math.floor(heights.length / 2)];
      expect(typical).toBeLessThanOrEqual(most.row);
      const title = (await page.getByRole('heading', { level: 1 }).innerText()).trim();
      await expect(page.getByRole('banner').getByText(title, { exact: true })).toHaveCount(0);
    });
});

test('with a finger, rows and controls keep 48 px', async ({ browser, clinic }) => {
  const context = await browser.newContext({
    baseURL: clinic.url,
    viewport: { width: 1366, height: 1024 },
    hasTouch: true,
    isMobile: true,
  });
  const page = await context.newPage();
  await page.goto('/login');
  await page.getByLabel('Email', { exact: true }).fill('admin@demo.test');
  await page.getByLabel('Password', { exact: true }).fill('demo-admin');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL(/dashboard/);
  await page.goto('/admin/staff');
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  const height = (await page.getByRole('searchbox').boundingBox())!.height;
  expect(height).toBeGreaterThanOrEqual(48);
  await context.close();
});
