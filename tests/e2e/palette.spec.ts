import { expect, test } from './desk.ts';
import type { Page } from '@playwright/test';
import { orderService } from './elements.ts';

const field = (page: Page) => page.getByRole('combobox', { name: 'Patients, treatments, services, staff, pages' });

test('Ctrl+K opens pages, actions, treatments, services and staff by a few letters @long', async ({ desk, clinic }) => {
  const order = await orderService(clinic, 'Dental cleaning', 'Palma Palette');
  const tablet = await desk('manager', '/staff');
  const { page } = tablet;
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  async function choose(text: string, option: RegExp): Promise<void> {
    await page.keyboard.press('Control+k');
    await expect(field(page)).toBeFocused();
    await field(page).fill(text);
    await expect(page.getByRole('option', { name: option })).toBeVisible();
    for (let step = 0; step < 20; step++) {
      const chosen = page.locator('[role=option][aria-selected=true]');
      if (option.test(await chosen.innerText())) break;
      // oxlint-disable-next-line no-await-in-loop -- A person presses one key after the other.
      await page.keyboard.press('ArrowDown');
    }
    await page.keyboard.press('Enter');
    await expect(field(page)).toHaveCount(0);
  }

  await choose('expens', /^Expenses/);
  await expect(page).toHaveURL(/\/expenses$/);
  await choose('add serv', /^Add service/);
  await expect(page.getByRole('dialog', { name: 'Add service' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(field(page)).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await choose('ceramic', /^Ceramic crown/);
  await expect(page.getByRole('dialog').getByLabel('Name', { exact: true })).toHaveValue('Ceramic crown');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await choose('marín', /^Elena Marín/);
  await expect(page).toHaveURL(/\/staff$/);
  await choose('palette', new RegExp(`^${order.number}`));
  await expect(page.getByRole('tab', { name: 'Process payment' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByText('Palma Palette').first()).toBeVisible();
});

test('without a network Ctrl+K finds what the tablet has, such as a patient', async ({ desk }) => {
  const tablet = await desk('manager', '/counter');
  const { page } = tablet;
  await tablet.counterReady();
  await tablet.loseNetwork();
  await page.keyboard.press('Control+k');
  await field(page).fill('marta gi');
  await page.getByRole('option', { name: /^Marta Gil/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Marta Gil' })).toBeVisible();
});
