/** Waits, bounds and colours that the specification states as numbers. */
import type { Page } from '@playwright/test';
import { expect, test } from './desk.ts';

/** Changes the `data` of a reply of the server. */
const answering = (page: Page, path: string, change: (data: Record<string, unknown>) => void) =>
  page.route(path, async (route) => {
    const reply = await route.fetch();
    const body = (await reply.json()) as { data: Record<string, unknown> };
    change(body.data);
    await route.fulfill({ response: reply, json: body });
  });

/** Stops the timers of a page: they run on by `page.clock.runFor` alone. */
async function stopClock(page: Page): Promise<void> {
  await page.clock.install();
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000));
}

test('a count of alerts above 9 shows as "9+" @long', async ({ desk }) => {
  const { page } = await desk('admin', '/admin/dashboard');
  let total = 9;
  await answering(page, '**/api/stock/inventory/alerts/stats', (data) => Object.assign(data, { total }));
  const alerts = page.getByRole('tab', { name: /^Alerts/ });
  await page.goto('/admin/stock');
  await expect(alerts).toHaveText('Alerts9');
  total = 10;
  await page.getByRole('button', { name: 'Refresh', exact: true }).click();
  await expect(alerts).toHaveText('Alerts9+');
});

test('a day of the activity has a bar of its colour: none, one, two or three, and more @long', async ({ desk }) => {
  const { page } = await desk('admin', '/admin/dashboard');
  const counts = [0, 1, 2, 3, 4, 9, 0];
  await answering(page, '**/api/stock/inventory/transactions/stats', ({ days }) =>
    (days as { count: number }[]).forEach((day, index) => Object.assign(day, { count: counts[index] })),
  );
  await page.goto('/admin/stock');
  const bars = page.locator('ol > li > [aria-hidden=true] > div');
  await expect(bars).toHaveCount(7);
  const colours = await bars.evaluateAll((found) => found.map((bar) => getComputedStyle(bar).backgroundColor));
  const [none, one, two, three, four, nine, last] = colours;
  expect([three, nine, last]).toEqual([two, four, none]);
  expect(new Set([none, one, two, four]).size).toBe(4);
  const [red = 0, green = 0, blue = 0] = four!.match(/\d+/g)!.map(Number);
  expect(green).toBeGreaterThan(Math.max(red, blue));
});

test('a search waits for half a second without a key, and begins at the first page @long', async ({ desk }) => {
  const { page } = await desk('admin', '/admin/staff?page=2&size=10');
  const search = page.getByRole('searchbox');
  await expect(search).toBeVisible();
  await stopClock(page);
  const asked: string[] = [];
  page.on('request', (request) => {
    const address = new URL(request.url());
    if (address.pathname === '/api/users' && address.searchParams.get('search')) asked.push(address.search);
  });
  await search.pressSequentially('mar');
  await page.clock.runFor(499);
  expect(asked).toEqual([]);
  await page.clock.runFor(2);
  await expect.poll(() => asked).toHaveLength(1);
  expect(asked[0]).toMatch(/search=mar/);
  expect(asked[0]).not.toMatch(/page=2/);
  // The next test at this tablet has the same clock.
  await page.clock.resume();
});

test('the sign of a refresh stays for 150 ms at least @long', async ({ desk }) => {
  const { page } = await desk('admin', '/admin/staff');
  const button = page.getByRole('button', { name: 'Refresh', exact: true });
  await expect(button).toBeEnabled();
  await stopClock(page);
  const answered = page.waitForResponse(/\/api\/users/);
  await button.click();
  await (await answered).finished();
  const busy = page.getByRole('button', { name: 'Refreshing' });
  await page.clock.runFor(140);
  await expect(busy).toBeDisabled();
  await page.clock.resume();
  await expect(button).toBeEnabled();
});

test('lists that load have 5 rows of staff and 4 of categories in their place @long', async ({ desk }) => {
  const { page } = await desk('admin', '/admin/dashboard');
  await page.route(/\/api\/(users|categories)\b/, () => undefined);
  for (const [path, rows] of [
    ['/admin/staff', 5],
    ['/admin/services?tab=categories', 4],
  ] as const) {
    await page.goto(path);
    await expect(page.locator('main [aria-busy=true] > *')).toHaveCount(rows);
  }
});

test('the treatments of the analytics stand in a list of 600 px @long', async ({ desk }) => {
  const { page } = await desk('admin', '/admin/reports');
  const list = page.locator('div:has(> table[aria-rowcount])');
  await expect(list).toHaveCSS('max-height', '600px');
});

test('a document prints half a second after its window has opened @long', async ({ tabletOf }) => {
  const tablet = await tabletOf('counter');
  const { page } = tablet;
  await tablet.openCounter();
  await page.evaluate(() => {
    const times: Record<string, number> = {};
    Object.assign(window, { times });
    const open = window.open.bind(window);
    window.open = (...given) => {
      times['opened'] = performance.now();
      const popup = open(...given);
      if (popup) popup.print = () => void (times['printed'] = performance.now());
      return popup;
    };
  });
  await tablet.service('Dental cleaning').click();
  await page.getByRole('button', { name: 'Create and take payment' }).click();
  await page.getByRole('button', { name: 'Process Payment' }).click();
  const times = () => page.evaluate(() => (window as unknown as { times: Record<string, number> }).times);
  await expect.poll(async () => (await times())['printed']).toBeDefined();
  const { opened, printed } = (await times()) as { opened: number; printed: number };
  // The timer and the clock that is read round differently.
  expect(printed - opened).toBeGreaterThan(490);
});

test('addresses of the specification lead to what they name @long', async ({ desk }) => {
  const { page } = await desk('admin', '/admin/categories');
  await expect(page.getByRole('tab', { name: 'Categories', selected: true })).toBeVisible();
  await page.goto('/admin/stock?tab=menu-management');
  await expect(page).toHaveURL(/\/admin\/services$/);
});
