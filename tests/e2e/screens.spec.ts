/** What every screen owes the hand and the eye: whole amounts, a truthful state, frames that fit, nothing over a control. */
import type { Locator } from '@playwright/test';
import { processPayment } from '../support/tablet.ts';
import { expectWholeWhileTyped } from './amount-fields.ts';
import { test as deskTest } from './desk.ts';
import { closeDrawers } from './drawers.ts';
import { expect, test } from './fixtures.ts';
import { expectNoLayoutShifts } from './layout-shift.ts';
import { clerkBesideManager, lock } from './pins.ts';

deskTest('the price of a service is shown whole while somebody changes it', async ({ desk }) => {
  const { page } = await desk('manager', '/services');
  for (const width of [1440, 820, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await page.getByRole('button', { name: 'Change the price of 3D scan' }).click();
    await expectWholeWhileTyped(page.getByLabel('New price of 3D scan'));
    await page.keyboard.press('Escape');
  }
});

test('a half-typed search names nobody, and a confirmed name is marked @long', async ({ tabletOf }) => {
  const tablet = await tabletOf('counter');
  const { page } = tablet;
  await tablet.openCounter();
  const field = page.getByRole('combobox', { name: 'Customer name' });
  await field.pressSequentially('ma', { delay: 40 });
  await field.press('Escape');
  await tablet.openPayment('Dental cleaning');
  const unnamed = await processPayment(page);
  await expect(unnamed.getByText(/^INV-/)).toBeVisible();
  await expect(unnamed.getByText('Customer')).toHaveCount(0);
  await unnamed.close();

  await page.getByRole('tab', { name: 'Create treatment' }).click();
  await expect(field).toHaveValue('');
  // Nobody matches, so Enter means the name.
  await field.pressSequentially('Zzoe Nobody', { delay: 40 });
  await expect(page.getByRole('listbox').getByRole('option')).toHaveCount(2);
  await field.press('Enter');
  await expect(tablet.customer('Zzoe Nobody')).toContainText('Name only');
  await tablet.customer('Zzoe Nobody').click();
  await expect(field).toHaveValue('Zzoe Nobody');
  await page.getByRole('searchbox').click();
  await page.getByRole('button', { name: 'Name only', exact: true }).click();
  await tablet.openPayment('Dental cleaning');
  const named = await processPayment(page);
  await expect(named.getByText('Zzoe Nobody')).toBeVisible();
});

test('the patients of the last treatments are offered before anything is typed @long', async ({ tabletOf }) => {
  const tablet = await tabletOf('counter');
  const { page } = tablet;
  await tablet.openCounter();
  const field = page.getByRole('combobox', { name: 'Customer name' });
  await field.pressSequentially('marta gi', { delay: 40 });
  await page.getByRole('option', { name: /Marta Gil/ }).click();
  await tablet.service('Dental cleaning').click();
  await page.getByRole('button', { name: 'Create Treatment' }).click();
  await expect(field).toBeVisible();
  await field.click();
  const recent = page.getByRole('listbox', { name: 'Recent patients' });
  await recent.getByRole('option', { name: /Marta Gil/ }).click();
  await expect(page.getByRole('button', { name: 'Treatments of Marta Gil' })).toBeVisible();
});

test('the pill of a tablet that signs in never says that the server is away @long', async ({ newTablet }) => {
  const tablet = await newTablet();
  const { page, context } = tablet;
  await context.addInitScript(() => {
    const seen = new Set<string>();
    Object.assign(window, { pillTexts: seen });
    const look = () => {
      const pill = document.querySelector('output a[href$="/outbox"]');
      if (pill && getComputedStyle(pill).visibility === 'visible') seen.add(pill.textContent.trim());
      requestAnimationFrame(look);
    };
    look();
  });
  const texts = () => page.evaluate(() => [...(window as unknown as { pillTexts: Set<string> }).pillTexts]);
  await tablet.signIn('counter');
  await expect.poll(texts).toContain('Online');
  expect((await texts()).filter((text) => !/^(Online|Syncing|Loading)/.test(text))).toEqual([]);
});

/** Expects that a control is in the window as a whole, and that a tap on it reaches it. */
async function expectInReach(control: Locator): Promise<void> {
  await expect(control).toBeInViewport({ ratio: 1 });
  const covered = await control.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    return element.contains(hit) ? '' : (hit?.outerHTML.slice(0, 200) ?? 'nothing');
  });
  expect(covered).toBe('');
}

