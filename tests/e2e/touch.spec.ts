/** What a tablet's screen covers: the on-screen keyboard, and the edges that the device keeps for itself. */
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

/** Raises a keyboard as iPadOS does: it shrinks the visual viewport, and the window keeps its height. 0 lowers it. */
async function raiseKeyboard(page: Page, keyboardPx: number): Promise<void> {
  await page.evaluate((covered) => {
    const viewport = window.visualViewport!;
    const height = innerHeight - covered;
    Object.defineProperty(viewport, 'height', { configurable: true, get: () => height });
    viewport.dispatchEvent(new Event('resize'));
  }, keyboardPx);
}

async function expectInSight(page: Page, ...locators: Locator[]): Promise<void> {
  const height = await page.evaluate(() => window.visualViewport!.height);
  for (const locator of locators) {
    // A sheet slides in.
    await expect(async () => {
      const box = (await locator.boundingBox())!;
      expect(box.y).toBeGreaterThanOrEqual(0);
      expect(box.y + box.height).toBeLessThanOrEqual(height);
    }).toPass({ timeout: 10_000 });
  }
}

test.use({ actionTimeout: 20_000 });

const sizes = [
  { name: 'on its side', width: 1180, height: 820, keyboardPx: 440 },
  { name: 'upright', width: 820, height: 1180, keyboardPx: 390 },
  { name: 'of the size of a phone', width: 390, height: 844, keyboardPx: 340 },
];

for (const { name, width, height, keyboardPx } of sizes) {
  test(`the keyboard of a tablet ${name} covers neither the field, nor the total, nor the button that takes the payment${name === 'on its side' ? '' : ' @long'}`, async ({
    tabletOf,
  }) => {
    const tablet = await tabletOf('counter');
    const { page } = tablet;
    await page.setViewportSize({ width, height });
    await tablet.openCounter();
    for (const service of ['Dental cleaning', 'First consultation']) await tablet.service(service).click();
    const isPhone = width < 768;
    if (isPhone) await page.getByRole('button', { name: 'Open the treatment plan' }).click();
    const pay = page.getByRole('button', { name: 'Create and take payment' });
    // A low window shows the amount without the word.
    const total = page.locator('strong').filter({ hasText: 'EUR 100,00', visible: true });
    const patient = page.getByRole('combobox', { name: 'Customer name' });
    await expectInSight(page, pay);

    await patient.focus();
    await raiseKeyboard(page, keyboardPx);
    await expectInSight(page, patient, total, pay);
    // Closes the list of recent patients, which hangs from the field over the plan.
    await patient.press('Escape');
    await page.getByRole('button', { name: 'Notes' }).click();
    await expectInSight(page, page.getByLabel('Notes'), pay);
    await page.getByLabel('Notes').press('Enter');

    await page.getByRole('button', { name: 'Discount' }).click();
    const dialog = page.getByRole('dialog').filter({ has: page.getByRole('heading', { name: 'Discount' }) });
    await expectInSight(page, dialog.getByRole('textbox').first());
    await page.keyboard.press('Escape');

    await raiseKeyboard(page, 0);
    await expect.poll(async () => (await pay.boundingBox())!.y).toBeGreaterThan(height - keyboardPx);

    await pay.click();
    await page.getByRole('button', { name: 'Card', exact: true }).click();
    const reference = page.getByLabel('Reference number');
    await reference.focus();
    await raiseKeyboard(page, keyboardPx);
    await expectInSight(page, reference, page.getByRole('button', { name: 'Process Payment' }));
  });
}

test('turning a phone keeps the dialog of the plan and what is typed in it @long', async ({ tabletOf }) => {
  const tablet = await tabletOf('counter');
  const { page } = tablet;
  await page.setViewportSize({ width: 390, height: 844 });
  await tablet.openCounter();
  await tablet.service('Dental cleaning').click();
  await page.getByRole('button', { name: 'Open the treatment plan' }).click();
  await page.getByRole('button', { name: 'Discount' }).click();
  const reason = page.getByLabel('Reason');
  await reason.fill('Member of the family');
  for (const [width, height] of [
    [844, 390],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expect(reason).toHaveValue('Member of the family');
  }
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(reason).toHaveCount(0);
});

test('nothing to tap or type into lies under a notch, a rounded corner or the home bar @long', async ({ tabletOf }) => {
  const tablet = await tabletOf('counter');
  const { page } = tablet;
  await page.setViewportSize({ width: 844, height: 390 });
  await tablet.openCounter();
  const insets = { top: 12, left: 47, right: 47, bottom: 21 };
  const devtools = await tablet.context.newCDPSession(page);
  await devtools.send('Emulation.setSafeAreaInsetsOverride', { insets });
  const covered = () =>
    page.evaluate(({ top, left, right, bottom }) => {
      const controls = [...document.querySelectorAll('button, a, input')].filter((control) =>
        control.checkVisibility(),
      );
      return controls.flatMap((control) => {
        const box = control.getBoundingClientRect();
        const shown = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
        if (!shown || !control.contains(shown)) return [];
        const inside =
          box.left >= left &&
          box.top >= top &&
          box.right <= innerWidth - right &&
          box.y + box.height / 2 < innerHeight - bottom;
        return inside ? [] : [control.textContent || control.getAttribute('aria-label')];
      });
    }, insets);
  await expect.poll(covered).toEqual([]);

  await page.getByRole('button', { name: /^Account of/ }).click();
  await expect.poll(covered).toEqual([]);
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 390, height: 844 });
  await tablet.service('Dental cleaning').click();
  await page.getByRole('button', { name: 'Open the treatment plan' }).click();
  await expect.poll(covered).toEqual([]);
});

test('the page does not bounce, and two quick taps are no zoom @long', async ({ tabletOf }) => {
  const tablet = await tabletOf('counter');
  await tablet.openCounter();
  const found = await tablet.page.evaluate(() => ({
    bounces: getComputedStyle(document.documentElement).overscrollBehavior,
    zooms: [...document.querySelectorAll('#root *')]
      .filter((element) => getComputedStyle(element).touchAction !== 'manipulation')
      .map(({ className }) => className),
  }));
  expect(found).toEqual({ bounces: 'none', zooms: [] });
});
