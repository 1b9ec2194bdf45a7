/** Pages of the back office. */
import type { DemoRole, Tablet } from '../support/tablet.ts';
import { test as base, expect } from './fixtures.ts';

export { expect };

interface Fixtures {
  /** Opens a page at a tablet where a person of this role is signed in. */
  desk: (role: DemoRole, path: string, language?: 'en' | 'sp') => Promise<Tablet>;
}

export const test = base.extend<Fixtures>({
  desk: async ({ tabletOf }, use) => {
    await use(async (role, path, language = 'en') => {
      const tablet = await tabletOf(role);
      const { page } = tablet;
      // Dialogs that slide in take time that no test of a form is about.
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await page.evaluate((code) => localStorage.setItem('i18nextLng', code), language);
      await page.goto(path);
      return tablet;
    });
  },
});
