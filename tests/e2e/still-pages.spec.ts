/** Nothing moves by itself: while a page opens and its data come, and while the state of the network changes. */
import type { Page } from '@playwright/test';
import { deskPages } from './desk-pages.ts';
import { expect, test } from './desk.ts';
import { expectNoLayoutShifts } from './layout-shift.ts';

/** Data come when everything else is drawn, so that what has no place yet shows itself. */
const delayMs = 350;

const sizes = { 'on a tablet': { width: 1180, height: 820 }, 'on a phone': { width: 390, height: 844 } };

/** The group that has most of what comes late. The others are tested less often. */
const shown = 'dashboard and reports';

/** Waits until all data of the page are there, and a moment longer. */
async function settled(page: Page): Promise<void> {
  await expect(page.locator('main')).toBeVisible();
  await page.waitForTimeout(2 * delayMs);
  await expect(page.locator('main [aria-busy]')).toHaveCount(0);
  await page.waitForTimeout(delayMs);
}

for (const [where, size] of Object.entries(sizes))
  for (const [group, paths] of Object.entries(deskPages))
    test(`${group}: nothing moves ${where} while a page opens and its data come${where === 'on a tablet' && group === shown ? '' : ' @long'}`, async ({
      desk,
    }) => {
      const { page, context } = await desk('admin', '/admin/profile');
      await page.setViewportSize(size);
      await page.emulateMedia({ reducedMotion: 'no-preference' });
      await context.route(/\/api\/(?!sync|devices$|auth)/, async (route) => {
        await new Promise((resolve) => setTimeout(resolve, delayMs));
        await route.continue();
      });
      for (const path of paths)
        await test.step(path, async () => {
          await page.goto(`/admin/${path}`);
          await settled(page);
          expect.soft(await page.evaluate(() => window.layoutShifts), `${path} ${where}`).toEqual([]);
        });
      await context.unrouteAll({ behavior: 'wait' });
    });

test('nothing moves on any page of the desk when the network goes and comes back @long', async ({ desk }) => {
  const tablet = await desk('admin', '/admin/profile');
  const { page, context } = tablet;
  for (const path of [
    'dashboard',
    'stock?tab=inventory',
    'services',
    'expenses',
    'staff',
    'rooms',
    'settings',
    'reports',
  ])
    await test.step(path, async () => {
      await page.goto(`/admin/${path}`);
      await settled(page);
      await expectNoLayoutShifts(page, [
        ['offline', () => tablet.loseNetwork()],
        [
          'online',
          async () => {
            await context.setOffline(false);
            await page.evaluate(() => dispatchEvent(new Event('online')));
            await expect(tablet.pill).toContainText('Online');
          },
        ],
      ]);
    });
});

for (const [where, size] of Object.entries(sizes))
  test(`an outage is told below the page: it hides and moves nothing ${where}${where === 'on a phone' ? '' : ' @long'}`, async ({
    desk,
  }) => {
    const tablet = await desk('admin', '/admin/expenses?rows=50');
    const { page, context } = tablet;
    await page.setViewportSize(size);
    await settled(page);
    const main = page.locator('main');
    const told = page.getByText('The server cannot be reached');
    const place = () => main.evaluate(({ scrollTop }) => scrollTop);
    // At the end of the page its last row would be the one that is hidden.
    await main.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    const before = await place();
    expect(before).toBeGreaterThan(0);
    await expectNoLayoutShifts(page, [
      ['the network goes', () => tablet.loseNetwork()],
      [
        'the page learns of it',
        async () => {
          await page
            .getByRole('button', { name: 'Refresh', exact: true, includeHidden: true })
            .evaluate((button: HTMLElement) => button.click());
          await expect(told).toBeVisible({ timeout: 15_000 });
        },
      ],
    ]);
    expect(await place()).toBe(before);
    const [seen, line] = await Promise.all([main.boundingBox(), told.boundingBox()]);
    expect(line!.y).toBeGreaterThanOrEqual(seen!.y + seen!.height);
    await expectNoLayoutShifts(page, [
      [
        'the network is back',
        async () => {
          await context.setOffline(false);
          await page.evaluate(() => dispatchEvent(new Event('online')));
          await expect(told).toHaveCount(0, { timeout: 30_000 });
        },
      ],
    ]);
    expect(await place()).toBe(before);
  });
