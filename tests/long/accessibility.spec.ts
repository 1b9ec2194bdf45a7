/** Every page in every mode. `npm test` walks each page once, in `tests/e2e/accessibility.spec.ts`. */
import { deskPages } from '../e2e/desk-pages.ts';
import { expectAccessible, expectAccessibleInBothSchemes } from '../e2e/expect-accessible.ts';
import { expect, test } from '../e2e/fixtures.ts';

for (const viewport of [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
]) {
  test(`every page passes WCAG 2.2 AA, light and dark, ${viewport.width} px wide`, async ({ tablet }) => {
    const { page } = tablet;
    await page.setViewportSize(viewport);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto('/login');
    await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
    await expectAccessibleInBothSchemes(page);

    await tablet.signIn('counter');
    await expectAccessibleInBothSchemes(page);
    await tablet.service('3D scan').click();
    await expectAccessibleInBothSchemes(page);
    await page.getByRole('tab', { name: /payment/i }).click();
    await page.getByRole('listitem').filter({ hasText: /T-A1-/ }).first().getByText(/T-A1-/).click();
    await expect(page.getByRole('button', { name: 'Process Payment' })).toBeVisible();
    await expectAccessibleInBothSchemes(page);
    await page.goto('/outbox');
    await expect(page.getByRole('heading', { name: 'Outbox' })).toBeVisible();
    await expectAccessibleInBothSchemes(page);
    await page.goto('/admin');
    await expect(page.getByText('Access Denied')).toBeVisible();
    await expectAccessibleInBothSchemes(page);

    await page.goto('/profile');
    for (const [label, text] of [
      ['Your password', 'demo-counter'],
      ['New PIN', '407183'],
      ['Repeat the new PIN', '407183'],
    ] as const)
      await page.getByRole('region', { name: 'PIN on this tablet' }).getByLabel(label, { exact: true }).fill(text);
    await page.getByRole('button', { name: 'Set PIN' }).click();
    await expect(page.getByText('You have a PIN on this tablet.')).toBeVisible();
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('button', { name: 'Lock', exact: true }).click();
    await expect(page.getByRole('group', { name: 'PIN pad' })).toBeVisible();
    await page.keyboard.type('913726');
    await expect(page.getByText('Wrong PIN')).toBeVisible();
    await expectAccessibleInBothSchemes(page);
    await page.getByRole('button', { name: 'Use password instead' }).click();
    await expectAccessibleInBothSchemes(page);
  });
}

for (const [name, paths] of Object.entries(deskPages)) {
  for (const language of ['en', 'sp'] as const) {
    test(`every page of ${name} passes WCAG 2.2 AA, wide and narrow, light and dark, in ${language}`, async ({
      tablet,
    }) => {
      test.slow();
      const { page } = tablet;
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await tablet.signIn('admin');
      await tablet.useLanguage(language);
      for (const path of paths) {
        await page.setViewportSize({ width: 1440, height: 900 });
        await page.goto(`/admin/${path}`);
        await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
        await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
        await expectAccessibleInBothSchemes(page);
        await page.setViewportSize({ width: 390, height: 900 });
        await expectAccessible(page);
      }
    });
  }
}
