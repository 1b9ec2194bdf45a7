import { printedBy, processPayment } from '../support/tablet.ts';
import { closeDrawers, countAndClose } from '../e2e/drawers.ts';
import { openDrawerSection } from '../e2e/elements.ts';
import { expect, test } from '../e2e/fixtures.ts';

test.beforeEach(({ clinic }) => closeDrawers(clinic));

test('a drawer that is opened, used and closed after an offline sign-in reaches the managers once the network is back', async ({
  newTablet,
  tabletOf,
}) => {
  test.slow();
  const [tablet, office] = [await newTablet(), await tabletOf('manager')];
  const { page, context } = tablet;
  await tablet.signIn('counter');
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
  await context.setOffline(true);
  await tablet.signIn('counter');
  await openDrawerSection(page);
  await page.getByLabel('Float').fill('80');
  await page.getByRole('button', { name: 'Open drawer' }).click();
  await expect(page.getByText('On this device')).toBeVisible();
  await page.getByRole('button', { name: 'Put money in' }).click();
  await page.getByRole('dialog').getByLabel('Amount').fill('12.5');
  await page.getByRole('dialog').getByLabel('Reason').fill('Coins from the bank');
  await page.getByRole('dialog').getByRole('button', { name: 'Put money in' }).click();
  await countAndClose(page, '92.5');
  await page
    .getByRole('button', { name: /^Report of/ })
    .first()
    .click();
  await expect(page.getByText(/This tablet has not reached the server/)).toBeVisible();
  await page.getByRole('button', { name: 'Done' }).click();

  await page.goto('/outbox');
  for (const kind of ['Drawer opened', 'Money moved', 'Drawer closed'])
    await expect(page.getByText(kind).first()).toBeVisible();
  await expect(page.getByText('Coins from the bank')).toBeVisible();
  await context.setOffline(false);
  await tablet.signIn('counter');
  await expect(tablet.pill).toContainText('Online', { timeout: 30_000 });

  await office.page.goto('/drawer');
  const past = office.page.getByRole('region', { name: 'Past drawers' }).first();
  const row = past.getByRole('row').filter({ hasText: 'EUR 92,50' });
  await expect(row).toContainText('Exact', { timeout: 20_000 });
  await row.getByRole('button', { name: /^Report of/ }).click();
  await expect(office.page.getByRole('dialog').getByText('Coins from the bank')).toBeVisible();
  await expect(office.page.getByRole('dialog').getByRole('row', { name: 'Cash 92,50 92,50 Exact' })).toBeVisible();
});

test('a second close of one drawer is refused into the tray, explained and voided', async ({ tabletOf }) => {
  test.slow();
  const [first, second] = [await tabletOf('manager'), await tabletOf('manager')];
  await first.page.goto('/drawer');
  await second.openCounter();
  await first.page.getByLabel('Float').fill('10');
  await first.page.getByRole('button', { name: 'Open drawer' }).click();
  await openDrawerSection(second.page);
  await expect(second.page.getByText(/This drawer was opened on/)).toBeVisible();
  await second.context.setOffline(true);
  await countAndClose(second.page, '9');
  await countAndClose(first.page, '10');
  await expect(first.pill).toContainText('Online');
  await second.context.setOffline(false);
  await expect(second.pill).toContainText('Needs attention', { timeout: 30_000 });
  await second.page.getByRole('link', { name: /Open the outbox/ }).click();
  await expect(
    second.page.getByText('Another tablet had already closed this drawer. Its count stands; this one can be voided.'),
  ).toBeVisible();
  await second.page.getByRole('button', { name: 'Void', exact: true }).click();
  const dialog = second.page.getByRole('dialog');
  await dialog.getByLabel(/Reason/).fill('Closed on the other tablet');
  await dialog.getByRole('button', { name: /Void/ }).click();
  await expect(second.pill).toContainText('Online', { timeout: 30_000 });
});

test('a cash payment without an open drawer offers one, offline too and without waiting, and the next payment is in it', async ({
  tabletOf,
}) => {
  test.slow();
  const tablet = await tabletOf('counter');
  const { page, context } = tablet;
  const prompt = page.getByRole('region', { name: 'No drawer is open' });
  await page.goto('/drawer');
  await expect(page.getByLabel('Float')).toBeVisible();
  await page.getByRole('link', { name: 'Counter/Checkout' }).click();
  await tablet.counterReady();
  await context.setOffline(true);
  const startPayment = async () => {
    await tablet.service('Dental cleaning').click();
    await page.getByRole('button', { name: 'Create and take payment' }).click();
    await expect(page.getByRole('button', { name: 'Process Payment' })).toBeVisible();
  };
  await startPayment();
  await expect(prompt).toBeVisible();
  await page.getByRole('button', { name: 'Card' }).click();
  await expect(prompt).toBeHidden();
  await page.getByRole('button', { name: 'Cash', exact: true }).click();
  await expect(prompt).toBeVisible();
  await (await processPayment(page)).close();

  await startPayment();
  await prompt.getByLabel('Float').fill('80');
  await prompt.getByRole('button', { name: 'Open drawer' }).click();
  await expect(prompt).toBeHidden();
  await (await processPayment(page)).close();
  await context.setOffline(false);
  await openDrawerSection(page);
  await page.getByRole('button', { name: 'Close drawer' }).click();
  await page.getByLabel('Cash', { exact: true }).fill('140');
  await page.getByRole('button', { name: 'Compare' }).click();
  await expect(page.getByRole('row', { name: /^Cash 140,00 140,00 Exact/ })).toBeVisible();
  await (await printedBy(page, () => page.getByRole('button', { name: 'Close and print' }).click())).close();

  // The answer "Not now" holds for the day. The next drawer gets the last float.
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByLabel('Float')).toHaveValue('80,00');
  await page.getByRole('link', { name: 'Counter/Checkout' }).click();
  await startPayment();
  await prompt.getByRole('button', { name: 'Not now' }).click();
  await expect(prompt).toBeHidden();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Process Payment' })).toBeVisible();
  await expect(prompt).toBeHidden();
  await (await processPayment(page)).close();
});