const low = { width: 844, height: 390 };
const upright = { width: 820, height: 1180 };
const onItsSide = { width: 1180, height: 820 };
const enlarged = { width: 590, height: 410 };

test('a payment beside the open sidebar is seen whole, and turning the tablet hides nothing of it', async ({
  tabletOf,
  clinic,
}) => {
  const tablet = await tabletOf('manager');
  const { page } = tablet;
  await closeDrawers(clinic);
  await clinic.api('/drawers', { float: 100 });
  await tablet.openCounter();
  await expect(page.getByRole('complementary', { name: 'Menu' })).toBeVisible();
  await tablet.openPayment('Dental cleaning', '3D scan', 'First consultation');
  const names = ['1', '7', '0', 'Process Payment', /^Add services to/, 'Change treatment'];
  for (const size of [onItsSide, upright, onItsSide]) {
    await page.setViewportSize(size);
    for (const name of names) await expectInReach(page.getByRole('button', { name, exact: true }));
  }
});

test('a low window shows services, lines of the plan, and a payment with its keypad', async ({ tabletOf, clinic }) => {
  const tablet = await tabletOf('counter');
  const { page } = tablet;
  await closeDrawers(clinic);
  await clinic.api('/drawers', { float: 100 });
  await tablet.openCounter();
  await page.setViewportSize(low);
  await expectInReach(page.locator('[data-tile="0"]'));
  await page.locator('[data-tile="0"]').click();
  const line = page.getByRole('list', { name: 'Treatment plan' }).getByRole('listitem').first();
  await expect(line).toBeInViewport({ ratio: 1 });
  await expectInReach(page.getByRole('button', { name: 'Create and take payment' }));
  await page.setViewportSize(enlarged);
  await expectInReach(page.locator('[data-tile="1"]'));
  await page.getByRole('button', { name: /^Open the treatment plan/ }).click();
  await expect(line).toBeInViewport({ ratio: 1 });
  await expectInReach(page.getByRole('button', { name: 'Create and take payment' }));
  await page.keyboard.press('Escape');
  await page.setViewportSize(low);
  await page.getByRole('button', { name: 'Create and take payment' }).click();
  for (const name of ['7', '0', 'Process Payment'])
    await expectInReach(page.getByRole('button', { name, exact: true }));
});

test('a dialog keeps its title and its buttons in a low window, and a PIN takes the place of the form that asks for it @long', async ({
  newTablet,
}) => {
  test.slow();
  const tablet = await newTablet();
  const { page } = tablet;
  await tablet.signIn('counter');
  await (await tablet.sellForCash()).close();
  const openRefund = async () => {
    await page.getByRole('button', { name: 'Recent sales', exact: true }).click();
    await page
      .getByRole('button', { name: /^Refund INV-/ })
      .first()
      .click();
  };
  const dialog = page.getByRole('dialog', { name: 'Refund', exact: true });
  await openRefund();
  // Before anything is filled in.
  await expect(dialog.getByText('No manager has a PIN or a passkey on this device.')).toBeVisible();
  for (const size of [low, { width: 390, height: 844 }, onItsSide]) {
    await page.setViewportSize(size);
    await expectInReach(dialog.getByRole('button', { name: 'Cancel', exact: true }));
    await expect(dialog.getByRole('button', { name: /^Refund EUR/ })).toBeInViewport({ ratio: 1 });
    await expect(dialog.getByRole('heading', { name: 'Refund', exact: true })).toBeInViewport({ ratio: 1 });
  }
  await expect(dialog.getByRole('button', { name: /^Refund EUR/ })).toBeDisabled();
  await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.keyboard.press('Escape');
  await lock(page);
  await clerkBesideManager(tablet);
  await openRefund();
  await dialog.getByRole('button', { name: 'Not satisfied' }).click();
  await dialog.getByRole('button', { name: /^Refund EUR/ }).click();
  await page.setViewportSize(low);
  const approval = page.getByRole('dialog', { name: 'Manager approval' });
  await expectInReach(approval.getByRole('button', { name: 'Cancel' }));
  expect(await page.locator('dialog[open]').count(), 'the sales and one dialog over them').toBe(2);
  await approval.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog.getByLabel('Reason')).toHaveValue('Not satisfied');
});

