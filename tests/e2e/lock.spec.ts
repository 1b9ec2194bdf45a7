import type { Page } from '@playwright/test';
import { Tablet, processPayment } from '../support/tablet.ts';
import { expect, test } from './fixtures.ts';
import { expectNoLayoutShift } from './layout-shift.ts';
import { lock, locked, pins, setPin, tapPin } from './pins.ts';

const minuteMs = 60_000;

/** Returns the visible text, the accessible names and the values of the page. */
async function readableText(page: Page): Promise<string> {
  return (await page.locator('body').innerText()) + (await page.locator('body').ariaSnapshot());
}

test('the lock closes every tab after five idle minutes, hides the plan and the change, and survives a reload', async ({
  tablet,
  clinic,
}) => {
  const { page, context } = tablet;
  const second = await context.newPage();
  for (const tab of [page, second]) await tab.clock.install();
  await tablet.signIn();
  await second.goto('/');
  await new Tablet(clinic, context, second).counterReady();
  await tablet.service('Dental cleaning').click();
  await tablet.nameCustomer('Álvaro Núñez');

  // An open dialog is locked too.
  await page.getByRole('button', { name: 'Recent sales' }).click();
  await expect(page.getByRole('dialog', { name: 'Recent sales' })).toBeVisible();
  await page.clock.fastForward(4 * minuteMs);
  await expect(locked(page)).toBeHidden();
  await page.clock.fastForward(minuteMs);
  await expect(locked(page)).toBeVisible();
  await expect(locked(second)).toBeVisible();
  for (const text of ['Álvaro', 'Dental cleaning', 'Recent sales'])
    expect(await readableText(page)).not.toContain(text);
  await expect(page.getByRole('button', { name: /^(Add|One more) / })).toHaveCount(0);

  // A page in the background draws one frame a second, and a tap waits for two.
  await page.bringToFront();
  await page.reload();
  await expect(locked(page)).toBeVisible();
  expect(await readableText(page)).not.toContain('Álvaro');
  // Nobody has a PIN on this tablet.
  await page.getByLabel(/^Password of/).fill('not this one');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Wrong password')).toBeVisible();
  await page.getByLabel('Password of Lucía Ferrer').fill('demo-counter');
  await page.getByRole('button', { name: 'Unlock' }).click();
  // The first lock offers a PIN, which the next one takes.
  await expect(page.getByRole('heading', { name: 'Use a PIN next time?' })).toBeVisible();
  await tapPin(page, '123456');
  await expect(page.getByText('This PIN is too easy to guess')).toBeVisible();
  await tapPin(page, pins.counter);
  await expect(page.getByRole('heading', { name: 'Repeat the new PIN' })).toBeVisible();
  await tapPin(page, pins.manager);
  await expect(page.getByText('The two PINs do not match')).toBeVisible();
  for (const pin of [pins.counter, pins.counter]) await tapPin(page, pin);
  await expect(tablet.customer('Álvaro Núñez')).toBeVisible();
  await expect(locked(second)).toBeHidden();

  // The change dialog is back after the unlock.
  await page.getByRole('button', { name: 'Create and take payment' }).click();
  await page.getByLabel('Amount', { exact: true }).fill('100');
  const invoice = await processPayment(page);
  await invoice.close();
  const change = page.getByRole('dialog', { name: 'Change' });
  await expect(change).toBeVisible();
  await page.clock.fastForward(5 * minuteMs);
  await expect(locked(page)).toBeVisible();
  expect(await readableText(page)).not.toContain('100');
  await tapPin(page, pins.counter);
  await expect(change).toBeVisible();
  await change.getByRole('button', { name: 'Done' }).click();
});

test('the lock warns twenty seconds before, moves nothing, and a tap keeps the screen open @long', async ({
  tablet,
}) => {
  const { page } = tablet;
  await page.clock.install();
  await tablet.signIn();
  await tablet.service('Dental cleaning').click();
  const warning = page.getByRole('alert').filter({ hasText: 'This screen is about to lock' });
  await page.clock.fastForward(4 * minuteMs);
  await expect(warning).toHaveCount(0);
  await expectNoLayoutShift(page, async () => {
    await page.clock.fastForward(45_000);
    await expect(warning).toBeVisible();
    await warning.getByRole('button', { name: 'Stay' }).click();
    await expect(warning).toHaveCount(0);
  });
  await page.clock.fastForward(minuteMs);
  await expect(locked(page)).toBeHidden();
  await page.clock.fastForward(4 * minuteMs);
  await expect(locked(page)).toBeVisible();

  // Somebody who wants no PIN is not asked again.
  for (const offers of [1, 0]) {
    await page.getByLabel('Password of Lucía Ferrer').fill('demo-counter');
    await page.keyboard.press('Enter');
    if (offers > 0) await page.getByRole('button', { name: 'Not now' }).click();
    await expect(page.getByRole('button', { name: 'Remove Dental cleaning' }).last()).toBeVisible();
    if (offers > 0) await lock(page);
  }
});

test('the keys of the PIN keep their place when one was wrong @long', async ({ tablet }) => {
  const { page } = tablet;
  await tablet.signIn();
  await setPin(page, 'counter');
  await lock(page);
  const pad = page.getByRole('group', { name: 'PIN pad' });
  for (const size of [
    { width: 1180, height: 820 },
    { width: 820, height: 1180 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size);
    await page.keyboard.press('Backspace');
    const before = await pad.boundingBox();
    await page.keyboard.type('111222');
    await expect(page.getByText('Wrong PIN')).toBeVisible();
    expect(await pad.boundingBox()).toEqual(before);
  }
});
