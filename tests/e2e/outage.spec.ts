import { slowness } from '../support/quiet-time.ts';
import { invoiceNumber, ordersInvoiced } from '../support/tablet.ts';
import { expect, test } from './fixtures.ts';

test('the pill tells of a killed server within five seconds, and its return sends a sale within three', async ({
  tabletOf,
  clinic,
}) => {
  const tablet = await tabletOf('counter');
  const { page } = tablet;
  await tablet.openCounter();
  await expect(tablet.pill).toContainText('Online');
  await clinic.stop('SIGKILL');
  await expect(tablet.pill).toContainText('Offline', { timeout: 5000 * slowness() });
  const number = await invoiceNumber(await tablet.sellForCash());
  // Each failed attempt lengthens the engine's wait. After these, its own next one is many seconds away.
  for (let attempt = 0; attempt < 8; attempt++) {
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await page.waitForTimeout(150);
  }
  await expect(tablet.pill).toContainText('Offline');
  await clinic.start();
  await expect(tablet.pill).toContainText('Online', { timeout: 3000 * slowness() });
  await expect.poll(async () => (await ordersInvoiced(clinic, number)).length).toBe(1);
});

test('a page that an outage left without data loads by itself within five seconds of the end @long', async ({
  tabletOf,
  clinic,
}) => {
  const tablet = await tabletOf('manager');
  const { page } = tablet;
  await tablet.openCounter();
  await clinic.stop('SIGKILL');
  await page.getByRole('link', { name: 'Expenses', exact: true }).click();
  const again = page.getByRole('button', { name: 'Try again' });
  await expect(again.first()).toBeVisible();
  await expect(tablet.pill).toContainText('Offline');
  await clinic.start();
  await expect(page.getByRole('row').filter({ hasText: 'Magazines' })).toBeVisible({ timeout: 5000 * slowness() });
  await expect(again).toHaveCount(0);
});

test('a page with remembered data says so quietly, tells of an outage only after a failed call, and moves nothing @long', async ({
  tabletOf,
}) => {
  const { page, context } = await tabletOf('manager');
  await page.goto('/staff');
  const row = page.getByRole('row').filter({ hasText: 'admin@demo.test' });
  await expect(row).toBeVisible();
  await page.reload();

  let answer = () => {};
  const answered = new Promise<void>((resolve) => (answer = resolve));
  await context.route('**/api/users?*', async (route) => {
    await answered;
    await route.continue();
  });
  await page.reload();
  await expect(row).toBeVisible();
  await expect(page.getByText(/^As of \d/)).toBeVisible();
  const outage = page.getByText('The server cannot be reached');
  await expect(outage).toHaveCount(0);
  const place = await row.boundingBox();
  answer();
  await expect(page.getByText(/^As of \d/)).toHaveCount(0);
  expect(await row.boundingBox()).toEqual(place);

  await context.unroute('**/api/users?*');
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(outage).toBeVisible();
  // The message of the outage has the time, and beside a toolbar there is no room for a second one.
  await expect(page.getByText(/^This is how things stood on .*\d{4}.*\d:\d\d/)).toBeVisible();
  await expect(page.getByText(/^As of \d/)).toBeHidden();
  expect(await row.boundingBox()).toEqual(place);
  await context.setOffline(false);
  await expect(outage).toHaveCount(0, { timeout: 4000 * slowness() });
  expect(await row.boundingBox()).toEqual(place);
});

test('without a toolbar the time of remembered data stands beside the heading, and lies over nothing', async ({
  tabletOf,
}) => {
  const tablet = await tabletOf('manager');
  const { page } = tablet;
  await page.goto('/kitchen');
  await expect(page.getByRole('heading', { name: 'Pending' })).toBeVisible();
  await expect(tablet.pill).toContainText('Online');
  await tablet.loseNetwork();
  const [time, note] = [page.getByText(/^As of \d/), page.getByText('Offline. Moves are kept here')];
  await expect(note).toBeVisible();
  await expect(time).toBeVisible();
  const [upper, lower] = [(await time.boundingBox())!, (await note.boundingBox())!];
  expect(lower.y).toBeGreaterThanOrEqual(upper.y + upper.height);
});

test('a page that was never opened says without a network that it is not here, and asks the server no more', async ({
  tabletOf,
}) => {
  const tablet = await tabletOf('admin');
  const { page } = tablet;
  await tablet.openCounter();
  await tablet.loseNetwork();
  const notHere = page.getByText('This page was not opened on this device before.');
  const refused = page.getByText('Please check your connection');
  for (const path of ['settings', 'devices', 'about', 'expenses', 'fiscal?tab=chains', 'fiscal']) {
    await page.goto(`/admin/${path}`);
    await expect(notHere).toHaveCount(1);
    await expect(refused).toHaveCount(0);
  }
  let calls = 0;
  page.on('request', (request) => (calls += Number(request.url().includes('/api/fiscal'))));
  await page.waitForTimeout(3000);
  expect(calls).toBe(0);
  await page.getByRole('tab', { name: 'Chains' }).click();
  await expect(notHere).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Verify the chains' })).toHaveCount(0);
});