test('nothing lies over a control: the missing drawer has a row, and toasts have a place @long', async ({
  tabletOf,
  clinic,
}) => {
  const tablet = await tabletOf('manager');
  const { page } = tablet;
  await closeDrawers(clinic);
  await tablet.openCounter();
  /** What a tap on the first toast would have reached without it. */
  const underToast = () =>
    page.evaluate(() => {
      const region = document.querySelector<HTMLElement>('section[popover]:popover-open')!;
      const { left, top, right, bottom } = region.getBoundingClientRect();
      region.style.pointerEvents = 'none';
      for (const each of region.querySelectorAll<HTMLElement>('*')) each.style.pointerEvents = 'none';
      const hits: string[] = [];
      for (let x = left + 2; x < right; x += 24)
        for (let y = top + 2; y < bottom; y += 12) {
          const control = document.elementFromPoint(x, y)?.closest('button, a, input, [role=option]');
          if (control) hits.push(control.outerHTML.slice(0, 120));
        }
      return [...new Set(hits)];
    });
  for (const size of [onItsSide, upright, low, { width: 390, height: 844 }]) {
    await page.setViewportSize(size);
    await page.reload();
    await page.locator('[data-tile="0"]').click();
    await page
      .getByRole('button', { name: /^Remove / })
      .first()
      .click();
    await expect(page.getByRole('region', { name: 'Notifications' }).getByText(/removed$/)).toBeVisible();
    expect(await underToast(), `${size.width} px`).toEqual([]);
  }
  await page.setViewportSize(onItsSide);
  await page.reload();
  await tablet.openPayment('Dental cleaning');
  const prompt = page.getByRole('region', { name: 'No drawer is open' });
  await expectInReach(prompt.getByRole('button', { name: 'Open drawer' }));
  for (const size of [{ width: 390, height: 844 }, upright, onItsSide]) {
    await page.setViewportSize(size);
    for (const name of ['7', '0', 'Process Payment', 'Exact EUR 60,00'])
      await expectInReach(page.getByRole('button', { name, exact: true }));
  }
  await expectNoLayoutShifts(page, [
    ['another method', () => page.getByRole('button', { name: 'Card', exact: true }).click()],
    ['cash again', () => page.getByRole('button', { name: 'Cash', exact: true }).click()],
    ['not now', () => prompt.getByRole('button', { name: 'Not now' }).click()],
    ['change', () => page.getByRole('button', { name: 'EUR 100,00', exact: true }).click()],
    ['exact', () => page.getByRole('button', { name: 'Exact EUR 60,00' }).click()],
    ['a part', () => page.getByRole('button', { name: 'Half, EUR 30,00' }).click()],
    ['a key', () => page.getByRole('button', { name: '9', exact: true }).click()],
  ]);
});

deskTest('a tab stays in place when it is tapped', async ({ desk }) => {
  const { page } = await desk('manager', '/stock');
  await page.setViewportSize(upright);
  const tabs = page.getByRole('tab');
  await expect(tabs.first()).toBeVisible();
  for (const index of [1, 2, 3]) {
    const tab = tabs.nth(index);
    const before = await tab.boundingBox();
    await tab.click();
    await expect(tab).toHaveAttribute('aria-selected', 'true');
    expect((await tab.boundingBox())?.x).toBe(before?.x);
  }
});

test('the tabs of the counter stay in place whatever the pill says @long', async ({ tabletOf }) => {
  const tablet = await tabletOf('counter');
  const { page } = tablet;
  await tablet.openCounter();
  await expect(tablet.pill).toContainText('Online');
  for (const width of [1024, 1180, 1440]) {
    await page.setViewportSize({ width, height: 820 });
    const place = () =>
      page.getByRole('link', { name: 'Cash drawer', exact: true }).filter({ visible: true }).boundingBox();
    const before = await place();
    const text = tablet.pill.locator('a > span');
    const said = await text.evaluate((element) => {
      const node = element.lastChild!;
      const { textContent } = node;
      node.textContent = 'Needs attention 12';
      return textContent;
    });
    expect(await place()).toEqual(before);
    await text.evaluate((element, words) => (element.lastChild!.textContent = words), said);
  }
});
