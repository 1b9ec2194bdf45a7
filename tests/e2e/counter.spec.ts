/** What the counter offers to the hand: the search, the favourites, and a screen on which nothing jumps. */
import { expect, test } from './fixtures.ts';

test('the search finds any word of a name by its beginning, and each typed word', async ({ tablet }) => {
  const { page } = tablet;
  await tablet.signIn();
  const search = page.getByRole('searchbox', { name: 'Search services' });
  await search.pressSequentially('Cléan');
  await expect(tablet.service('Dental cleaning')).toBeVisible();
  await expect(tablet.service('Deep cleaning')).toBeVisible();
  await expect(page.locator('[data-tile]').filter({ hasNotText: /\bclean/i })).toHaveCount(0);
  await search.pressSequentially(' den');
  await expect(tablet.service('Deep cleaning')).toHaveCount(0);
  await search.press('Enter');
  await expect(page.getByRole('button', { name: 'One more Dental cleaning' }).first()).toBeVisible();
});

test('the clinic’s favourites come first and stay in their places while services are sold', async ({ tablet }) => {
  const { page } = tablet;
  await tablet.signIn();
  const names = () => page.locator('[data-tile] > :first-child').allTextContents();
  const before = await names();
  // The most sold services of the demo clinic are not the first by name.
  expect(before).not.toEqual(before.toSorted((a, b) => a.localeCompare(b)));
  for (let sale = 0; sale < 3; sale++) {
    await page.locator('[data-tile="7"]').click();
    await page.getByRole('button', { name: 'Create Treatment' }).click();
    await expect(page.locator('[data-planned]')).toHaveCount(0);
  }
  await page.reload();
  await tablet.counterReady();
  expect(await names()).toEqual(before);
  await page.getByRole('button', { name: 'Favourites', exact: true }).click();
  await expect.poll(async () => (await names()).slice(0, 8)).toEqual(before.slice(0, 8));
});
