/** Each page once: its accessibility, its words, its tables on a tablet, and its width on a phone. */
import type { Page } from '@playwright/test';
import english from '#locales/en.json' with { type: 'json' };
import { walkCounter } from './counter-walk.ts';
import { expect, test } from './desk.ts';
import { deskPages } from './desk-pages.ts';
import { expectAccessible } from './expect-accessible.ts';

const wide = { width: 1180, height: 820 };
const upright = { width: 820, height: 1180 };
const phone = { width: 390, height: 844 };

const keysUnder = (value: object, prefix = ''): string[] =>
  Object.entries(value).flatMap(([key, inner]: [string, string | object]) =>
    typeof inner === 'string' ? [`${prefix}${key}`] : keysUnder(inner, `${prefix}${key}.`),
  );
const keys = new Set(keysUnder(english));

/** A key on the screen is a text that was not found. */
async function expectNoKeys(page: Page): Promise<void> {
  const words = (await page.locator('body').innerText()).split(/[^\w.-]+/);
  expect(words.filter((word) => keys.has(word) && word.includes('.'))).toEqual([]);
}

/** Returns a complaint for each table that is wider than its place, and each cell narrower than its text. */
const cutTables = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('table')]
      .filter((table) => table.checkVisibility())
      .flatMap((table) => {
        const place = table.parentElement!;
        // Only screen readers get the table beside a chart.
        if (place.clientWidth <= 1) return [];
        const faults = place.scrollWidth > place.clientWidth ? [`${place.scrollWidth} in ${place.clientWidth} px`] : [];
        for (const row of table.querySelectorAll('tbody tr')) {
          const first = [...row.querySelectorAll('td')].find((cell) => cell.checkVisibility());
          if (first && first.getBoundingClientRect().height > 120) faults.push(`a tall row: ${first.textContent}`);
        }
        return faults;
      }),
  );

async function expectTablesFit(page: Page): Promise<void> {
  await expect.poll(() => cutTables(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
}

/** Returns how much wider than the screen the page and its content are. */
const overflow = (page: Page) =>
  page.evaluate(() =>
    [document.documentElement, document.querySelector('main')!].map(({ scrollWidth, clientWidth }) =>
      Math.max(0, scrollWidth - clientWidth),
    ),
  );

for (const [name, paths] of Object.entries(deskPages)) {
  test(`${name}: every page passes WCAG 2.2 AA, shows its words, cuts no table and fits a phone @long`, async ({
    desk,
  }) => {
    const { page } = await desk('admin', `/admin/${paths[0]!}`);
    for (const path of paths) {
      await test.step(path, async () => {
        await page.setViewportSize(wide);
        if (path !== paths[0]) await page.goto(`/admin/${path}`);
        await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
        await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
        await expectAccessible(page);
        await expectNoKeys(page);
        await expectTablesFit(page);
        // A page that opens upright has a narrow sidebar.
        await page
          .getByRole('button', { name: 'Collapse sidebar', includeHidden: true })
          .evaluate((button: HTMLElement) => button.click());
        await page.setViewportSize(upright);
        await expectTablesFit(page);
        await page.evaluate(() => localStorage.removeItem('sidebar'));
        await page.setViewportSize(phone);
        await expect.poll(() => overflow(page)).toEqual([0, 0]);
      });
    }
  });
}

test('every page of the counter passes WCAG 2.2 AA and shows its words', async ({ tablet }) => {
  await walkCounter(tablet, async () => {
    await expectAccessible(tablet.page);
    await expectNoKeys(tablet.page);
  });
});

test('who prefers reduced motion sees each change at once, and nothing that moves for ever @long', async ({ desk }) => {
  const { page, context } = await desk('admin', '/admin/rooms');
  await expect(page.getByRole('button', { name: 'Refresh', exact: true })).toBeEnabled();
  const moving = () =>
    page.evaluate(() =>
      document
        .getAnimations()
        .filter(({ playState }) => playState === 'running')
        .map(({ effect }) => (effect as KeyframeEffect).target?.tagName),
    );
  await expect.poll(moving).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(page.locator('html')).toHaveClass('dark');
  expect(await moving()).toEqual([]);

  await context.route('**/api/fiscal/declaration', () => {});
  await page.goto('/admin/about');
  // The place of what loads.
  await expect(page.locator('main div[aria-hidden=true]')).toHaveCSS('opacity', '1');
  await expect.poll(moving).toEqual([]);
});
