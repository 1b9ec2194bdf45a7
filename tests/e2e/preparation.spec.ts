import type { Locator, Page } from '@playwright/test';
import type { KitchenBoardResource } from '#domain/preparation/resources.ts';
import type { PreparationStatus } from '#domain/preparation/steps.ts';
import type { Role } from '#domain/staff/roles.ts';
import type { ServerProcess } from '../support/server-process.ts';
import type { Tablet } from '../support/tablet.ts';
import { expect, test } from './fixtures.ts';

const column = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
/** Returns the card of a customer in a column; on a phone only one column shows. */
function card(page: Page, customer: string, name?: string): Locator {
  const where = name === undefined ? page : column(page, name);
  return where.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 3, name: customer }) });
}

/** Orders services for a customer through the API. Returns the id of the treatment. */
async function orderServices(clinic: ServerProcess, customer: string, ...names: string[]): Promise<string> {
  const { stocks } = await clinic.api<{ stocks: { id: number; name: string }[] }>('/stock');
  const items = names.map((name) => ({ stock_id: stocks.find((item) => item.name === name)!.id, quantity: 1 }));
  return (await clinic.api<{ data: { id: string } }>('/server/orders', { customer_name: customer, items })).data.id;
}

async function statusesOf(clinic: ServerProcess, orderId: string): Promise<PreparationStatus[]> {
  const { data } = await clinic.api<KitchenBoardResource>('/kitchen/orders');
  return data.find(({ id }) => id === orderId)!.items.map(({ status }) => status);
}

/** Creates a user with the role and signs in on the tablet. */
async function signInNewUser(tablet: Tablet, role: Role): Promise<void> {
  const { page, clinic } = tablet;
  const email = `${role}-${Date.now()}@clinic.test`;
  await clinic.api('/users', { name: `Sam ${role}`, email, password: 'a long password', role, status: 'active' });
  await page.goto('/login');
  await tablet.submitSignIn(email, 'a long password');
}

test('the preparation board shows each order and each move on both tablets', async ({ tablet, newTablet, clinic }) => {
  test.slow();
  const customer = `Greta Lind ${Date.now()}`;
  const { page: wall } = tablet;
  await signInNewUser(tablet, 'kitchen');
  await expect(wall.getByRole('heading', { level: 1, name: 'Preparation' })).toBeVisible();
  await expect(wall).toHaveURL('/');
  await expect(wall.getByRole('navigation', { name: 'Sections' }).getByRole('link')).toHaveText([
    'Preparation',
    'Counter/Checkout',
  ]);

  const rooms = await newTablet();
  await signInNewUser(rooms, 'server');
  await rooms.counterReady();
  await expect(rooms.page.getByRole('navigation', { name: 'Sections' }).getByRole('link')).toHaveText([
    'Counter/Checkout',
    'Patients',
    'Preparation',
  ]);
  await rooms.service('Dental cleaning').click();
  await rooms.service('Digital impression').click();
  await expect(rooms.page.getByRole('button', { name: 'Create and take payment' })).toHaveCount(0);
  await rooms.nameCustomer(customer);
  await rooms.page.getByRole('button', { name: 'Create Treatment', exact: true }).click();
  const named = async () =>
    (await clinic.api<KitchenBoardResource>('/kitchen/orders')).data.find(
      ({ customer_name }) => customer_name === customer,
    );
  await expect.poll(named).toBeDefined();
  // The kitchen role may not read patients: its cards and treatments have numbers only.
  const { number } = (await named())!;
  const pending = card(wall, number, 'Pending');
  // The server notifies the tablets; without that they would ask every 20 seconds.
  await expect(pending).toBeVisible();
  await expect(pending).toContainText('Just now');

  await rooms.page.getByRole('link', { name: 'Preparation' }).click();
  await expect(card(rooms.page, customer, 'Pending')).toBeVisible();
  const cleaning = pending.getByRole('button', { name: 'Dental cleaning Move to Preparing' });
  expect((await cleaning.boundingBox())!.height).toBeGreaterThanOrEqual(64);
  await cleaning.click();
  // The Undo toast stays while the pointer is over it.
  await wall.getByText('Dental cleaning: Preparing').hover();
  await expect(card(wall, number, 'Preparing')).toContainText('Dental cleaning');
  await expect(pending).not.toContainText('Dental cleaning');
  await expect(card(rooms.page, customer, 'Preparing')).toContainText('Dental cleaning');
  await wall.getByRole('button', { name: 'Undo' }).click();
  await expect(pending).toContainText('Dental cleaning');
  await expect(card(rooms.page, customer, 'Pending')).toContainText('Dental cleaning');

  // With the keyboard, the focus follows the item, and holding the key moves it only once.
  await pending.getByRole('button', { name: 'Digital impression Move to Preparing' }).focus();
  await wall.keyboard.down('Enter');
  const impression = card(wall, number, 'Preparing').getByRole('button', {
    name: 'Digital impression Move to Ready',
  });
  await expect(impression).toBeFocused();
  await wall.waitForTimeout(400);
  await wall.keyboard.down('Enter');
  await wall.keyboard.up('Enter');
  await expect(impression).toBeVisible();
  await wall.waitForTimeout(400);
  await wall.keyboard.press('Enter');
  await expect(card(wall, number, 'Ready')).toContainText('Digital impression');
  await expect(card(rooms.page, customer, 'Ready')).toContainText('Digital impression');
  await expect(wall.getByText(customer)).toHaveCount(0);
  const back = card(rooms.page, customer, 'Ready').getByRole('button', {
    name: 'Move Digital impression back to Preparing',
  });
  await back.click();
  await expect(card(wall, number, 'Preparing')).toContainText('Digital impression');

  // The counter hides what the server would refuse: plans for the kitchen role, payments for both roles.
  await wall.getByRole('link', { name: 'Counter/Checkout' }).click();
  const openOn = (page: Page) =>
    page.getByRole('list', { name: 'Open treatments' }).getByRole('listitem').filter({ hasText: number });
  await expect(openOn(wall)).toBeVisible();
  await expect(wall.getByRole('tab', { name: /Create/ })).toHaveCount(0);
  await expect(wall.getByRole('button', { name: /^Add services/ })).toHaveCount(0);
  await rooms.page.getByRole('link', { name: 'Counter/Checkout' }).click();
  await rooms.page.getByRole('tab', { name: /payment/i }).click();
  for (const page of [wall, rooms.page]) {
    await openOn(page).getByText(/^T-/).click();
    await expect(page.getByRole('region', { name: 'Payment details' })).toContainText(
      "You don't have permission to perform this action.",
    );
    for (const name of ['Process Payment', 'Cancel Treatment'])
      await expect(page.getByRole('button', { name })).toHaveCount(0);
    await page.goto('/stock');
    await expect(page).toHaveURL('/');
  }
  expect((await named())!.items.map(({ status }) => status)).toEqual(['pending', 'preparing']);
});

