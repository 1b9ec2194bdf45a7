/** Finds elements that several sections have, and formats amounts as the screen shows them. */
import type { Locator, Page } from '@playwright/test';
import { formatMinor, minorFromWire } from '../../domain/money.ts';

/** Formats an amount of the API. */
export const euros = (wire: number): string => formatMinor(minorFromWire(wire));

export const field = (page: Page, name: string): Locator => page.getByLabel(name, { exact: true });

/** Returns the card that a heading names. */
export const statCard = (page: Page, name: string): Locator =>
  page.getByRole('heading', { name, exact: true }).locator('xpath=../..');

/** Returns the value that stands behind a term. */
export const figure = (container: Page | Locator, term: string): Locator =>
  container.getByRole('term').filter({ hasText: term }).locator('xpath=following-sibling::dd');

export const openDrawerSection = (page: Page): Promise<void> =>
  page.getByRole('link', { name: 'Cash drawer', exact: true }).click();
