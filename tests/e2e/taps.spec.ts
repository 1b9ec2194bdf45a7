/** The work of the hand in the flows that a clinic repeats all day. */
import { processPayment, serverOrders } from '../support/tablet.ts';
import { closeDrawers } from './drawers.ts';
import { openDrawerSection } from './elements.ts';
import { expect, test } from './fixtures.ts';
import { countTaps } from './taps.ts';

test('an exact cash sale of one service takes three taps', async ({ tabletOf }) => {
  const tablet = await tabletOf('counter');
  await tablet.openCounter();
  const effort = await countTaps(tablet.page, async () => {
    await tablet.service('Dental cleaning').click();
    await tablet.page.getByRole('button', { name: 'Create and take payment' }).click();
    await processPayment(tablet.page);
  });
  expect(effort).toEqual({ taps: 3, keys: 0 });
});

test('a manager orders what runs low in at most five taps @long', async ({ tabletOf }) => {
  const tablet = await tabletOf('admin');
  const { page } = tablet;
  await tablet.openCounter();
  await page.goto('/admin/dashboard');
  const effort = await countTaps(page, async () => {
    await page.getByRole('link', { name: 'Purchasing', exact: true }).click();
    await page.getByRole('button', { name: 'Create Purchase Order' }).click();
    await page
      .getByRole('button', { name: /^Add all from/ })
      .first()
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Create Purchase Order' }).click();
    await page.getByRole('button', { name: 'Mark as sent' }).click();
    await expect(page.getByText(/is marked as sent$/)).toBeVisible();
  });
  expect(effort).toEqual({ taps: 5, keys: 0 });
});

test('a price is changed with three taps from the counter @long', async ({ tabletOf }) => {
  const tablet = await tabletOf('manager');
  await tablet.openCounter();
  const { page } = tablet;
  const effort = await countTaps(page, async () => {
    await page.getByRole('link', { name: 'Services' }).click();
    await page.getByRole('button', { name: 'Change the price of 3D scan' }).click();
    await page.getByLabel('New price of 3D scan').pressSequentially('115');
    await page.getByRole('button', { name: 'Save the price of 3D scan' }).click();
    await expect(page.getByText('now costs EUR 115,00')).toBeVisible();
  });
  expect(effort).toEqual({ taps: 3, keys: 3 });
});

test('opening a drawer with the last float takes at most four taps, and one at the first cash payment of a day @long', async ({
  tabletOf,
  clinic,
}) => {
  const [desk, till] = [await tabletOf('counter'), await tabletOf('counter')];
  await closeDrawers(clinic);
  await till.openCounter();
  await till.service('Dental cleaning').click();
  await till.page.getByRole('button', { name: 'Create and take payment' }).click();
  const prompt = till.page.getByRole('region', { name: 'No drawer is open' });
  await expect(prompt).toBeVisible();
  const atPayment = await countTaps(till.page, async () => {
    await prompt.getByRole('button', { name: 'Open drawer' }).click();
    await expect(prompt).toBeHidden();
  });
  expect(atPayment).toEqual({ taps: 1, keys: 0 });

  await desk.openCounter();
  const own = desk.page.getByRole('button', { name: 'Open one for this tablet' });
  const effort = await countTaps(desk.page, async () => {
    await openDrawerSection(desk.page);
    await own.click();
    await desk.page.getByRole('button', { name: 'Open drawer' }).click();
    await expect(desk.page.getByText(/^Open since/)).toBeVisible();
  });
  expect(effort.keys).toBe(0);
  expect(effort.taps).toBeLessThanOrEqual(4);
  await closeDrawers(clinic);
});

test('a cash sale with a note of 50 takes four taps @long', async ({ tabletOf }) => {
  const tablet = await tabletOf('counter');
  const { page } = tablet;
  await tablet.openCounter();
  const effort = await countTaps(page, async () => {
    await tablet.service('First consultation').click();
    await page.getByRole('button', { name: 'Create and take payment' }).click();
    await page.getByRole('button', { name: 'EUR 50,00', exact: true }).click();
    await processPayment(page);
  });
  await expect(page.getByRole('dialog', { name: 'Change' })).toContainText('EUR 10,00');
  expect(effort).toEqual({ taps: 4, keys: 0 });
});

