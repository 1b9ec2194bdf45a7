/** Checks a page against WCAG 2.2 AA and the other default rules of axe. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect } from './fixtures.ts';

/** `preload` is off because axe would copy every style sheet into the page, which violates the content security policy. */
const allRules = { preload: false, rules: { 'target-size': { enabled: true } } };
const contrastRule = { preload: false, runOnly: ['color-contrast'] };

export async function expectAccessible(page: Page): Promise<void> {
  await expectNoViolations(page, allRules);
}

/** Runs only the contrast rule in the dark scheme, which differs in nothing but colours. Leaves the page in the light scheme. */
export async function expectAccessibleInBothSchemes(page: Page): Promise<void> {
  await expectNoViolations(page, allRules);
  await useScheme(page, 'dark');
  await expectNoViolations(page, contrastRule);
  await useScheme(page, 'light');
}

async function useScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await expect(page.locator('html')).toHaveClass(colorScheme);
  // A colour in transition says nothing about contrast.
  await page.waitForFunction(() =>
    document.getAnimations().every((animation) => !(animation instanceof CSSTransition)),
  );
}

async function expectNoViolations(page: Page, rules: typeof allRules | typeof contrastRule): Promise<void> {
  // The default mode opens an extra page on each run to check frames of other origins. The app has none.
  const { violations } = await new AxeBuilder({ page }).options(rules).setLegacyMode().analyze();
  const summary = violations.map(({ id, nodes }) => ({ id, elements: nodes.map(({ target }) => target.join(' ')) }));
  expect(summary).toEqual([]);
}
