import type { Page } from '@playwright/test';
import type { UserClaims } from '#domain/staff/roles.ts';
import { expect, test } from '../e2e/fixtures.ts';
import { clerkBesideManager, lock, pins, setPin, tapPin } from '../e2e/pins.ts';
import { invoiceNumber, ordersInvoiced, processPayment } from '../support/tablet.ts';

/** Chooses a person on the lock screen. */
const choose = (page: Page, name: string) =>
  page.getByRole('group').getByRole('button', { name, pressed: false }).click();

test('two people share an offline tablet by PIN, and each sale is recorded under the name of its seller', async ({
  tablet,
  clinic,
}) => {
  test.slow();
  const { page, context } = tablet;
  await clerkBesideManager(tablet);
  await setPin(page, 'counter');
  await page.goto('/');
  await tablet.counterReady();
  await expect(tablet.pill).toContainText('Online');

  await context.setOffline(true);
  const first = await tablet.sellForCash();
  const sold = [await invoiceNumber(first)];
  await first.close();
  await tablet.service('Dental cleaning').click();
  await tablet.nameCustomer('Whose plan changes hands');
  await lock(page);

  // The last person is preselected, and another one is chosen; in Spanish as well.
  await page.getByRole('radio', { name: 'Español' }).click();
  await expect(page.getByRole('heading', { name: 'Bloqueado' })).toBeVisible();
  await choose(page, 'Tomás Ibarra');
  await tapPin(page, pins.counter);
  await expect(page.getByText('PIN incorrecto')).toBeVisible();
  await page.getByRole('radio', { name: 'English' }).click();
  await expect(page.getByText('Wrong PIN')).toBeVisible();
  await tapPin(page, pins.manager);

  // The manager continues with the clerk's plan.
  await expect(tablet.customer('Whose plan changes hands')).toBeVisible();
  await page.getByRole('button', { name: 'Create and take payment' }).click();
  const second = await processPayment(page);
  sold.push(await invoiceNumber(second));
  await second.close();
  await lock(page);
  await choose(page, 'Lucía Ferrer');
  await page.keyboard.type(pins.counter);
  await tablet.counterReady();
  const third = await tablet.sellForCash();
  sold.push(await invoiceNumber(third));
  await third.close();

  // A locked tablet sends its sales.
  await lock(page);
  await context.setOffline(false);
  const { data: staff } = await clinic.api<{ data: UserClaims[] }>('/users');
  const nameOf = (id: number | undefined) => staff.find((person) => person.id === id)?.name;
  for (const [index, name] of ['Lucía Ferrer', 'Tomás Ibarra', 'Lucía Ferrer'].entries()) {
    await expect.poll(async () => (await ordersInvoiced(clinic, sold[index]!)).length, { timeout: 30_000 }).toBe(1);
    const [order] = await ordersInvoiced(clinic, sold[index]!);
    expect([nameOf(order!.created_by), nameOf(order!.Payments[0]!.actor_id)]).toEqual([name, name]);
  }
});