test('a sale that is paid half in cash and half by card takes six taps @long', async ({ tabletOf, clinic }) => {
  const tablet = await tabletOf('counter');
  const { page } = tablet;
  await tablet.openCounter();
  const effort = await countTaps(page, async () => {
    await tablet.service('First consultation').click();
    await page.getByRole('button', { name: 'Create and take payment' }).click();
    await page.getByRole('button', { name: 'Half, EUR 20,00' }).click();
    await (await processPayment(page)).close();
    await page.getByRole('button', { name: 'Card', exact: true }).click();
    await processPayment(page);
  });
  await expect
    .poll(async () => {
      const [last] = (await serverOrders(clinic)).values();
      return last?.Payments.map(({ method, amount }) => [method, amount]);
    })
    .toEqual([
      ['cash', 20],
      ['card', 20],
    ]);
  expect(effort).toEqual({ taps: 6, keys: 0 });
});

test('a common discount takes two taps @long', async ({ tabletOf }) => {
  const tablet = await tabletOf('counter');
  const { page } = tablet;
  await tablet.openCounter();
  await tablet.service('First consultation').click();
  const effort = await countTaps(page, async () => {
    await page.getByRole('button', { name: 'Discount', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: '10 %', exact: true }).click();
  });
  await expect(page.getByRole('button', { name: 'Change the discount' })).toContainText('-10 %');
  expect(effort).toEqual({ taps: 2, keys: 0 });
});

test('a known patient pays three services by card with eight taps and three keys', async ({ tabletOf }) => {
  const tablet = await tabletOf('counter');
  const { page } = tablet;
  await tablet.openCounter();
  const { taps, keys } = await countTaps(page, async () => {
    await page.getByRole('combobox', { name: 'Customer name' }).click();
    await page.keyboard.type('mar');
    await page.getByRole('option', { name: /Marta Gil/ }).click();
    for (const index of [0, 1, 2]) await page.locator(`[data-tile="${index}"]`).click();
    await page.getByRole('button', { name: 'Create and take payment' }).click();
    await page.getByRole('button', { name: 'Card', exact: true }).click();
    await processPayment(page);
  });
  expect(taps).toBeLessThanOrEqual(8);
  expect(keys).toBeLessThanOrEqual(3);
});

test('a refund takes four taps, with the reason @long', async ({ tabletOf }) => {
  const tablet = await tabletOf('manager');
  const { page } = tablet;
  await tablet.openCounter();
  await (await tablet.sellForCash()).close();
  const effort = await countTaps(page, async () => {
    await page.getByRole('button', { name: 'Recent sales', exact: true }).click();
    await page
      .getByRole('button', { name: /^Refund INV-/ })
      .first()
      .click();
    const dialog = page.getByRole('dialog', { name: 'Refund' });
    await dialog.getByRole('button', { name: 'Not satisfied' }).click();
    await dialog.getByRole('button', { name: /^Refund EUR/ }).click();
    await expect(page.getByText('Refund recorded')).toBeVisible();
  });
  expect(effort).toEqual({ taps: 4, keys: 0 });
});

test('a card of the board is done in three taps @long', async ({ tabletOf, clinic }) => {
  const tablet = await tabletOf('manager');
  const { page } = tablet;
  const { stocks } = await clinic.api<{ stocks: { id: number; name: string }[] }>('/stock?per_page=200');
  const items = ['Dental cleaning', 'Composite filling'].map((name) => ({
    stock_id: stocks.find((item) => item.name.startsWith(name))!.id,
    quantity: 1,
  }));
  await clinic.api('/server/orders', { customer_name: 'Greta Board', items });
  await tablet.openCounter();
  await page.goto('/kitchen');
  const head = (column: string) => page.getByRole('button', { name: `Greta Board Move all to ${column}` });
  await expect(head('Preparing')).toBeVisible();
  const effort = await countTaps(page, async () => {
    for (const column of ['Preparing', 'Ready', 'Done']) {
      await head(column).click();
      // A second tap within this time counts as a bounce.
      await page.waitForTimeout(400);
    }
    await expect(page.getByRole('region', { name: 'Done', exact: true })).toContainText('Greta Board');
  });
  expect(effort).toEqual({ taps: 3, keys: 0 });
});
