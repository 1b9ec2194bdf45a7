import { expectAccessible } from './expect-accessible.ts';
import { expect, test } from './fixtures.ts';

test('an address that leads nowhere says so, and a section that somebody may not open leads to the start @long', async ({
  tabletOf,
}) => {
  const { page } = await tabletOf('manager');
  await page.goto('/nowhere');
  await expect(page.getByRole('heading', { name: 'This page does not exist' })).toBeVisible();
  await expect(page.getByText('/nowhere')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Back to start' }).click();
  await expect(page).toHaveURL(/\/$/);
  await page.goto('/welcome');
  await expect(page.getByRole('heading', { name: 'This page does not exist' })).toBeHidden();
  await expect(page).toHaveURL(/\/$/);
});
