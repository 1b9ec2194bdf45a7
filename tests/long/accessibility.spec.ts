/** Every page in every mode. `npm test` walks each page once, in `tests/e2e/accessibility.spec.ts`. */
import { walkCounter } from '../e2e/counter-walk.ts';
import { deskPages } from '../e2e/desk-pages.ts';
import { expectAccessible, expectAccessibleInBothSchemes } from '../e2e/expect-accessible.ts';
import { expect, test } from '../e2e/fixtures.ts';

for (const viewport of [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
]) {
  test(`every page passes WCAG 2.2 AA, light and dark, ${viewport.width} px wide`, async ({ tablet }) => {
    await tablet.page.setViewportSize(viewport);
    await walkCounter(tablet, () => expectAccessibleInBothSchemes(tablet.page));
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
