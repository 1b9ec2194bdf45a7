/** The frame around the sections, on a tablet that is turned. */
import { expect, test } from './desk.ts';

const wide = { width: 1180, height: 820 };
const upright = { width: 820, height: 1180 };

test('a tablet that is turned upright collapses the sidebar, and turned back it shows it as the person chose @long', async ({
  desk,
}) => {
  const { page } = await desk('manager', '/rooms');
  const collapse = page.getByRole('button', { name: 'Collapse sidebar' });
  const expand = page.getByRole('button', { name: 'Expand sidebar' });
  await expect(collapse).toBeVisible();
  await page.setViewportSize(upright);
  await expect(expand).toBeVisible();
  await page.setViewportSize(wide);
  await expect(collapse).toBeVisible();

  // What is expanded upright changes neither the choice nor how it opens the next time.
  await collapse.click();
  await page.setViewportSize(upright);
  await expand.click();
  await expect(collapse).toBeVisible();
  await page.setViewportSize(wide);
  await expect(expand).toBeVisible();
  await page.setViewportSize(upright);
  await expect(expand).toBeVisible();
  await page.setViewportSize(wide);
  await page.reload();
  await expand.click();
  await page.reload();
  await expect(collapse).toBeVisible();
});

test('a link to a page leads to the sign-in page and says why when nobody is signed in; the start says nothing', async ({
  newTablet,
}) => {
  const { page } = await newTablet();
  const notice = page.getByText('Your session has expired. Please log in again to continue.');
  const signIn = page.getByRole('button', { name: 'Sign in', exact: true });
  await page.goto('/');
  await expect(signIn).toBeVisible();
  await expect(page).toHaveURL(/\/login$/);
  await expect(notice).toBeHidden();
  await page.goto('/admin/stock');
  await expect(notice).toBeVisible();
  await expect(page).toHaveURL(/\/login$/);
  await page.reload();
  await expect(signIn).toBeVisible();
  await expect(notice).toBeHidden();
});
