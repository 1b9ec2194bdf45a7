import type { Locator, Page } from '@playwright/test';
import { processPayment } from '../support/tablet.ts';
import { expect, test } from './desk.ts';

const room = (page: Page, name: string): Locator =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) });

test('a manager adds, marks and deletes rooms; the form names missing values, and an occupied room is not deleted', async ({
  desk,
}) => {
  const { page } = await desk('manager', '/');
  const number = String(Date.now());
  const name = `Room ${number}`;
  await page.getByRole('link', { name: 'Rooms', exact: true }).click();
  await expect(room(page, 'Room 3')).toContainText('Available');
  await expect(room(page, 'Room 4')).toContainText('Marked as occupied');

  await page.getByRole('button', { name: 'Add Room' }).click();
  const form = page.getByRole('dialog');
  const create = form.getByRole('button', { name: 'Create room' });
  await form.getByLabel('Places').fill('0');
  await create.click();
  await expect(form.getByText('Table number is required')).toBeVisible();
  await expect(form.getByText('Table must have at least 1 seat')).toBeVisible();
  await form.getByLabel('Places').fill('21');
  await expect(form.getByText('Maximum 20 seats per table')).toBeVisible();
  await form.getByLabel('Places').fill('');
  await expect(form.getByText('Table must have at least 1 seat')).toBeVisible();
  await form.getByLabel('Places').fill('3');
  await form.getByLabel('Number').fill('3');
  await form.getByLabel('Location').fill('Attic');
  await create.click();
  await expect(page.getByText('A room with this number already exists.')).toBeVisible();
  await form.getByLabel('Number').fill(number);
  await create.click();
  await expect(room(page, name)).toContainText('3 places');
  await expect(page.getByRole('heading', { name: 'Attic' })).toBeVisible();

  await page.getByRole('button', { name: `Mark ${name} as occupied` }).click();
  await expect(room(page, name)).toContainText('Marked as occupied');
  await page.getByRole('button', { name: `Delete ${name}` }).click();
  await expect(page.getByText('Table is currently occupied. Please clear the table first.')).toBeVisible();
  // The toast covers the buttons of the lowest row.
  await page.getByRole('button', { name: 'Dismiss' }).first().click();
  await page.getByRole('button', { name: `Clear ${name}` }).click();
  await expect(room(page, name)).toContainText('Available');
  await page.getByRole('button', { name: 'Dismiss' }).first().click();
  await page.getByRole('button', { name: `Delete ${name}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(room(page, name)).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Attic' })).toHaveCount(0);
});

test('a treatment created offline occupies its room on another tablet once it is sent, until it is paid', async ({
  desk,
  clinic,
}) => {
  const name = `Cabin ${Date.now()}`;
  const { data: made } = await clinic.api<{ data: { id: number } }>('/tables', { number: name, capacity: 2 });
  const office = await desk('manager', '/rooms');
  const seen = room(office.page, name);
  await expect(seen).toContainText('Available');
  const tablet = await desk('counter', '/');
  const { page, context } = tablet;
  await tablet.service('3D scan').click();
  await page.getByRole('button', { name: 'Room', exact: true }).click();
  const choice = page.getByRole('dialog').getByRole('button', { name: new RegExp(`^${name}`) });
  await expect(choice).toBeVisible();
  await context.setOffline(true);
  await choice.click();
  await page.getByRole('button', { name: 'Create Treatment' }).click();
  await tablet.service('3D scan').click();
  await page.getByRole('button', { name: 'Room', exact: true }).click();
  await expect(choice).toContainText('Occupied');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await expect(seen).toContainText('Available');

  await context.setOffline(false);
  await expect(seen).toContainText('Occupied', { timeout: 30_000 });
  await expect(seen).toContainText(/T-[A-Z]\d-\d{6}/);
  await seen.getByRole('button', { name: `Delete ${name}` }).click();
  await expect(office.page.getByText('Table is currently occupied. Please clear the table first.')).toBeVisible();
  await seen.getByRole('button', { name: `Clear ${name}` }).click();
  await expect(
    office.page.getByText(
      'A treatment is under way in this room. It becomes free when the treatment is paid or cancelled.',
    ),
  ).toBeVisible();

  await page.getByRole('tab', { name: /payment/i }).click();
  await page.getByRole('listitem').filter({ hasText: name }).getByText(/T-/).first().click();
  await expect(page.getByRole('region', { name: 'Payment' }).getByText(name)).toBeVisible();
  const invoice = await processPayment(page);
  await expect(invoice.getByText(name)).toBeVisible();
  await expect(seen).toContainText('Available', { timeout: 30_000 });
  await clinic.api(`/tables/${made.id}`, undefined, 'DELETE');
});
