/** The payment screen, the recent sales, and what a patient's history opens. */
import type { PatientResource } from '#domain/patient/resources.ts';
import { outboxDrained } from '../kill/consistency.ts';
import { invoiceNumber, processPayment } from '../support/tablet.ts';
import { expectAccessible } from './expect-accessible.ts';
import { expect, test } from './fixtures.ts';
import { expectNoLayoutShifts } from './layout-shift.ts';

test('the charge button names the amount and stays in view on a phone; a part payment says so, and no method moves anything', async ({
  tabletOf,
}) => {
  const tablet = await tabletOf('counter');
  const { page } = tablet;
  await tablet.openCounter();
  await tablet.service('First consultation').click();
  await page.getByRole('button', { name: 'Create and take payment' }).click();
  const charge = page.getByRole('button', { name: 'Process Payment', exact: true });
  const keypad = page.getByRole('group', { name: 'Keypad' });
  const method = (name: string) => page.getByRole('button', { name, exact: true }).click();
  await expect(charge).toHaveText(/^Charge EUR 40,00/);
  await expect(charge).toHaveAccessibleDescription('Charge EUR 40,00');
  // The pill and the card of the new treatment say that it is being sent.
  await outboxDrained(page);
  await expect(tablet.pill).toContainText('Online');
  const choose = (name: string) => async () => {
    await method(name);
    await expect(keypad).toBeVisible();
  };
  await expectNoLayoutShifts(
    page,
    ['Card', 'Insurance', 'Others', 'Cash'].map((name) => [name, choose(name)]),
  );
  await method('Card');
  for (const key of ['1', '5', '00']) await keypad.getByRole('button', { name: key, exact: true }).click();
  await expect(page.getByText('Part payment: EUR 25,00 stays due')).toBeVisible();
  await expect(charge).toHaveText(/^Charge EUR 15,00/);
  await expectAccessible(page);

  const details = page.getByRole('region', { name: 'Payment details' });
  // A line of the list, or the one line of a phone.
  const sold = details.getByText('First consultation').filter({ visible: true });
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(charge).toBeInViewport({ ratio: 1 });
  await expect(sold).toBeInViewport();
  await page.setViewportSize({ width: 820, height: 1180 });
  await expect(charge).toBeInViewport({ ratio: 1 });
  await expect(sold).toBeInViewport();

  // An exact payment in cash gives no change, and a larger note is not charged.
  await method('Cash');
  await page.getByRole('button', { name: 'EUR 100,00', exact: true }).click();
  await expect(charge).toHaveText(/^Charge EUR 40,00/);
});

test('recent sales say what was sold, and are found by amount; a patient’s history opens its treatments @long', async ({
  tabletOf,
  clinic,
}) => {
  const tablet = await tabletOf('counter');
  const { page } = tablet;
  await tablet.openCounter();
  const { data } = await clinic.api<{ data: PatientResource[] }>('/patients?search=marta gil');
  const patient = { patient_id: data[0]!.id, name: 'Marta Gil', known: true };
  const { stocks } = await clinic.api<{ stocks: { id: number }[] }>('/stock?search=dental cleaning');
  await clinic.api('/orders', { items: [{ stock_id: stocks[0]!.id, quantity: 1 }], patient });
  await tablet.service('First consultation').click();
  await tablet.service('First consultation').click();
  await page.getByRole('button', { name: 'Create and take payment' }).click();
  const printed = await processPayment(page);
  const number = await invoiceNumber(printed);
  await printed.close();

  await page.getByRole('button', { name: 'Recent sales', exact: true }).click();
  const sales = page.getByRole('dialog', { name: 'Recent sales' });
  const sale = sales.getByRole('listitem').filter({ hasText: number });
  await expect(sale).toContainText('2 × First consultation');
  await expect(sales.getByText('On the server')).toHaveCount(0);
  expect((await sale.boundingBox())!.height).toBeLessThan(90);
  await expectAccessible(page);
  await sales.getByRole('searchbox').fill('80');
  await expect(sale).toBeVisible();
  await sales.getByRole('searchbox').fill('80,01');
  await expect(sale).toBeHidden();
  await sales.getByRole('button', { name: 'Close recent sales' }).click();

  await page.getByRole('tab', { name: /payment/i }).click();
  await page
    .getByRole('list', { name: 'Open treatments' })
    .getByRole('button', { name: /^Marta Gil/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Treatments of Marta Gil' }).click();
  const history = page.getByRole('dialog', { name: 'Treatments of Marta Gil' });
  await history
    .getByRole('button', { name: /Dental cleaning/ })
    .first()
    .click();
  await expect(history.getByText('1 ×').first()).toBeVisible();
  await expectAccessible(page);
  await history.getByRole('button', { name: 'Take payment' }).click();
  await expect(history).toBeHidden();
  await expect(page.getByRole('button', { name: 'Process Payment', exact: true })).toBeVisible();
});

test('a long name and an amount of 12.345,67 fit a payment at every size @long', async ({ tabletOf, clinic }) => {
  const name = `Rehabilitación completa con prótesis híbrida ${Date.now()}`;
  await clinic.api('/stock', { name, category_id: 1, cost_per_unit: 12_345.67, is_available: true, is_stocked: false });
  const { stocks } = await clinic.api<{ stocks: { id: number }[] }>(`/stock?search=${encodeURIComponent(name)}`);
  const { data: patient } = await clinic.api<{ data: PatientResource }>(
    '/patients',
    { name: 'María del Carmen Fernández-Villaverde y Álvarez de Toledo Ruiz' },
    'POST',
  );
  const { data: order } = await clinic.api<{ data: { number: string } }>('/orders', {
    items: [{ stock_id: stocks[0]!.id, quantity: 1 }],
    patient: { patient_id: patient.id, name: patient.name, known: true },
  });
  // A manager has a sidebar, which leaves less room.
  const tablet = await tabletOf('manager');
  const { page } = tablet;
  await page.goto('/counter');
  await page.getByRole('tab', { name: 'Process payment' }).click();
  await page.getByText(order.number).first().click();
  const charge = page.getByRole('button', { name: 'Process Payment', exact: true });
  const keys = page.getByRole('group', { name: 'Keypad' }).getByRole('button');
  const due = page.getByRole('region', { name: 'Payment details' }).getByText('EUR 12.345,67', { exact: true });
  const amount = page.getByRole('textbox', { name: 'Amount' });
  for (const [width, height] of [
    [1180, 820],
    [820, 1180],
    [1440, 900],
    [844, 390],
    [590, 410],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expect(charge).toBeInViewport({ ratio: 0.95 });
    await expect(keys.first()).toBeInViewport({ ratio: 0.95 });
    await expect(keys.last()).toBeInViewport({ ratio: 0.5 });
    await expect(due.first()).toBeInViewport({ ratio: 1 });
    const [shown, field] = [(await due.first().boundingBox())!, (await amount.boundingBox())!];
    const isBeside = shown.y + shown.height > field.y && shown.y < field.y + field.height;
    expect(isBeside && shown.x + shown.width > field.x, `the amount due lies under the field at ${width}`).toBe(false);
  }
});
