/** The forms of the counter: what is typed survives what nobody wanted, and ends when the form is closed. */
import type { Page } from '@playwright/test';
import { issuerSettings } from '../support/fiscal-till.ts';
import { draftSavedMs } from '../support/tablet.ts';
import type { Tablet } from '../support/tablet.ts';
import { expect, test } from './fixtures.ts';
import { clerkBesideManager, lock, locked, pins, tapPin } from './pins.ts';

const formOf = (page: Page) => page.getByRole('dialog', { name: 'Patient', exact: true });

async function openForm({ page }: Tablet, sought: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Customer name' }).fill(sought);
  await page.getByRole('option', { name: 'New patient' }).click();
}

/** Fills the form of a new patient and reloads the page. */
async function typeAndReload(tablet: Tablet): Promise<void> {
  const { page } = tablet;
  await openForm(tablet, 'Zoé');
  await formOf(page).getByLabel('Name', { exact: true }).fill('Zoé Núñez');
  await formOf(page).getByLabel('Phone number').fill('655 81');
  await page.waitForTimeout(draftSavedMs);
  await page.reload();
}

const restored = 'Your earlier entries are still here.';

test('the form of a patient survives a reload with what is typed, and closing it discards that', async ({
  tabletOf,
}) => {
  const tablet = await tabletOf('counter');
  const { page } = tablet;
  await tablet.openCounter();
  await typeAndReload(tablet);
  const form = formOf(page);
  await expect(form.getByText(restored)).toBeVisible();
  await expect(form.getByLabel('Name', { exact: true })).toHaveValue('Zoé Núñez');
  await expect(form.getByLabel('Phone number')).toHaveValue('655 81');
  await page.keyboard.press('Escape');
  await expect(form).toBeHidden();
  // Neither the reload nor the next patient brings it back.
  await page.reload();
  await expect(tablet.service('Dental cleaning')).toBeVisible();
  await expect(form).toBeHidden();
  await openForm(tablet, 'Aitor');
  await expect(form.getByLabel('Name', { exact: true })).toHaveValue('Aitor');
  await expect(form.getByText(restored)).toBeHidden();
  await page.keyboard.press('Escape');

  await page.goto('/patients');
  await page.getByRole('button', { name: 'New patient' }).first().click();
  const editor = page.getByRole('dialog', { name: 'New patient' });
  await editor.getByLabel('Name', { exact: true }).fill('Zoé Núñez');
  await editor.getByLabel('NIF').fill('1234');
  await page.waitForTimeout(draftSavedMs);
  await page.reload();
  await expect(editor.getByLabel('Name', { exact: true })).toHaveValue('Zoé Núñez');
  await expect(editor.getByLabel('NIF')).toHaveValue('1234');
  await editor.getByRole('button', { name: 'Cancel' }).click();
  await page.reload();
  await expect(page.getByRole('button', { name: 'New patient' }).first()).toBeVisible();
  await expect(editor).toBeHidden();
});

test('the form of a patient waits behind the lock for its person, and no other sees it @long', async ({ tablet }) => {
  test.slow();
  await clerkBesideManager(tablet);
  const { page, context } = tablet;
  await typeAndReload(tablet);
  await expect(formOf(page)).toBeVisible();
  // The lock of another tab locks this one.
  const other = await context.newPage();
  await other.goto('/');
  await lock(other);
  await other.close();
  await expect(locked(page)).toBeVisible();
  await page.getByRole('button', { name: /Lucía Ferrer/ }).click();
  await page.getByLabel('Password of Lucía Ferrer').fill('demo-counter');
  await page.getByRole('button', { name: 'Unlock' }).click();
  await page.getByRole('button', { name: 'Not now' }).click();
  await expect(formOf(page).getByLabel('Phone number')).toHaveValue('655 81');

  const third = await context.newPage();
  await third.goto('/');
  await lock(third);
  await third.close();
  await page
    .getByRole('button')
    .filter({ hasNotText: /Lucía Ferrer/ })
    .filter({ hasText: /Manager/ })
    .first()
    .click();
  await tapPin(page, pins.manager);
  await expect(locked(page)).toBeHidden();
  await expect(tablet.service('Dental cleaning')).toBeVisible();
  await expect(formOf(page)).toBeHidden();
  await openForm(tablet, 'Aitor');
  await expect(formOf(page).getByLabel('Phone number')).toHaveValue('');
});

test('the recipient of a full invoice survives a reload of the payment @long', async ({
  newTablet,
  freshClinic: clinic,
}) => {
  await clinic.api('/settings', { ...issuerSettings, books_by_sii: true }, 'PUT');
  const tablet = await newTablet(clinic);
  await tablet.signIn('counter');
  const { page } = tablet;
  await tablet.openPayment('Dental cleaning');
  await page.getByRole('button', { name: 'Full invoice' }).click();
  const asked = page.getByRole('dialog', { name: 'Full invoice' });
  await asked.getByRole('button', { name: 'No NIF' }).click();
  await asked.getByLabel('Name').fill('Eva Ruiz');
  await asked.getByLabel('Address').fill('Rua do Sol 2');
  await page.waitForTimeout(draftSavedMs);
  await page.reload();
  await expect(asked.getByText(restored)).toBeVisible();
  await expect(asked.getByLabel('Name')).toHaveValue('Eva Ruiz');
  await expect(asked.getByLabel('Address')).toHaveValue('Rua do Sol 2');
  await expect(asked.getByLabel('Country')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.reload();
  await expect(page.getByRole('button', { name: 'Process Payment' })).toBeVisible();
  await expect(asked).toBeHidden();
  await page.getByRole('button', { name: 'Full invoice' }).click();
  await expect(asked.getByLabel('Name')).toHaveValue('');
});
