import { expect, test } from './desk.ts';
import { room } from './elements.ts';

test('a manager adds, marks and deletes rooms; the form names missing values, and an occupied room is not deleted @long', async ({
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
