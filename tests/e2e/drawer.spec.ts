import { printedBy } from '../support/tablet.ts';
import { closeDrawers, countAndClose } from './drawers.ts';
import { openDrawerSection } from './elements.ts';
import { expect, test } from './fixtures.ts';

test.beforeEach(({ clinic }) => closeDrawers(clinic));

test('the drawer’s forms name each missing value in both languages and keep what was typed @long', async ({
  tabletOf,
}) => {
  const tablet = await tabletOf('counter');
  const { page } = tablet;
  await page.goto('/drawer');
  await page.getByLabel('Float').fill('');
  await page.getByRole('button', { name: 'Open drawer' }).click();
  await expect(page.getByText('Enter an amount, 0 if there is none.')).toBeVisible();
  await page.getByLabel('Float').fill('50');
  await page.getByRole('button', { name: 'Open drawer' }).click();

  await page.getByRole('button', { name: 'Take money out' }).click();
  const dialog = page.getByRole('dialog', { name: 'Take money out' });
  await dialog.getByLabel('Reason').fill('ab');
  await dialog.getByRole('button', { name: 'Take money out' }).click();
  await expect(dialog.getByText('Enter the amount.')).toBeVisible();
  await expect(dialog.getByText('Give a reason of at least 3 characters.')).toBeVisible();
  await expect(dialog.getByLabel('Reason')).toHaveValue('ab');
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('button', { name: 'Close drawer' }).click();
  await page.getByLabel('Notes').fill('Counted twice');
  await page.getByRole('button', { name: 'Compare' }).click();
  await expect(page.getByText('Enter an amount, 0 if there is none.')).toBeVisible();
  await tablet.useLanguage('sp');
  await expect(page.getByLabel('Notas')).toHaveValue('Counted twice');
  await page.getByRole('button', { name: 'Comparar' }).click();
  await expect(page.getByText('Introduzca un importe; 0 si no hay nada.')).toBeVisible();
  await page.getByRole('button', { name: 'Ahora no' }).click();
  await page.getByRole('button', { name: 'Meter dinero' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Meter dinero' }).click();
  await expect(page.getByText('Introduzca el importe.')).toBeVisible();
  await expect(page.getByText('Indique el motivo con al menos 3 caracteres.')).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancelar' }).click();
  await tablet.useLanguage('en');
  await countAndClose(page, '50');
});

test('a report is provisional while a tablet of the day is offline, and completes once its sale arrives', async ({
  newTablet,
  freshClinic: clinic,
}) => {
  const [desk, surgery] = [await newTablet(clinic), await newTablet(clinic)];
  await desk.signIn('manager');
  await surgery.signIn('counter');
  await openDrawerSection(desk.page);
  await desk.page.getByLabel('Float').fill('100');
  await desk.page.getByRole('button', { name: 'Open drawer' }).click();
  await expect(desk.page.getByText(/^Open since/)).toBeVisible();
  await openDrawerSection(surgery.page);
  await expect(surgery.page.getByText(/This drawer was opened on/)).toBeVisible();
  await surgery.page.getByRole('link', { name: 'Counter/Checkout' }).click();
  await surgery.counterReady();
  await expect(surgery.pill).toContainText('Online');
  await surgery.loseNetwork();
  await (await surgery.sellForCash()).close();

  await desk.page.getByRole('button', { name: 'Close drawer' }).click();
  await desk.page.getByLabel('Cash', { exact: true }).fill('160');
  await desk.page.getByRole('button', { name: 'Compare' }).click();
  await expect(desk.page.getByRole('row', { name: /^Cash 100,00 160,00 60,00/ })).toBeVisible();
  const provisional = await printedBy(desk.page, () =>
    desk.page.getByRole('button', { name: 'Close and print' }).click(),
  );
  await expect(provisional.getByText(/^PROVISIONAL: sales may be missing from .*no contact since/)).toBeVisible({
    timeout: 15_000,
  });
  await provisional.close();
  const report = desk.page.getByRole('dialog', { name: 'Z report' });
  await expect(report.getByText(/has not connected since/)).toBeVisible();
  await surgery.context.setOffline(false);
  await expect(report.getByText('Final', { exact: true })).toBeVisible({ timeout: 30_000 });
  await expect(report.getByRole('row', { name: 'Cash 160,00 160,00 Exact' })).toBeVisible();
});

test('a count and a movement stay in sight when another person closes the drawer @long', async ({
  tabletOf,
  clinic,
}) => {
  const tablet = await tabletOf('counter');
  const { page } = tablet;
  await page.goto('/drawer');
  const open = async () => {
    await page.getByLabel('Float').fill('100');
    await page.getByRole('button', { name: 'Open drawer' }).click();
    await expect(page.getByRole('button', { name: 'Close drawer' })).toBeVisible();
    await expect(tablet.pill).toContainText('Online');
  };
  await open();
  await page.getByRole('button', { name: 'Close drawer' }).click();
  await page.getByLabel('Cash', { exact: true }).fill('77');
  await page.getByLabel('Notes').fill('Counted twice');
  await closeDrawers(clinic);
  await expect(page.getByText(/closed this drawer on .* with a count of EUR 0,00/)).toBeVisible();
  await expect(page.getByRole('row', { name: /^Cash/ })).toContainText('77');
  await expect(page.getByText('Counted twice')).toBeVisible();
  await page.getByRole('button', { name: 'Close', exact: true }).click();

  await open();
  await page.getByRole('button', { name: 'Take money out' }).click();
  const dialog = page.getByRole('dialog', { name: 'Take money out' });
  await dialog.getByLabel('Amount').fill('20');
  await dialog.getByLabel('Reason').fill('Change for the bank');
  await closeDrawers(clinic);
  await expect(dialog.getByText('This movement was not recorded.', { exact: false })).toBeVisible();
  await expect(dialog.getByLabel('Reason')).toHaveValue('Change for the bank');
  await expect(dialog.getByRole('button')).toHaveText(['Close']);
});
