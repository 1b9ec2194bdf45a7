import { expect, test } from './desk.ts';

/** The most pixels between the bar of the app and the first row of data, and of a row. */
const most = { above: 150, row: 41 };

const sizes = {
  'at a desk': { width: 1440, height: 900 },
  'in a window of a tablet, with the sidebar open': { width: 1180, height: 820 },
};

/** Each list, and what a row of it is. */
const lists: Record<string, [path: string, row: string]> = {
  staff: ['staff', 'tbody tr'],
  'supplies, below the tabs of the stock': ['stock?tab=inventory', 'tbody tr'],
  'stock alerts': ['stock?tab=alerts&status=all', '[role=tabpanel] li'],
  'stock movements': ['stock?tab=transactions', 'tbody tr'],
  services: ['services', 'tbody tr'],
  categories: ['services?tab=categories', 'tbody tr'],
  'purchase orders': ['purchase-orders', 'tbody tr'],
  lots: ['purchase-orders?tab=lots', 'tbody tr'],
  expenses: ['expenses', 'tbody tr'],
  rooms: ['rooms', 'main li'],
  audit: ['audit', 'tbody tr'],
  devices: ['devices', 'tbody tr'],
  'treatments to export': ['reports?tab=export', 'tbody tr'],
  removals: ['reports?tab=removals&startDate=2020-01-01', 'tbody tr'],
};

/** Lists whose rows have neither pictures nor badges nor second lines. */
const plain = new Set([
  'staff',
  'supplies, below the tabs of the stock',
  'services',
  'purchase orders',
  'expenses',
  'audit',
  'treatments to export',
]);

/** Pages that the menu of the account names. */
const inAccountMenu = new Set(['audit']);

for (const [where, size] of Object.entries(sizes))
  test(`${where}, lists begin near the top, with rows of 40 px and one heading @long`, async ({ desk }) => {
    const { page } = await desk('admin', '/admin/staff');
    await page.setViewportSize(size);
    for (const [name, [path, row]] of Object.entries(lists))
      await test.step(name, async () => {
        await page.goto(`/admin/${path}`);
        const rows = page.locator(row).filter({ visible: true });
        await expect(rows.first()).toBeVisible();
        const [main, boxes] = await Promise.all([
          page.locator('main').evaluate((element) => element.getBoundingClientRect().top),
          rows.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON() as DOMRect)),
        ]);
        expect.soft(boxes[0]!.top - main, `${name} ${where}`).toBeLessThanOrEqual(most.above);
        if (plain.has(name) && size.width === 1440) {
          // A long name may take a second line.
          const heights = boxes.map(({ height }) => height).sort((a, b) => a - b);
          expect.soft(heights[Math.floor(heights.length / 2)], `${name} ${where}`).toBeLessThanOrEqual(most.row);
        }
        if (!plain.has(name) || inAccountMenu.has(name)) return;
        const title = (await page.getByRole('heading', { level: 1 }).innerText()).trim();
        await expect(page.getByRole('banner').getByText(title, { exact: true })).toHaveCount(0);
      });
  });

test('with a finger, rows and controls keep 48 px @long', async ({ browser, clinic }) => {
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
