import { expect, test } from './fixtures.ts';

test('the pill tells of a killed server within five seconds, and its return sends a sale within three', async ({
  newTablet,
  freshClinic,
}) => {
  test.slow();
  const tablet = await newTablet(freshClinic);
  await tablet.signIn();
  await expect(tablet.pill).toContainText('Online');
  await freshClinic.stop('SIGKILL');
  await expect(tablet.pill).toContainText('Offline', { timeout: 5000 });
  await (await tablet.sellForCash()).close();
  // By now the engine's own next attempt is many seconds away.
  await tablet.page.waitForTimeout(12_000);
  await expect(tablet.pill).toContainText('Offline');
  await freshClinic.start();
  await expect(tablet.pill).toContainText('Online', { timeout: 3000 });
});

test('a page with remembered data says so quietly, tells of an outage only after a failed call, and moves nothing', async ({
  tablet,
}) => {
  const { page, context } = tablet;
  await tablet.signIn('manager');
  await page.goto('/staff');
  const row = page.getByRole('row').filter({ hasText: 'admin@demo.test' });
  await expect(row).toBeVisible();
  await page.reload();

  await context.route('**/api/users?*', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 2500));
    await route.continue();
  });
  await page.reload();
  await expect(row).toBeVisible();
  await expect(page.getByText(/^As of \d/)).toBeVisible();
  const outage = page.getByText('The server cannot be reached');
  await expect(outage).toHaveCount(0);
  const place = await row.boundingBox();
  await expect(page.getByText(/^As of \d/)).toHaveCount(0);
  expect(await row.boundingBox()).toEqual(place);

  await context.unroute('**/api/users?*');
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(outage).toBeVisible();
  await expect(page.getByText(/^As of \d/)).toBeVisible();
  expect(await row.boundingBox()).toEqual(place);
  await context.setOffline(false);
  await expect(outage).toHaveCount(0, { timeout: 4000 });
  expect(await row.boundingBox()).toEqual(place);
});