test('the board shows one status at a time on a phone, and keeps moves until the server returns @long', async ({
  newTablet,
  freshClinic: own,
}) => {
  test.slow();
  const tablet = await newTablet(own);
  const { page } = tablet;
  const long = 'María de los Ángeles Fernández-Villaverde y Sáenz de Santamaría';
  const orderId = await orderServices(own, long, 'Dental cleaning');
  await signInNewUser(tablet, 'manager');
  await expect(page.getByRole('link', { name: 'Preparation' })).toBeVisible();
  await tablet.useLanguage('sp');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/kitchen');
  await expect(page.getByRole('heading', { level: 1, name: 'Preparación' })).toBeVisible();
  const filter = page.getByRole('radiogroup', { name: 'Estado' });
  await expect(filter.getByRole('radio', { name: 'Pendiente' })).toBeChecked();
  await expect(filter.getByRole('radio')).toHaveText([/^Pendiente\d+$/, /^En curso\d+$/, /^Listo\d+$/, /^Hecho\d+$/]);
  await expect(page.getByRole('region')).toHaveCount(1);
  await card(page, long).getByRole('button', { name: 'Dental cleaning Pasar a En curso' }).click();
  await expect(page.getByText('Dental cleaning: En curso')).toBeVisible();
  await expect(card(page, long)).toHaveCount(0);
  await filter.getByRole('radio', { name: 'En curso' }).click();
  await expect(card(page, long)).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await page.reload();
  await expect(filter.getByRole('radio', { name: 'En curso' })).toBeChecked();

  // Without a server the card moves all the same, and the move outlives a reload.
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await own.stop();
  await card(page, long)
    .getByRole('button', { name: /Pasar todo a Listo/ })
    .click();
  await filter.getByRole('radio', { name: 'Listo' }).click();
  await expect(card(page, long)).toContainText('Dental cleaning');
  await expect(page.getByText('Los cambios se guardan aquí y se envían en cuanto responda el servidor.')).toBeVisible({
    timeout: 40_000,
  });
  await page.reload();
  await expect(card(page, long)).toContainText('Dental cleaning', { timeout: 15_000 });

  await own.start();
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await expect.poll(() => statusesOf(own, orderId)).toEqual(['ready']);
  // A cancelled treatment leaves the board, at the latest with the next poll.
  await own.api(`/orders/${orderId}/status`, { status: 'cancelled' }, 'PUT');
  await expect(card(page, long)).toHaveCount(0, { timeout: 30_000 });
});

test('room and first name lead a card, and what is done folds to the last five @long', async ({ tabletOf, clinic }) => {
  const { page } = await tabletOf('manager');
  const name = `Zoraida Núñez ${Date.now()}`;
  for (let count = 0; count < 6; count++) {
    const id = await orderServices(clinic, name, 'Dental cleaning');
    const { data } = await clinic.api<KitchenBoardResource>('/kitchen/orders');
    const item = data.find((order) => order.id === id)!.items[0]!;
    for (const status of ['preparing', 'ready', 'served'])
      await clinic.api(`/kitchen/orders/${id}/items/${item.id}/status`, { status }, 'PATCH');
  }
  await page.goto('/kitchen');
  const done = column(page, 'Done');
  await expect(done.getByRole('heading', { level: 3 })).toHaveCount(5);
  await expect(done.getByRole('heading', { level: 3 }).first()).toContainText('Zoraida');
  await done.getByRole('button', { name: /^Show \d+ more$/ }).click();
  expect(await done.getByRole('heading', { level: 3, name }).count()).toBe(6);
  await done.getByRole('button', { name: 'Show the last five' }).click();
  await expect(done.getByRole('heading', { level: 3 })).toHaveCount(5);
});
