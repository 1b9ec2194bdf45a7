/** Checks a page against WCAG 2.2 AA and the other default rules of axe. */
import type { Page } from '@playwright/test';
import axe from 'axe-core';
import type { RunOptions } from 'axe-core';
import { expect } from './fixtures.ts';

/**
 * `preload` is off because axe would copy every style sheet into the page, which violates the content security policy.
 * Details of elements that pass are left out: to gather them takes longer than to check.
 */
const common: RunOptions = { preload: false, resultTypes: ['violations'] };
const allRules: RunOptions = { ...common, rules: { 'target-size': { enabled: true } } };
const contrastRule: RunOptions = { ...common, runOnly: ['color-contrast'] };

export async function expectAccessible(page: Page): Promise<void> {
  await expectNoViolations(page, allRules);
  await expectNoZoom(page);
}

/** Fields that one types into or opens have at least 16 px, or iPadOS zooms into them. */
async function expectNoZoom(page: Page): Promise<void> {
  const small = await page.evaluate(() => {
    const typed =
      'input:not([type=checkbox], [type=radio], [type=color], [type=range], [type=hidden]), select, textarea';
    return [...document.querySelectorAll(typed)]
      .filter((field) => Number.parseFloat(getComputedStyle(field).fontSize) < 16)
      .map((field) => field.outerHTML.slice(0, 120));
  });
  expect(small).toEqual([]);
}

/** Runs only the contrast rule in the dark scheme, which differs in nothing but colours. Leaves the page in the light scheme. */
export async function expectAccessibleInBothSchemes(page: Page): Promise<void> {
  await expectAccessible(page);
  await useScheme(page, 'dark');
  await expectNoViolations(page, contrastRule);
  await useScheme(page, 'light');
}

async function useScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await expect(page.locator('html')).toHaveClass(colorScheme);
}

async function expectNoViolations(page: Page, options: RunOptions): Promise<void> {
  // A page that was not loaded again since its last check has axe.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const faults = await page.evaluate(async (chosen) => {
    // A colour in motion says nothing about contrast. Spinners turn for ever, and what follows a scroll moves only with it.
    const moving = () =>
      document
        .getAnimations()
        .filter(
          ({ playState, effect, timeline }) =>
            playState === 'running' &&
            timeline === document.timeline &&
            effect?.getComputedTiming().endTime !== Infinity,
        );
    // One that is cancelled has ended too.
    while (moving().length > 0) await Promise.allSettled(moving().map(({ finished }) => finished));
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, chosen);
    return violations.map(({ id, nodes }) => ({ id, elements: nodes.map(({ target }) => target.join(' ')) }));
  }, options);
  expect(faults).toEqual([]);
}
