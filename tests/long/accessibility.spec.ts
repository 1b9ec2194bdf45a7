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
  test(`every page of ${name} passes WCAG 2.2 AA, wide in English, light and dark, and narrow in Spanish`, async ({
    tablet,
  }) => {
    test.slow();
    const { page } = tablet;
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await tablet.signIn('admin');
    const open = async (path: string) => {
      await page.goto(`/admin/${path}`);
      await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    };
    await page.setViewportSize({ width: 1440, height: 900 });
    for (const path of paths) {
      await open(path);
      await expectAccessibleInBothSchemes(page);
    }
    await tablet.useLanguage('sp');
    await page.setViewportSize({ width: 390, height: 900 });
    for (const path of paths) {
      await open(path);
      await expectAccessible(page);
    }
  });
}
