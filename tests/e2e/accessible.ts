/** WCAG 2.2 AA, and what else axe asks for by default, on the page as it stands. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect } from './clinic.ts';

/** `preload` is for rules that are off: axe would copy every style sheet into the page, which the content security policy refuses. */
const allRules = { preload: false, rules: { 'target-size': { enabled: true } } };
const contrastRule = { preload: false, runOnly: ['color-contrast'] };

export async function expectAccessible(page: Page, { contrastAlone = false } = {}): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).options(contrastAlone ? contrastRule : allRules).analyze();
  const found = violations.map(({ id, nodes }) => ({ id, where: nodes.map(({ target }) => target.join(' ')) }));
  expect(found).toEqual([]);
}
