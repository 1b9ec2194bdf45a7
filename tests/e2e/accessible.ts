/** WCAG 2.2 AA, and what else axe asks for by default, on the page as it stands. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect } from './fixtures.ts';

/** `preload` is for rules that are off: axe would copy every style sheet into the page, which the content security policy refuses. */
const allRules = { preload: false, rules: { 'target-size': { enabled: true } } };
const contrastRule = { preload: false, runOnly: ['color-contrast'] };

export async function expectAccessible(page: Page): Promise<void> {
  await expectNothingFound(page, allRules);
}

/** In the dark a page has other colours, and nothing else. Leaves it in the light. */
export async function expectAccessibleInBothSchemes(page: Page): Promise<void> {
  await expectNothingFound(page, allRules);
  await inScheme(page, 'dark');
  await expectNothingFound(page, contrastRule);
  await inScheme(page, 'light');
}

async function inScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await expect(page.locator('html')).toHaveClass(colorScheme);
  // Halfway from one colour to the other is no colour to judge.
  await page.waitForFunction(() =>
    document.getAnimations().every((animation) => !(animation instanceof CSSTransition)),
  );
}

async function expectNothingFound(page: Page, rules: typeof allRules | typeof contrastRule): Promise<void> {
  // The other mode opens a page for every look, to judge frames of other origins; there are none here.
  const { violations } = await new AxeBuilder({ page }).options(rules).setLegacyMode().analyze();
  const found = violations.map(({ id, nodes }) => ({ id, where: nodes.map(({ target }) => target.join(' ')) }));
  expect(found).toEqual([]);
}
